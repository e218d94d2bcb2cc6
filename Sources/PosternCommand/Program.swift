internal import Glibc

/// From the command line to an exit status.
enum Program {
    static let version = "0.1.0-dev"
    /// When that was settled.
    static let date = "2026-11-30"
    private static let options: [Option] = [.help, .version]

    static func run(_ arguments: [[UInt8]]) async -> ExitStatus {
        // A reader that goes away is an error of `write`, with an exit status like any other; so is a file that may not grow.
        signal(SIGPIPE, SIG_IGN)
        signal(SIGXFSZ, SIG_IGN)
        do throws(CommandFailure) {
            guard case .arguments(let own) = try ArgumentParser.parse(arguments, options, order: .optionsFirst) else {
                return finish(.success, HelpText.program(Style.ofStandardOutput()))
            }
            if own.isGiven(.version) { return finish(.success, "postern \(version)\n") }
            if let group = Command.group(own.operands), isHelp(own.operands.dropFirst()) {
                return finish(.success, HelpText.group(group, Style.ofStandardOutput()))
            }
            let (command, rest) = try Command.find(own.operands)
            return await run(command, rest)
        } catch {
            return fail(error, hint: "postern --help")
        }
    }

    private static func run(_ command: Command, _ rest: [[UInt8]]) async -> ExitStatus {
        let style = Style.ofStandardOutput()
        do throws(CommandFailure) {
            guard case .arguments(let arguments) = try ArgumentParser.parse(rest, command.options) else {
                return finish(.success, HelpText.command(command, style))
            }
            let format = try arguments.format()
            try checkOperands(arguments.operands, command)
            let answer = try await command.run(arguments)
            return finish(answer.status, answer.output(format, style))
        } catch {
            return fail(error, hint: "postern \(command.name) --help")
        }
    }

    private static func isHelp(_ operands: ArraySlice<[UInt8]>) -> Bool {
        operands.count == 1 && ["--help", "-h"].contains { text in operands.contains { $0.elementsEqual(text.utf8) } }
    }

    private static func checkOperands(_ operands: [[UInt8]], _ command: Command) throws(CommandFailure) {
        guard operands.count >= command.operandCount.lowerBound else {
            throw .usage("something is missing: postern \(command.name) \(command.usage.first ?? "")")
        }
        guard operands.count <= command.operandCount.upperBound else {
            // Not shown: it might be a token or a nonce that lost its option.
            throw .usage("too many arguments: at most \(command.operandCount.upperBound) besides the options")
        }
    }

    private static func finish(_ status: ExitStatus, _ output: String) -> ExitStatus {
        guard let failure = StandardStreams.finishOutput(output) else { return status }
        if failure != EPIPE {
            StandardStreams.complain(
                "postern: the answer could not be written: \(StandardStreams.explanation(of: failure))\n"
            )
        }
        return .trouble
    }

    private static func fail(_ failure: CommandFailure, hint: String) -> ExitStatus {
        guard !failure.isTold else { return .trouble }
        StandardStreams.complain("postern: \(failure.message)\n")
        if failure.isUsage { StandardStreams.complain("Try '\(hint)' for more information.\n") }
        return .trouble
    }
}
