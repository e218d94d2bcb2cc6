package import PosternBase
internal import PosternCrypto
package import PosternTokens

/// Accounts and sessions: what can be done with them, each in one transaction of the store.
package final class Accounts: Sendable {
    /// What the operator decides.
    package struct Policy: Sendable {
        package var sessions: SessionPolicy
        package var confirmation: Confirmation
        /// Seconds that an unconfirmed sign-up is kept.
        package var signUpLifetime: Int64
        /// Tries of passwords for one address or account.
        package var attempts: AttemptRule
        /// Tries of passwords from one network address.
        package var attemptsByAddress: AttemptRule

        package init(
            sessions: SessionPolicy = SessionPolicy(),
            confirmation: Confirmation = .external,
            signUpLifetime: Int64 = 86_400,
            attempts: AttemptRule = AttemptRule(burst: 10, refill: 60),
            attemptsByAddress: AttemptRule = AttemptRule(burst: 100, refill: 6)
        ) {
            self.sessions = sessions
            self.confirmation = confirmation
            self.signUpLifetime = signUpLifetime
            self.attempts = attempts
            self.attemptsByAddress = attemptsByAddress
        }
    }

    /// What comes between a sign-up and its account.
    package enum Confirmation: String, Sendable, CaseIterable {
        /// Nothing: whoever types an address first has an account with it, and can find out which addresses have one.
        case none
        /// Somebody who knows that the mailbox is theirs says so: the backend, or an operator.
        case external
    }

    package let store: any AccountStore
    package let policy: Policy
    package let keys: SigningKeys
    package let accessTokens: AccessTokens
    /// nil where nobody signs in by password.
    package let passwords: Passwords?
    let refreshTokens: RefreshTokens
    let attemptKey: Secret<[UInt8]>
    let time: TimeSource
    private let random: RandomSource
    /// How many names were made in the present second.
    private let made = Lock<(second: Int64, number: UInt32)>((0, 0))
    private let tell: @Sendable (AuditEntry) -> Void

    /// - Parameter tell: where each line of the audit trail goes once it is durable, besides the store.
    package init(
        store: any AccountStore,
        master: MasterKeys,
        keys: SigningKeys,
        accessTokens: AccessTokens,
        passwords: Passwords?,
        policy: Policy = Policy(),
        time: TimeSource = .system,
        random: RandomSource = .system,
        tell: @escaping @Sendable (AuditEntry) -> Void = { _ in }
    ) throws(ConfigurationError) {
        self.store = store
        self.policy = policy
        self.keys = keys
        self.accessTokens = accessTokens
        self.passwords = passwords
        refreshTokens = try RefreshTokens(master)
        attemptKey = try master.derived(.attempts)[0].secret
        self.time = time
        self.random = random
        self.tell = tell
    }

    /// A new name; `now` is that of the time source, in whole seconds.
    func newIdentifier<Kind>(_ now: Int64) -> Identifier<Kind> {
        let number = made.withLock { made in
            made = made.second == now ? (now, made.number &+ 1) : (now, 0)
            return made.number
        }
        return Identifier(second: now, number: number, random: random)
    }

    /// Runs `body` in one transaction, and tells of what it noted once that is durable.
    func transact<Outcome: Sendable>(
        _ now: Int64,
        caller: String?,
        _ body: @escaping @Sendable (any StoreTransaction, Journal) throws(StoreFault) -> Outcome
    ) async throws(AccountError) -> Outcome {
        let (outcome, entries): (Outcome, [AuditEntry])
        do throws(StoreFault) {
            (outcome, entries) = try await store.transact { transaction throws(StoreFault) in
                let journal = Journal(transaction, now: now, caller: caller)
                let outcome = try body(transaction, journal)
                return (outcome, journal.entries)
            }
        } catch {
            throw .fault(.store(error))
        }
        for entry in entries { tell(entry) }
        return outcome
    }

    func read<Outcome: Sendable>(
        _ body: @escaping @Sendable (any StoreReader) throws(StoreFault) -> Outcome
    ) async throws(AccountError) -> Outcome {
        do throws(StoreFault) {
            return try await store.read(body)
        } catch {
            throw .fault(.store(error))
        }
    }

    /// Nothing is begun that could not be answered: a session that nobody is told of has used its token up.
    func requireSigner() throws(AccountError) {
        guard keys.isReady else { throw .fault(.keys("There is no key to sign access tokens with.")) }
    }

    /// The tokens of a session as it is now.
    func grant(_ account: Account, _ session: Session, now: Int64, isNew: Bool = false) throws(AccountError) -> Grant {
        do throws(AccountFault) {
            let accessToken = try accessTokens.token(session, account, now: now)
            let refreshToken: String
            do throws(VerificationFault) {
                refreshToken = try refreshTokens.token(session.id, counter: session.counter)
            } catch {
                throw .verification(error)
            }
            return Grant(
                account: account,
                session: session,
                accessToken: Secret(accessToken),
                refreshToken: Secret(refreshToken),
                accessTokenExpiresAt: accessTokens.expiry(session, now: now),
                isNewAccount: isNew
            )
        } catch {
            throw .fault(error)
        }
    }
}

extension Accounts {
    /// What comes out of a transaction that may refuse.
    enum Outcome<Value: Sendable>: Sendable {
        case done(Value)
        case refused(AccountRefusal)

        func get() throws(AccountError) -> Value {
            switch self {
            case .done(let value): return value
            case .refused(let refusal): throw .refused(refusal)
            }
        }
    }
}

/// What a person's client gets who has signed in, or whose session goes on.
package struct Grant: Sendable {
    package let account: Account
    package let session: Session
    package let accessToken: Secret<String>
    package let refreshToken: Secret<String>
    /// Seconds since 1970.
    package let accessTokenExpiresAt: Int64
    package let isNewAccount: Bool
}
