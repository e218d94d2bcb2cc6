internal import Glibc
internal import PosternAccounts
internal import PosternBase
internal import PosternPasswords
internal import PosternSQLite
internal import PosternTokens

/// What an operator does to accounts, over the store itself.
struct Operation: Sendable {
    typealias Body = @Sendable (Operation, Arguments) async throws(CommandFailure) -> Answer

    /// What the audit trail calls whoever runs a command.
    static let caller = "command uid:\(geteuid())"

    let store: SQLiteStore
    let accounts: Accounts
    let now: Int64

    /// Opens the store that the arguments choose, and closes it again whatever comes. What is refused is an answer.
    static func run(
        _ arguments: Arguments,
        hasPasswords: Bool = false,
        hasSessions: Bool = false,
        _ body: @escaping Body
    ) async throws(CommandFailure) -> Answer {
        let choice = try DataChoice(arguments)
        let passwords = hasPasswords ? try choice.passwords() : nil
        let sessions = hasSessions ? try choice.sessions() : .asWritten
        let store = try choice.open()
        let answer: Result<Answer, CommandFailure>
        do throws(CommandFailure) {
            answer = .success(try await body(try Operation(store, passwords, sessions), arguments))
        } catch {
            answer = .failure(error)
        }
        await store.close()
        await passwords?.pool.end()
        switch answer {
        case .success(let answer): return answer
        case .failure(let failure):
            guard let code = failure.code else { throw failure }
            let json = JSONOutput.object([("code", .string(code)), ("message", .string(failure.message))])
            return Answer(status: .refused, json: json) { _ in "\(failure.message) (\(code))\n" }
        }
    }

    /// Nothing is made here that a master key is needed for, so one that ends with the command will do.
    private init(_ store: SQLiteStore, _ passwords: Passwords?, _ sessions: SessionPolicy) throws(CommandFailure) {
        self.store = store
        now = TimeSource.system.now()
        do throws(ConfigurationError) {
            let master = try MasterKeys([Secret(RandomSource.system.bytes(32))])
            let keys = try SigningKeys(master, plan: SigningKeyPlan(period: 86_400, accessTokenLifetime: 3_600))
            accounts = try Accounts(
                store: store, master: master, keys: keys,
                accessTokens: AccessTokens(keys, issuer: "", audience: ""), passwords: passwords,
                policy: Accounts.Policy(sessions: sessions))
        } catch {
            throw .trouble(error.message)
        }
    }

    // MARK: - Who is meant

    /// The account of a name or an address.
    func person(_ text: String) async throws(CommandFailure) -> Person {
        do throws(AccountError) {
            if let id = AccountID(text) { return try await accounts.person(id) }
            return try await accounts.person(email: Self.email(text))
        } catch {
            if case .refused(let refusal) = error, refusal.code == .accountUnknown, AccountID(text) == nil,
                text.utf8.contains(0x40)
            {
                throw .refused(
                    .accountUnknown,
                    "No account has this address now. Where it has lost or changed it, its name, a UUID, still works "
                        + "('postern users list').")
            }
            throw CommandFailure(error)
        }
    }

    private static func email(_ text: String) throws(AccountError) -> EmailAddress {
        do throws(EmailAddress.Mistake) {
            return try EmailAddress(text)
        } catch {
            throw .refused(
                AccountRefusal(
                    .accountUnknown,
                    "This is neither the name of an account, a UUID, nor an email address: \(error.rawValue)."))
        }
    }

    static func address(_ text: String) throws(CommandFailure) -> EmailAddress {
        do throws(EmailAddress.Mistake) {
            return try EmailAddress(text)
        } catch {
            throw .usage("this is no email address: \(error.rawValue)")
        }
    }

    /// The one operand that names somebody.
    static func user(_ arguments: Arguments) throws(CommandFailure) -> String {
        try arguments.text(ofOperand: 0, called: "USER")
    }
}

extension Arguments {
    /// What `--limit` says.
    func limit(unlessSaid standard: Int) throws(CommandFailure) -> Int {
        guard let text = try text(of: .limit) else { return standard }
        guard let number = DecimalDigits.value(of: text), (1...10_000).contains(number) else {
            throw .usage("--limit takes a number from 1 to 10000, not \(Excerpt.word(text))")
        }
        return Int(clamping: number)
    }
}

extension Option {
    static let limit = Option("limit", takes: "N", "how many at most: 1 to 10000, 100 unless said")
}
