internal import PosternAccounts
internal import PosternBase
internal import PosternSQLite

extension Option {
    static let end = Option("end", takes: "SESSION", "end this one first")
    static let endAll = Option("end-all", "end all of them first")
}

extension Command {
    static let usersSessions = Command(
        words: ["users", "sessions"],
        summary: "List the sessions of an account, or end them",
        usage: ["[OPTION]... USER"],
        ownOptions: DataChoice.options + [.end, .endAll],
        operandCount: 1...1,
        notes: [
            "A session that was ended gets no next tokens and is not active any more; the access token that it has stays good until it expires "
                + "where nobody asks the daemon. With --data alone a session counts as over when the daemon wrote down that it is; with --config also "
                + "by the rules of the settings.",
            DataChoice.note,
        ],
        run: { arguments async throws(CommandFailure) in
            try await Operation.run(arguments, hasSessions: true) {
                operation, arguments async throws(CommandFailure) in
                try await UsersSessionsCommand.run(operation, arguments)
            }
        }
    )

    static let usersExport = Command(
        words: ["users", "export"],
        summary: "Print all that is kept of an account, as JSON",
        usage: ["[OPTION]... USER"],
        ownOptions: DataChoice.options,
        operandCount: 1...1,
        notes: [
            "For people who ask what is known of them. Of a password it says only that there is one. The audit trail notes that it was done.",
            DataChoice.note,
        ],
        run: { arguments async throws(CommandFailure) in
            try await Operation.run(arguments) { operation, arguments async throws(CommandFailure) in
                try await UsersExportCommand.run(operation, arguments)
            }
        }
    )
}

enum UsersSessionsCommand {
    static func run(_ operation: Operation, _ arguments: Arguments) async throws(CommandFailure) -> Answer {
        guard !arguments.isGiven(.end) || !arguments.isGiven(.endAll) else {
            throw .usage("--end and --end-all together: say one of them")
        }
        let account = try await operation.person(Operation.user(arguments)).account.id
        do throws(AccountError) {
            try await end(account, operation, arguments)
            let sessions = try await operation.accounts.sessions(of: account)
            let json = JSONOutput.object([("sessions", .array(sessions.map { PersonOutput.json($0) }))])
            return Answer(status: .success, json: json) { _ in
                sessions.isEmpty ? "no session\n" : Layout.table(sessions.map(row))
            }
        } catch {
            throw CommandFailure(error)
        }
    }

    private static func end(
        _ account: AccountID,
        _ operation: Operation,
        _ arguments: Arguments
    ) async throws(AccountError) {
        if arguments.isGiven(.endAll) {
            try await operation.accounts.endSessions(of: account, caller: Operation.caller)
        }
        guard let bytes = arguments.bytes(of: .end) else { return }
        let text = String(decoding: bytes, as: UTF8.self)
        guard let id = SessionID(text),
            try await operation.accounts.sessions(of: account).contains(where: { $0.id == id })
        else { throw .refused(AccountRefusal(.sessionUnknown, "The account has no such session, or not any more.")) }
        try await operation.accounts.end(session: id, caller: Operation.caller)
    }

    private static func row(_ session: Session) -> [String] {
        [
            "\(session.id)", Layout.plain(session.provider ?? session.method.rawValue),
            "since \(PersonOutput.time(session.createdAt))",
            "until \(PersonOutput.time(session.expiresAt))", session.maskedAddress ?? "-",
            Layout.plain(session.userAgent ?? "-"),
        ]
    }
}

enum UsersExportCommand {
    private static let page = 1_000

    static func run(_ operation: Operation, _ arguments: Arguments) async throws(CommandFailure) -> Answer {
        let person = try await operation.person(Operation.user(arguments))
        let id = person.account.id
        do throws(StoreFault) {
            let entry = AuditEntry(.accountExported, at: operation.now, account: id, caller: Operation.caller)
            try await operation.store.transact { transaction throws(StoreFault) in try transaction.append(entry) }
        } catch {
            throw CommandFailure(error)
        }
        do throws(AccountError) {
            let sessions = try await operation.accounts.keptSessions(of: id)
            let proofs = try await operation.accounts.mailedProofs(of: id)
            let trail = try await trail(of: id, operation)
            let json = JSONOutput.object([
                ("account", PersonOutput.json(person, now: operation.now)),
                ("sessions", .array(sessions.map { PersonOutput.json($0) })),
                ("mailed_proofs", .array(proofs.map { PersonOutput.json($0.proof, $0.mails) })),
                ("entries", .array(trail.map { PersonOutput.json($0.number, $0.entry) })),
            ])
            return Answer(status: .success, json: json) { _ in json.text() + "\n" }
        } catch {
            throw CommandFailure(error)
        }
    }

    private static func trail(
        of id: AccountID,
        _ operation: Operation
    ) async throws(AccountError) -> [(number: Int64, entry: AuditEntry)] {
        var all: [(number: Int64, entry: AuditEntry)] = []
        while true {
            let next = try await operation.accounts.auditTrail(of: id, before: all.last?.number, limit: page)
            all += next
            guard next.count == page else { return all }
        }
    }
}
