internal import Glibc
internal import PosternBase

extension Option {
    static let config = Option(
        "config", takes: "FILE", "the settings, as the documentation lists them in Docs/Settings.md")
    static let data = Option(
        "data", takes: "DIR", "keep accounts and sessions in this folder: short for --set accounts.data=DIR")
    static let development = Option(
        "development", takes: "DIR",
        "try it out: serve an issuer of tests too, with its key and settings that trust it in this folder, which is made if need be"
    )
}

extension Command {
    static let serve = Command(
        words: ["serve"],
        summary: "Serve nonces and verdicts to backends over a local socket",
        usage: ["[OPTION]... --config FILE", "[OPTION]... --development DIR"],
        ownOptions: SettingsInput.options + [.development],
        operandCount: 0...0,
        notes: [
            SettingsCommand.precedence,
            "It stays in the foreground and tells what happens on standard error, one JSON object a line. SIGTERM and SIGINT end it "
                + "once the requests in flight are answered; a second one ends it at once. SIGHUP makes it read its settings anew.",
            "What --development serves lets whoever reaches its issuer sign in as anybody: FOR TESTS ONLY. Remove the folder to begin anew.",
        ],
        run: ServeCommand.run
    )
}

enum ServeCommand {
    static func run(_ arguments: Arguments) async throws(CommandFailure) -> Answer {
        guard let folder = try arguments.text(of: .development) else {
            return try await serve(SettingsInput(arguments), reloads: true) { _, _ in }
        }
        guard !arguments.isGiven(.config) else { throw .usage("--config and --development exclude each other") }
        let development = try Development(folder)
        let flags = try SettingsInput.flags(arguments)
        let issuer = try development.startIssuer()
        let input = SettingsInput(file: Array(development.settingsFile.utf8), flags: flags)
        let answer = try await serve(input, reloads: false) { port, hasAccounts in
            let guide = DevelopmentGuide(
                development: development, issuer: issuer.url, port: port, hasAccounts: hasAccounts)
            EventLog.say(guide.text)
        }
        await issuer.server.stop()
        return answer
    }

    private static func serve(
        _ input: SettingsInput,
        reloads: Bool,
        whenListening announce: (_ port: UInt16?, _ hasAccounts: Bool) -> Void
    ) async throws(CommandFailure) -> Answer {
        // Uncaught it would end the process; from now on it waits until the start is over.
        guard let signals = Signals.open(reloads: reloads) else {
            throw .trouble("no pipe can be made for signals: \(StandardStreams.explanation(of: errno))")
        }
        // The last lines come before what is said of a failure.
        defer { EventLog.flush() }
        FreedMemory.keep()
        let signal = try await Daemon(input).run(signals, whenListening: announce)
        let json: [(String, JSONOutput)] = [("stopped_by", .string(Signals.name(signal)))]
        return Answer(status: signal == 0 ? .trouble : .success, json: .object(json)) { _ in "" }
    }
}
