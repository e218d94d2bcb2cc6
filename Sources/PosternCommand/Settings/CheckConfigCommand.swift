internal import Glibc
internal import PosternBase

extension Command {
    static let checkConfig = Command(
        words: ["check-config"],
        summary: "Say what is wrong with settings of the daemon",
        usage: ["[OPTION]... [--config FILE]"],
        ownOptions: SettingsInput.options,
        operandCount: 0...0,
        notes: [
            "It reads settings as 'postern serve' would, with the files that they name, looks at the data folder without making it, opens no "
                + "socket and fetches nothing. The exit "
                + "status is 0 when nothing is wrong with them, 1 when something is, 2 when there is nothing to look at. "
                + "Run it as the user who runs the daemon, such as by 'runuser -u postern --': who may read a file, and whose it may be, is "
                + "part of what is checked. "
                + "'postern doctor' looks at folders, sockets, ports, keys and limits of the system besides.",
            SettingsCommand.precedence,
        ],
        run: CheckConfigCommand.run
    )
}

enum CheckConfigCommand {
    private static let good = "the settings are good; 'postern doctor' looks at what a start needs besides\n"

    /// Who may read a file and whose it may be is asked for the user who asks.
    private static func rootWarning(_ user: uid_t) -> String? {
        guard user == 0 else { return nil }
        return
            "this runs as root, who may do what the daemon's user may not, and takes what is that user's for a "
            + "stranger's: if the daemon is not root's, run it as its user: runuser -u postern -- postern check-config …"
    }

    static func run(_ arguments: Arguments) async throws(CommandFailure) -> Answer {
        let input = try SettingsInput(arguments)
        let faults = SettingsFaults()
        let settings = try input.settings(isService: false, faults)
        if let settings {
            Serving.check(settings, faults)
            SocketOwnership.check(settings, faults)
            SocketFolder.check(settings, faults)
            DataPlace.check(settings, faults)
        }
        let unread = settings?.unread ?? []
        let warnings = [
            rootWarning(geteuid()), settings.flatMap(DataPlace.warning), settings.flatMap(DescriptorLimit.warning),
        ].compactMap { $0 }
        let found = faults.inOrder
        let json: [(String, JSONOutput)] = [
            ("valid", .bool(found.isEmpty)), ("faults", .array(found.map(\.json))),
            ("not_checked", .strings(unread)), ("warnings", .strings(warnings)),
        ]
        return Answer(status: found.isEmpty ? .success : .refused, json: .object(json)) { _ in
            let notes = unread.map { "\($0): not checked, only the service can read it\n" }
            let faults = found.map { $0.text + "\n" }
            let doubts = warnings.map { "warning: \($0)\n" }
            return (notes + doubts + (faults.isEmpty ? [good] : faults)).joined()
        }
    }
}
