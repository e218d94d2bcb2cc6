import PosternAccounts
import PosternBase
import PosternStoreTestSupport

extension Defect {
    static let changeDefects = [
        Defect(
            "an account is replaced by deleting it",
            foundBy: "what belongs to an account stays when the account is replaced", transaction: { Replacing($0) }),
        Defect(
            "an account pushes out another with its address",
            foundBy: "two accounts cannot have one address, in whatever case",
            transaction: { Replacing($0) }),
        Defect(
            "a session without account is passed over", foundBy: "nothing belongs to an account that is not there",
            transaction: { Lenient($0) }),
        Defect(
            "a nonce is used again", foundBy: "a nonce cannot be used twice, whatever its expiry",
            transaction: { Lenient($0) }),
        Defect(
            "a token is remembered again", foundBy: "a token cannot be remembered twice, and the first use stays",
            transaction: { Lenient($0) }),
        Defect(
            "an account takes the sign-ups of its address along",
            foundBy: "a deleted account takes its password, identities and sessions along, and nothing else",
            transaction: { Greedy($0) }),
        Defect(
            "no session is spared", foundBy: "a session is deleted alone, with all others, or with all",
            transaction: { Greedy($0) }),
        Defect(
            "sign-ups are deleted by the address as it was written",
            foundBy: "an address has any number of sign-ups, from the oldest, whether there is an account or not",
            transaction: { Idle($0) }),
        Defect(
            "an identity does not move",
            foundBy: "every field of an identity comes back as it was put, and is replaced",
            transaction: { Idle($0) }),
        Defect(
            "a purge comes a second early",
            foundBy: "a purge deletes what has expired, to the second, and nothing else",
            transaction: { Purging($0, now: { $0 == .max ? $0 : $0 + 1 }) }),
        Defect(
            "a purge comes a second late", foundBy: "a purge deletes what has expired, to the second, and nothing else",
            transaction: { Purging($0, now: { $0 == .min ? $0 : $0 - 1 }) }),
        Defect(
            "a purge takes the entries of the second",
            foundBy: "a purge deletes audit entries of before a second, whatever their order",
            transaction: { Purging($0, since: { $0 == .max ? $0 : $0 + 1 }) }),
        Defect(
            "a purge goes beyond its limit", foundBy: "a purge deletes no more than its limit, and says how many",
            transaction: { Purging($0, limit: { $0 == .max ? $0 : $0 + 1 }) }),
        Defect(
            "a purge with a limit below zero has none",
            foundBy: "a purge deletes no more than its limit, and says how many",
            transaction: { Purging($0, limit: { $0 < 0 ? .max : $0 }) }),
    ]
}

private final class Replacing: ForwardingTransaction {
    let transaction: any StoreTransaction
    init(_ transaction: any StoreTransaction) { self.transaction = transaction }

    func put(_ account: Account) throws(StoreFault) {
        try transaction.delete(account: account.id)
        if let email = account.email, let other = try transaction.account(email: email) {
            try transaction.delete(account: other.id)
        }
        try transaction.put(account)
    }
}

/// Passes over in silence what it ought to refuse.
private final class Lenient: ForwardingTransaction {
    let transaction: any StoreTransaction
    init(_ transaction: any StoreTransaction) { self.transaction = transaction }

    func put(_ session: Session) throws(StoreFault) {
        if try transaction.account(session.account) != nil { try transaction.put(session) }
    }

    func use(nonce name: [UInt8], expiresAt: Int64) throws(StoreFault) {
        if try !transaction.isUsed(nonce: name) { try transaction.use(nonce: name, expiresAt: expiresAt) }
    }

    func remember(_ token: RememberedToken) throws(StoreFault) {
        if try transaction.rememberedToken(token.name) == nil { try transaction.remember(token) }
    }
}

private final class Greedy: ForwardingTransaction {
    let transaction: any StoreTransaction
    init(_ transaction: any StoreTransaction) { self.transaction = transaction }

    func delete(account: AccountID) throws(StoreFault) {
        if let email = try transaction.account(account)?.email { try transaction.delete(signUpsFor: email) }
        try transaction.delete(account: account)
    }

    @discardableResult
    func delete(sessionsOf account: AccountID, except session: SessionID?) throws(StoreFault) -> Int {
        try transaction.delete(sessionsOf: account, except: nil)
    }
}

/// Does less than it ought to.
private final class Idle: ForwardingTransaction {
    let transaction: any StoreTransaction
    init(_ transaction: any StoreTransaction) { self.transaction = transaction }

    func delete(signUpsFor email: EmailAddress) throws(StoreFault) {
        for signUp in try transaction.signUps(email: email) where signUp.email.text == email.text {
            try transaction.delete(signUp: signUp.id)
        }
    }

    func put(_ identity: Identity) throws(StoreFault) {
        var identity = identity
        identity.account = try transaction.identity(identity.key)?.account ?? identity.account
        try transaction.put(identity)
    }
}

private final class Purging: ForwardingTransaction {
    let transaction: any StoreTransaction
    private let now: (Int64) -> Int64
    private let since: (Int64) -> Int64
    private let limit: (Int) -> Int

    init(
        _ transaction: any StoreTransaction,
        now: @escaping (Int64) -> Int64 = { $0 },
        since: @escaping (Int64) -> Int64 = { $0 },
        limit: @escaping (Int) -> Int = { $0 }
    ) {
        self.transaction = transaction
        self.now = now
        self.since = since
        self.limit = limit
    }

    func purge(now: Int64, auditSince: Int64, limit: Int) throws(StoreFault) -> Int {
        try transaction.purge(now: self.now(now), auditSince: since(auditSince), limit: self.limit(limit))
    }
}
