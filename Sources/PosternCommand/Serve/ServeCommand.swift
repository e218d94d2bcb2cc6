internal import PosternBase

extension Option {
    static let config = Option(
        "config", takes: "FILE", "the settings, as the documentation lists them in Docs/Settings.md")
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
        ownOptions: [.config, .development],
        operandCount: 0...0,
        notes: [
            "It stays in the foreground and tells what happens on standard error, one JSON object a line. SIGTERM and SIGINT end it "
                + "once the requests in flight are answered; a second one ends it at once.",
            "What --development serves lets whoever reaches its issuer sign in as anybody: FOR TESTS ONLY. Remove the folder to begin anew.",
        ],
        run: ServeCommand.run
    )
}

enum ServeCommand {
    static func run(_ arguments: Arguments) async throws(CommandFailure) -> Answer {
        let config = arguments.bytes(of: .config)
        let folder = try arguments.text(of: .development)
        switch (config, folder) {
        case (let config?, nil): return try await serve(config) { _ in }
        case (nil, let folder?):
            let development = try Development(folder)
            let issuer = try development.startIssuer()
            let answer = try await serve(Array(development.settingsFile.utf8)) { port in
                EventLog.say(development.guide(issuer: issuer.url, port: port))
            }
            await issuer.server.stop()
            return answer
        case (_?, _?): throw .usage("--config and --development exclude each other")
        case (nil, nil): throw .usage("--config is missing: name the file with the settings")
        }
    }

    private static func serve(
        _ config: [UInt8],
        whenListening announce: (_ port: UInt16?) -> Void
    ) async throws(CommandFailure) -> Answer {
        // The last lines come before what is said of a failure.
        defer { EventLog.flush() }
        let daemon = try Daemon(SettingsFile.read(config))
        let signal = try await daemon.run(whenListening: announce)
        let json: [(String, JSONOutput)] = [("stopped_by", .string(Signals.name(signal)))]
        return Answer(status: signal == 0 ? .trouble : .success, json: .object(json)) { _ in "" }
    }
}
