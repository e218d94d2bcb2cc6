internal import PosternBase

extension Command {
    static let settings = Command(
        words: ["settings"],
        summary: "List the settings of the daemon",
        usage: ["[OPTION]..."],
        ownOptions: [],
        operandCount: 0...0,
        notes: [
            "They stand in one file of JSON, in which comments (// to the end of the line) and a comma after the last value are "
                + "allowed: 'postern serve --config FILE' reads it."
        ],
        run: SettingsCommand.run
    )
}

enum SettingsCommand {
    static func run(_ arguments: Arguments) async throws(CommandFailure) -> Answer {
        Answer(status: .success, json: .object([("settings", .array(Setting.all.map(json)))])) { style in
            Setting.all.map { text($0, style) }.joined()
        }
    }

    private static func json(_ setting: Setting) -> JSONOutput {
        .object([
            ("setting", .string(setting.path)),
            ("form", .string(setting.formWords)),
            ("default", .string(setting.standard)),
            ("meaning", .string(setting.meaning)),
        ])
    }

    private static func text(_ setting: Setting, _ style: Style) -> String {
        let words = [setting.formWords, setting.standard].joined(separator: "; ")
        return "\(style.heading(setting.path))  (\(words))\n    \(setting.meaning)\n"
    }
}
