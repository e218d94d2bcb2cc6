internal import PosternBase
internal import PosternJOSE

extension Command {
    static let keysShow = Command(
        words: ["keys", "show"],
        summary: "Show the usable keys of a key set, and what is skipped",
        usage: ["[OPTION]... FILE"],
        ownOptions: [],
        operandCount: 1...1,
        notes: [
            "FILE is a JWK Set, at most 1 MiB; a pipe will do, - is standard input. 'postern keys fetch' fetches one and shows "
                + "it."
        ],
        run: KeysShowCommand.run
    )
}

enum KeysShowCommand {
    static func run(_ arguments: Arguments) async throws(CommandFailure) -> Answer {
        let keys = try InputFile.keySet(arguments.operands.first ?? [])
        return answer(keys)
    }

    /// What is in `keys`, with `about` before or, in JSON, after it.
    static func answer(_ keys: KeySet, about: [(name: String, json: JSONOutput, text: String)] = []) -> Answer {
        let members = members(of: keys) + about.map { ($0.name, $0.json) }
        return Answer(status: keys.usable.isEmpty ? .keysUnavailable : .success, json: .object(members)) { style in
            Layout.lines(about.map { ($0.name, $0.text) }) + text(keys, style)
        }
    }

    // MARK: - JSON

    private static func members(of keys: KeySet) -> [(String, JSONOutput)] {
        [
            ("usable", .array(keys.usable.map(\.json))), ("skipped", .array(keys.skipped.map(\.json))),
            ("unread", .integer(Int64(keys.unreadCount))),
        ]
    }

    // MARK: - Text

    private static func text(_ keys: KeySet, _ style: Style) -> String {
        let usable = keys.usable.map { key in
            [kid(key.keyID), key.summary, key.algorithms.map(\.name).joined(separator: " "), key.thumbprint]
        }
        let skipped = keys.skipped.map { member in
            ["keys[\(member.position)]", kid(member.keyID), member.reason.rawValue, Excerpt.plain(member.detail)]
        }
        let nothing = usable.isEmpty ? style.bad("NO USABLE KEY: nothing can be verified with this set.") + "\n" : ""
        let unread = keys.unreadCount > 0 ? "Members after these, not read: \(keys.unreadCount)\n" : ""
        return alarm(keys, style) + nothing
            + section("Usable keys: \(usable.count)", ["KID", "TYPE", "ALGORITHMS", "THUMBPRINT"], usable, style)
            + section("Skipped members: \(skipped.count)", ["PLACE", "KID", "REASON", "DETAIL"], skipped, style)
            + unread
    }

    private static func kid(_ keyID: String?) -> String { keyID.map { Excerpt.plain($0) } ?? "-" }

    private static func section(_ title: String, _ head: [String], _ rows: [[String]], _ style: Style) -> String {
        "\(style.heading(title))\n" + (rows.isEmpty ? "" : Layout.table([head] + rows))
    }

    private static func alarm(_ keys: KeySet, _ style: Style) -> String {
        let leaks = keys.skipped.filter(\.reason.isAlarming).map { "keys[\($0.position)]" }
        guard !leaks.isEmpty else { return "" }
        let warning = "ALARM: this set gives secrets away (\(leaks.joined(separator: ", "))). "
        return style.bad(warning + "Whoever publishes it must replace these keys.") + "\n"
    }
}
