internal import PosternBase

extension Option {
    static let effective = Option(
        "effective", "the settings that count, and where each of them comes from; hashes of keys are masked")
    static let initial = Option("init", "a commented file to start from, with FILL IN where your values belong")
}

extension Command {
    static let config = Command(
        words: ["config"],
        summary: "Print the settings that count, or a file to start from",
        usage: ["[OPTION]... --effective [--config FILE]", "[OPTION]... --init"],
        ownOptions: [.effective, .initial] + SettingsInput.options,
        operandCount: 0...0,
        notes: [
            "What --effective prints is a file of settings itself, but for what is masked.", SettingsCommand.precedence,
        ],
        run: ConfigCommand.run
    )
}

enum ConfigCommand {
    static func run(_ arguments: Arguments) async throws(CommandFailure) -> Answer {
        switch (arguments.isGiven(.effective), arguments.isGiven(.initial)) {
        case (true, false):
            let settings = try SettingsInput(arguments).settings(isService: false)
            // What would not be served is not printed either: a proxy with a password is found out here.
            let faults = SettingsFaults()
            Serving.check(settings, faults)
            guard faults.isEmpty else { throw faults.failure }
            return effective(settings)
        case (false, true):
            guard !SettingsInput.options.contains(where: arguments.isGiven) else {
                throw .usage("--init takes no settings: it prints a file to start from")
            }
            return .file("postern.conf", InitialSettings.text)
        case (true, true): throw .usage("--effective and --init exclude each other")
        case (false, false): throw .usage("say --effective or --init")
        }
    }

    private static func effective(_ settings: ServeSettings) -> Answer {
        let effective = EffectiveSettings(settings)
        return Answer(status: .success, json: .object([("settings", .array(effective.list))])) { _ in effective.text }
    }
}
