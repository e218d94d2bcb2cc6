internal import PosternBase

extension Command {
    static let manual = Command(
        words: ["manual"],
        summary: "Print a manual page, in the language of man",
        usage: ["[OPTION]... PAGE"],
        ownOptions: [],
        operandCount: 1...1,
        notes: [
            "PAGE is \(ManualPage.allCases.map(\.rawValue).joined(separator: " or ")). "
                + "To read it: postern manual postern | man --local-file -"
        ],
        run: ManualCommand.run
    )

    static let completion = Command(
        words: ["completion"],
        summary: "Print what completes commands and options in a shell",
        usage: ["[OPTION]... SHELL"],
        ownOptions: [],
        operandCount: 1...1,
        notes: [
            "SHELL is \(Completion.allCases.map(\.rawValue).joined(separator: " or ")). "
                + "To have it in bash now: source <(postern completion bash)"
        ],
        run: CompletionCommand.run
    )
}

enum ManualCommand {
    static func run(_ arguments: Arguments) async throws(CommandFailure) -> Answer {
        let name = try arguments.text(ofOperand: 0, called: "PAGE")
        guard let page = ManualPage.allCases.first(where: { $0.rawValue.isSameBytes(as: name) }) else {
            throw .usage("there is no page \(Excerpt.word(name))")
        }
        return .file(page.rawValue, page.text)
    }
}

enum CompletionCommand {
    static func run(_ arguments: Arguments) async throws(CommandFailure) -> Answer {
        let name = try arguments.text(ofOperand: 0, called: "SHELL")
        guard let shell = Completion.allCases.first(where: { $0.rawValue.isSameBytes(as: name) }) else {
            throw .usage("there is nothing for \(Excerpt.word(name))")
        }
        return .file(shell.rawValue, shell.script)
    }
}

extension Answer {
    /// A text that another program reads.
    static func file(_ name: String, _ text: String) -> Answer {
        Answer(status: .success, json: .object([("name", .string(name)), ("text", .string(text))])) { _ in text }
    }
}
