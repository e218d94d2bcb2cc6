internal import PosternAccounts
internal import PosternBase

extension Option {
    static let until = Option(
        "until", takes: "UNIX|RFC3339", "when it ends by itself: seconds since 1970, or RFC 3339 with its offset")
    static let yes = Option("yes", "it is meant: there is no way back")
}

extension Command {
    static let usersBan = change(
        "ban", "Let nobody sign in to an account, and end its sessions", [.until],
        "Sessions end at once; access tokens that backends verify by themselves stay good until they expire."
    ) { arguments throws(CommandFailure) in
        guard let text = try arguments.text(of: .until) else { return .some(.max) }
        guard let second = Timestamp.parse(text), second > TimeSource.system.now() else {
            throw .usage("--until takes a time to come, such as 2027-01-31T00:00:00Z, not \(Excerpt.word(text))")
        }
        return .some(second)
    }

    static let usersUnban = change(
        "unban", "Let an account sign in again", [],
        "Sessions that the ban has ended stay ended. An account that is not banned stays as it is."
    ) { _ throws(CommandFailure) in .some(nil) }

    private static func change(
        _ word: String,
        _ summary: String,
        _ options: [Option],
        _ note: String,
        _ until: @escaping @Sendable (Arguments) throws(CommandFailure) -> Int64??
    ) -> Command {
        Command(
            words: ["users", word],
            summary: summary,
            usage: ["[OPTION]... USER"],
            ownOptions: DataChoice.options + options,
            operandCount: 1...1,
            notes: [note, DataChoice.note],
            run: { arguments async throws(CommandFailure) in
                let bannedUntil = try until(arguments)
                return try await Operation.run(arguments) { operation, arguments async throws(CommandFailure) in
                    let person = try await operation.person(Operation.user(arguments))
                    if case .some(nil) = bannedUntil, !person.account.isBanned(at: operation.now) {
                        return UsersListCommand.answer(person, operation, words: "not banned: nothing was changed\n")
                    }
                    do throws(AccountError) {
                        let change = AccountChange(bannedUntil: bannedUntil)
                        let changed = try await operation.accounts.change(
                            person.account.id, change, caller: Operation.caller)
                        return UsersListCommand.answer(changed, operation)
                    } catch {
                        throw CommandFailure(error)
                    }
                }
            }
        )
    }

    static let usersDelete = Command(
        words: ["users", "delete"],
        summary: "Delete an account and all that belongs to it",
        usage: ["[OPTION]... --yes USER"],
        ownOptions: DataChoice.options + [.yes],
        operandCount: 1...1,
        notes: [
            "The audit trail keeps its lines, which hold no address. Tokens that bought its sessions buy no others.",
            DataChoice.note,
        ],
        run: { arguments async throws(CommandFailure) in
            guard arguments.isGiven(.yes) else { throw .usage("--yes is missing: what is deleted does not come back") }
            return try await Operation.run(arguments) { operation, arguments async throws(CommandFailure) in
                let id = try await operation.person(Operation.user(arguments)).account.id
                do throws(AccountError) {
                    try await operation.accounts.delete(account: id, caller: Operation.caller)
                } catch {
                    throw CommandFailure(error)
                }
                return Answer(status: .success, json: .object([("deleted", .string("\(id)"))])) { _ in "deleted \(id)\n"
                }
            }
        }
    )
}
