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
                + "allowed: 'postern serve --config FILE' reads it.",
            SettingsCommand.precedence,
        ],
        run: SettingsCommand.run
    )
}

enum SettingsCommand {
    static let precedence =
        "Flags (--set) count over variables, variables over the file, the file over what counts otherwise. The variable of "
        + "limits.connections is POSTERN_LIMITS_CONNECTIONS, and so on; arrays are said whole, as JSON. POSTERN_CONFIG names the file "
        + "in place of --config. A variable that begins with POSTERN_ and is none of a setting refuses the start."

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
            ("variable", .optional(setting.isSettable ? setting.variable : nil)),
            ("change", .string(setting.changeWords)),
            ("meaning", .string(setting.meaning)),
        ])
    }

    private static func text(_ setting: Setting, _ style: Style) -> String {
        let change = setting.isReloaded.map { $0 ? "SIGHUP reloads it" : "counts from the next start on" }
        let words = [setting.formWords, setting.standard, change].compactMap { $0 }.joined(separator: "; ")
        return "\(style.heading(setting.path))  (\(words))\n    \(setting.meaning)\n"
    }
}
