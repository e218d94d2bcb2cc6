internal import PosternAccounts
internal import PosternBase

extension Option {
    static let after = Option("after", takes: "ID", "go on after this one, the last of the page before")
    static let waiting = Option("waiting", "sign-ups that nobody has confirmed yet, instead of accounts")
}

extension Command {
    static let usersList = Command(
        words: ["users", "list"],
        summary: "List accounts, the oldest first",
        usage: ["[OPTION]..."],
        ownOptions: DataChoice.options + [.waiting, .after, .limit],
        operandCount: 0...0,
        notes: [DataChoice.note],
        run: { arguments async throws(CommandFailure) in
            try await Operation.run(arguments) { operation, arguments async throws(CommandFailure) in
                try await UsersListCommand.run(operation, arguments)
            }
        }
    )

    static let usersShow = Command(
        words: ["users", "show"],
        summary: "Show an account and its ways to sign in",
        usage: ["[OPTION]... USER"],
        ownOptions: DataChoice.options,
        operandCount: 1...1,
        notes: ["USER is the name of an account, a UUID, or its email address.", DataChoice.note],
        run: { arguments async throws(CommandFailure) in
            try await Operation.run(arguments) { operation, arguments async throws(CommandFailure) in
                UsersListCommand.answer(try await operation.person(Operation.user(arguments)), operation)
            }
        }
    )
}

enum UsersListCommand {
    static func run(_ operation: Operation, _ arguments: Arguments) async throws(CommandFailure) -> Answer {
        let limit = try arguments.limit(unlessSaid: 100)
        let after = try arguments.text(of: .after)
        guard !arguments.isGiven(.waiting) else { return try await waiting(operation, after, limit) }
        let people: [Person]
        do throws(AccountError) {
            people = try await operation.accounts.people(after: try name(after), limit: limit + 1)
        } catch {
            throw CommandFailure(error)
        }
        let shown = people.prefix(limit)
        let next = people.count > limit ? shown.last.map { "\($0.account.id)" } : nil
        let json: [(String, JSONOutput)] = [
            ("accounts", .array(shown.map { PersonOutput.json($0, now: operation.now) })), ("next", .optional(next)),
        ]
        return Answer(status: .success, json: .object(json)) { _ in
            headed(PersonOutput.headings, shown.map { PersonOutput.row($0, now: operation.now) }) + more(next)
        }
    }

    private static func waiting(
        _ operation: Operation,
        _ after: String?,
        _ limit: Int
    ) async throws(CommandFailure) -> Answer {
        let signUps: [SignUp]
        do throws(AccountError) {
            signUps = try await operation.accounts.signUps(after: try name(after), limit: limit + 1)
        } catch {
            throw CommandFailure(error)
        }
        let shown = signUps.prefix(limit)
        let next = signUps.count > limit ? shown.last.map { "\($0.id)" } : nil
        let json: [(String, JSONOutput)] = [
            ("sign_ups", .array(shown.map { PersonOutput.json($0) })), ("next", .optional(next)),
        ]
        return Answer(status: .success, json: .object(json)) { _ in
            let rows = shown.map { signUp in
                [
                    "\(signUp.id)", Layout.plain(signUp.email.text), PersonOutput.time(signUp.createdAt),
                    PersonOutput.time(signUp.expiresAt),
                ]
            }
            return headed(["SIGN-UP", "EMAIL", "CREATED", "EXPIRES"], rows) + more(next)
        }
    }

    private static func name<Kind>(_ text: String?) throws(AccountError) -> Identifier<Kind>? {
        guard let text else { return nil }
        guard let name = Identifier<Kind>(text) else {
            throw .refused(AccountRefusal(.accountUnknown, "What --after names is no UUID."))
        }
        return name
    }

    private static func headed(_ headings: [String], _ rows: [[String]]) -> String {
        rows.isEmpty ? "" : Layout.table([headings] + rows)
    }

    private static func more(_ next: String?) -> String { next.map { "there are more: --after \($0)\n" } ?? "" }

    /// `words` stand before what is shown to people.
    static func answer(_ person: Person, _ operation: Operation, words: String = "") -> Answer {
        Answer(status: .success, json: PersonOutput.json(person, now: operation.now)) { _ in
            words + PersonOutput.text(person, now: operation.now)
        }
    }
}
