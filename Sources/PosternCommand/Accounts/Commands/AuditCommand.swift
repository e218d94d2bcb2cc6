internal import PosternAccounts
internal import PosternBase

extension Option {
    static let user = Option("user", takes: "USER", "of this account alone: its name, a UUID, or its email address")
    static let before = Option("before", takes: "NUMBER", "go on before this line, the last of the page before")
}

extension Command {
    static let audit = Command(
        words: ["audit"],
        summary: "Show the audit trail, the newest line first",
        usage: ["[OPTION]..."],
        ownOptions: DataChoice.options + [.user, .before, .limit],
        operandCount: 0...0,
        notes: [
            "What each event means is listed by 'postern events'; no line holds an address, a password or a token.",
            DataChoice.note,
        ],
        run: { arguments async throws(CommandFailure) in
            try await Operation.run(arguments) { operation, arguments async throws(CommandFailure) in
                try await AuditCommand.run(operation, arguments)
            }
        }
    )
}

enum AuditCommand {
    static func run(_ operation: Operation, _ arguments: Arguments) async throws(CommandFailure) -> Answer {
        let limit = try arguments.limit(unlessSaid: 100)
        let before = try number(arguments)
        var account: AccountID?
        // The trail of who was deleted can still be asked for by name.
        if let text = try arguments.text(of: .user) {
            if let id = AccountID(text) { account = id } else { account = try await operation.person(text).account.id }
        }
        let lines: [(number: Int64, entry: AuditEntry)]
        do throws(AccountError) {
            lines = try await operation.accounts.auditTrail(of: account, before: before, limit: limit + 1)
        } catch {
            throw CommandFailure(error)
        }
        let shown = Array(lines.prefix(limit))
        let next = lines.count > limit ? shown.last?.number : nil
        let json = JSONOutput.object([
            ("entries", .array(shown.map { PersonOutput.json($0.number, $0.entry) })), ("next", .optional(next)),
        ])
        return Answer(status: .success, json: json) { _ in
            let more = next.map { "there are more: --before \($0)\n" } ?? ""
            return Layout.table(shown.map { row($0.number, $0.entry) }) + more
        }
    }

    private static func row(_ number: Int64, _ entry: AuditEntry) -> [String] {
        [
            "\(number)", PersonOutput.time(entry.at), entry.event.rawValue, entry.account.map { "\($0)" } ?? "-",
            Layout.plain(entry.caller ?? "-"), Layout.plain(entry.detail ?? ""),
        ]
    }

    private static func number(_ arguments: Arguments) throws(CommandFailure) -> Int64? {
        guard let text = try arguments.text(of: .before) else { return nil }
        guard let number = DecimalDigits.value(of: text) else {
            throw .usage("--before takes the number of a line, not \(Excerpt.word(text))")
        }
        return number
    }
}
