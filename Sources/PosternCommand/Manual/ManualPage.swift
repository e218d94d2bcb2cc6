internal import Glibc
internal import PosternBase

/// The manual pages, made from the tables that the help and the settings are made from.
enum ManualPage: String, CaseIterable {
    case postern
    case settings = "postern.conf"

    var text: String {
        switch self {
        case .postern: Self.program()
        case .settings: Self.settingsFile()
        }
    }

    /// The day of the commit that a package is made from (`SOURCE_DATE_EPOCH`), or else of the version.
    private static var date: String {
        let said = getenv("SOURCE_DATE_EPOCH").flatMap { DecimalDigits.value(of: String(cString: $0)) }
        return said.flatMap { Timestamp.utc($0) }.map { String($0.prefix(10)) } ?? Program.date
    }

    // MARK: - postern(1)

    private static func program() -> String {
        var page = Roff(
            title: "POSTERN", section: 1, date: date, source: "postern \(Program.version)", manual: "User Commands")
        page.section("NAME")
        page.words("postern - verify Sign in with Apple and other identity tokens, keep accounts and sessions")
        page.section("SYNOPSIS")
        page.line(bold: "postern", "COMMAND [OPTION]... [ARGUMENT]...")
        page.section("DESCRIPTION")
        page.paragraph(String(HelpText.purpose.map { $0 == "\n" ? " " : $0 }))
        page.paragraph(
            "The daemon (postern serve) answers backends of the machine: nonces and verdicts, and, where its settings name a folder for data, "
                + "accounts and sessions, with email and password beside the providers. The commands users, audit, keys rotate, backup, restore "
                + "and migrate are for operators, and work on that folder.")
        page.section("COMMANDS")
        for command in Command.all { add(command, to: &page) }
        page.section("OPTIONS")
        for option in [Option.help, .version] { add(option, to: &page) }
        page.section("EXIT STATUS")
        for status in ExitStatus.allCases { page.item("\(status.rawValue)", [status.meaning]) }
        page.section("FILES")
        page.item("$XDG_CACHE_HOME/postern, ~/.cache/postern", ["copies of fetched key sets"])
        page.section("SEE ALSO")
        page.words("postern.conf(5)")
        return page.text
    }

    private static func add(_ command: Command, to page: inout Roff) {
        page.subsection("postern \(command.name)")
        for usage in command.usage { page.line(bold: "postern \(command.name)", usage) }
        page.paragraph(command.summary + ".")
        for option in command.options where option.name != Option.help.name { add(option, to: &page) }
        for note in command.notes { page.paragraph(note) }
    }

    private static func add(_ option: Option, to page: inout Roff) {
        let value = option.value.map { " \($0)" } ?? ""
        page.item("--\(option.name)\(value)", [option.meaning + (option.isRepeatable ? " (repeatable)" : "")])
    }

    // MARK: - postern.conf(5)

    private static func settingsFile() -> String {
        var page = Roff(
            title: "POSTERN.CONF", section: 5, date: date, source: "postern \(Program.version)", manual: "File Formats")
        page.section("NAME")
        page.words("postern.conf - settings of the daemon of postern")
        page.section("DESCRIPTION")
        for note in Command.settings.notes { page.paragraph(note) }
        page.section("SETTINGS")
        for setting in Setting.all {
            var words = ["\(setting.formWords); unless said: \(setting.standard)", setting.meaning]
            if setting.isSettable { words.append("variable: \(setting.variable)") }
            if let isReloaded = setting.isReloaded {
                words.append("a change counts from the next \(isReloaded ? "reload" : "start") on")
            }
            page.item(setting.path, words)
        }
        page.section("SIGNALS")
        page.item(
            "SIGHUP",
            [
                "reads the settings anew; when anything is wrong with them, those of before count on and the log says what it is"
            ])
        page.section("FILES")
        page.item("/etc/postern/postern.conf", ["the settings that the unit of the Debian package names (--config)"])
        page.section("EXAMPLES")
        page.paragraph(
            "The least for Sign in with Apple, under the units of the Debian package, where postern.socket opens the socket:"
        )
        page.example(Self.example(listener: #""inherited": 0, "doors": ["native", "operations"]"#))
        page.paragraph("The same where the daemon opens its socket itself:")
        page.example(Self.example(listener: #""unix": "/run/postern/postern.sock""#))
        page.section("SEE ALSO")
        page.words("postern(1), and /usr/share/doc/postern/Settings.md.gz")
        return page.text
    }

    private static func example(listener: String) -> [String] {
        [
            "{",
            #"  "providers": ["#,
            #"    { "provider": "apple", "audiences": [{ "client_id": "com.example.app", "nonce": "issued" }] }"#,
            "  ],",
            #"  "listeners": [{ \#(listener) }]"#,
            "}",
        ]
    }
}
