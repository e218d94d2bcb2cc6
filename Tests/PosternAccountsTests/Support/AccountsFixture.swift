import Glibc
import PosternAccounts
import PosternBase
import PosternPasswords
import PosternStoreTestSupport
import PosternTestSupport
import PosternTokens
import Testing

/// Accounts on a store of any kind, with a clock that the test moves, a hasher that costs nothing, and identity providers of its own.
final class AccountsFixture: Sendable {
    let clock = MovableClock(TestToken.issuedAt)
    let hasher = HookedHasher()
    let policy: Accounts.Policy
    /// Every token, nonce, password and address that was ever made here: none of them may be told.
    let secrets = Lock<Set<String>>([])
    /// What may be in the store and nowhere else.
    let addresses = Lock<Set<String>>([])
    let random = RandomSource.seeded(1)
    private let place: StorePlace
    private let state: Lock<Opened>
    private let told = Lock<[AuditEntry]>([])

    /// What is made anew when the process starts anew.
    struct Opened: Sendable {
        let store: any AccountStore
        let failing: FailingStore
        let counting: CountingStore
        let accounts: Accounts
        let nonces: IssuedNonces
    }

    static let master = [Secret([UInt8](repeating: 7, count: 32))]
    static let issuer = "https://accounts.example"

    init(_ kind: TestedStore, _ policy: Accounts.Policy, hasPasswords: Bool = true) async throws {
        self.policy = policy
        place = try kind.place()
        let opened = try await Self.open(
            place, policy, hasher: hasPasswords ? hasher : nil, clock, random, Self.master, told)
        state = Lock(opened)
    }

    var accounts: Accounts { state.withLock { $0.accounts } }
    var nonces: IssuedNonces { state.withLock { $0.nonces } }
    var counting: CountingStore { state.withLock { $0.counting } }
    var failing: FailingStore { state.withLock { $0.failing } }
    /// Without what counts and fails.
    var store: any AccountStore { state.withLock { $0.store } }

    /// Ends the store and everything above it, and begins anew at the same place.
    func restart(master: [Secret<[UInt8]>] = AccountsFixture.master, policy: Accounts.Policy? = nil) async throws {
        try await place.close(store)
        let opened = try await Self.open(place, policy ?? self.policy, hasher: hasher, clock, random, master, told)
        state.withLock { $0 = opened }
    }

    private static func open(
        _ place: StorePlace,
        _ policy: Accounts.Policy,
        hasher: HookedHasher?,
        _ clock: MovableClock,
        _ random: RandomSource,
        _ secrets: [Secret<[UInt8]>],
        _ told: Lock<[AuditEntry]>
    ) async throws -> Opened {
        let store = try await place.open()
        let failing = FailingStore(store)
        let counting = CountingStore(failing)
        let master = try MasterKeys(secrets)
        let keys = try SigningKeys(
            master, plan: SigningKeyPlan(period: 30 * 86_400, accessTokenLifetime: 3_600), random: random)
        try await keys.maintain(counting, now: clock.now)
        let accounts = try Accounts(
            store: counting,
            master: master,
            keys: keys,
            accessTokens: AccessTokens(keys, issuer: issuer, audience: "app"),
            passwords: try hasher.map { hasher in
                Passwords(
                    policy: PasswordPolicy(blocklist: nil),
                    pool: HashingPool(try PasswordCheck(hasher, random: random), threads: 2, queue: 256))
            },
            policy: policy,
            time: clock.source,
            random: random,
            tell: { entry in told.withLock { $0.append(entry) } }
        )
        let nonces = IssuedNonces(
            try master.nonceIssuer(lifetime: 600), store: StoredNonces(counting), time: clock.source)
        _ = counting.takeCounts()
        return Opened(store: store, failing: failing, counting: counting, accounts: accounts, nonces: nonces)
    }

    func end() async throws {
        try await place.close(store)
        try await place.remove()
    }

    // MARK: - What was told

    /// The lines that went to the log.
    var toldLines: [String] { told.withLock { $0.map(\.record) } }

    /// Neither the log nor the audit trail holds a secret or an address, and the store none of the secrets.
    func expectDiscretion() async throws {
        let stored = try await failing.content().joined(separator: "\n")
        let trail = try await accounts.auditTrail(of: nil, before: nil, limit: 100_000).map(\.entry.record)
        let told = (toldLines + trail).joined(separator: "\n")
        let secrets = secrets.withLock { $0.filter { $0.utf8.count >= 8 } }
        // `strstr` for its speed: there are many of them, and records are of plain ASCII.
        for text in secrets.union(addresses.withLock { $0 }) { #expect(strstr(told, text) == nil, "told: \(text)") }
        for secret in secrets { #expect(strstr(stored, secret) == nil, "stored: \(secret)") }
    }
}

/// Runs a test over accounts on a new store; whatever it does, nothing of it may be told to the log.
func withAccounts(
    _ kind: TestedStore,
    _ policy: Accounts.Policy = Accounts.Policy(),
    hasPasswords: Bool = true,
    _ body: (AccountsFixture) async throws -> Void
) async throws {
    let fixture = try await AccountsFixture(kind, policy, hasPasswords: hasPasswords)
    do {
        try await body(fixture)
        try await fixture.expectDiscretion()
    } catch {
        try? await fixture.end()
        throw error
    }
    try await fixture.end()
}
