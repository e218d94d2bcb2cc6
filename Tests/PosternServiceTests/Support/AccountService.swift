import Foundation
import PosternAccounts
import PosternBase
import PosternCrypto
import PosternHTTP
import PosternPasswords
import PosternService
import PosternStoreTestSupport
import PosternTestSupport
import PosternTokens

/// A clock that the test sets.
final class TestClock: Sendable {
    private let seconds = Lock(TestService.now)

    var source: TimeSource { TimeSource { self.seconds.withLock { $0 } } }

    func advance(_ span: Int64) { seconds.withLock { $0 += span } }
}

/// A store that can be told to do nothing any more.
final class FaultyStore: AccountStore {
    let store = MemoryStore(runs: .twice)
    private let fault = Lock(StoreFault?.none)

    func fail(_ reason: StoreFault.Reason?) {
        fault.withLock { $0 = reason.map { StoreFault($0, "The store is told to fail.") } }
    }

    func transact<Outcome: Sendable>(
        _ body: @escaping @Sendable (any StoreTransaction) throws(StoreFault) -> Outcome
    ) async throws(StoreFault) -> Outcome {
        if let fault = fault.withLock({ $0 }) { throw fault }
        return try await store.transact(body)
    }

    func read<Outcome: Sendable>(
        _ body: @escaping @Sendable (any StoreReader) throws(StoreFault) -> Outcome
    ) async throws(StoreFault) -> Outcome {
        if let fault = fault.withLock({ $0 }) { throw fault }
        return try await store.read(body)
    }
}

/// A service with accounts in memory.
struct AccountService {
    static let issuer = "https://id.example.org"
    static let email = "ana@example.org"
    static let password = "four words of mine"
    static let appleSubject = "001234.0123456789abcdef0123456789abcdef.0123"

    let http: TestService
    let accounts: Accounts
    let store: FaultyStore
    let clock: TestClock
    let metrics: ServiceMetrics

    struct Options {
        var confirmation = Accounts.Confirmation.none
        var attempts = AttemptRule(burst: 1_000, refill: 1)
        var hasPasswords = true
        var hasKeys = true
        var pool: HashingPool?
        var sessions = SessionPolicy()
        var listeners = [ListenerRules(doors: [.native, .auth, .operations])]
        var keys = APIKeys()
        var limit: CallerLimiter.Rate?
        var log: RequestLog?
        var storesNonces = false
        var tell: @Sendable (AuditEntry) -> Void = { _ in }
    }

    private static let pool = Result { HashingPool(try PasswordCheck(CheapHasher()), threads: 2, queue: 256) }

    init(_ options: Options = Options()) async throws {
        store = FaultyStore()
        clock = TestClock()
        metrics = ServiceMetrics()
        let master = try MasterKeys([Secret([UInt8](repeating: 7, count: 32))])
        let plan = SigningKeyPlan(period: 90 * 86_400, accessTokenLifetime: 3_600)
        let keys = try SigningKeys(master, plan: plan)
        if options.hasKeys { try await keys.maintain(store, now: TestService.now) }
        let pool = try options.pool ?? Self.pool.get()
        accounts = try Accounts(
            store: store,
            master: master,
            keys: keys,
            accessTokens: AccessTokens(keys, issuer: Self.issuer, audience: "shop"),
            passwords: options.hasPasswords ? Passwords(policy: PasswordPolicy(blocklist: nil), pool: pool) : nil,
            policy: Accounts.Policy(
                sessions: options.sessions, confirmation: options.confirmation, attempts: options.attempts),
            time: clock.source,
            tell: options.tell
        )
        let nonces =
            options.storesNonces
            ? IssuedNonces(
                try master.nonceIssuer(lifetime: 600), store: StoredNonces(store), time: .fixed(TestService.now))
            : try IssuedNonces(capacity: 100, time: .fixed(TestService.now))
        http = TestService(
            try Service(
                providers: [
                    try TestService.apple(nonces: nonces),
                    try TestService.oidc("https://staff.example.org", name: "staff", nonces: nonces),
                ],
                nonces: nonces, accounts: accounts, listeners: options.listeners, keys: options.keys,
                limit: options.limit, metrics: metrics, log: options.log, time: clock.source))
    }

    /// The same with one thing changed.
    static func with(_ change: (inout Options) -> Void) async throws -> AccountService {
        var options = Options()
        change(&options)
        return try await AccountService(options)
    }

    // MARK: - Requests

    func send(_ method: String, _ path: String, query: String? = nil, _ members: [String: Any]) async throws
        -> TestReply
    {
        let body = try JSONSerialization.data(withJSONObject: members)
        return try await http.send(method, path, query: query, String(decoding: body, as: UTF8.self))
    }

    func send(_ method: String, _ path: String, query: String? = nil) async throws -> TestReply {
        try await http.send(method, path, query: query, "", fields: [])
    }

    func form(_ path: String, _ body: String) async throws -> TestReply {
        try await http.send("POST", path, body, fields: [("Content-Type", "application/x-www-form-urlencoded")])
    }

    /// An account, by its name.
    func signUp(_ email: String = email, _ password: String = password) async throws -> String {
        try await send("POST", "/v1/accounts", ["email": email, "password": password]).text("id") ?? ""
    }

    func signIn(_ email: String = email, _ password: String = password) async throws -> TestReply {
        try await send("POST", "/v1/sessions", ["email": email, "password": password])
    }

    /// A session for a token of Apple's; each subject is another person.
    func signInWithApple(
        _ subject: String = appleSubject,
        nonce: String = TestToken.rawNonce,
        with members: [String: Any] = [:]
    ) async throws -> TestReply {
        try await send("POST", "/v1/sessions", Self.apple(subject, nonce: nonce).merging(members) { $1 })
    }

    static func apple(_ subject: String = appleSubject, nonce: String = TestToken.rawNonce) throws -> [String: Any] {
        let token = TestToken().with("sub", .string(subject)).with("nonce", .string(Nonce.sha256Hex(of: nonce)))
        return ["token": try token.signed(), "nonce": nonce]
    }

    func refresh(_ token: String?) async throws -> TestReply {
        try await send("POST", "/v1/sessions/refresh", ["refresh_token": token ?? ""])
    }
}

extension TestReply {
    func object(_ name: String) -> [String: Any] { json[name] as? [String: Any] ?? [:] }
    func list(_ name: String) -> [[String: Any]] { json[name] as? [[String: Any]] ?? [] }
    var sessionID: String { object("session")["id"] as? String ?? "" }
    var accountID: String { object("account")["id"] as? String ?? "" }
}
