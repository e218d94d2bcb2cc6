import Glibc
import PosternAccounts
import PosternBase
import PosternPasswords
import PosternSQLite

/// Accounts as the daemon has them, on SQLite: real keys, real tokens, limits that nobody meets.
struct AccountsPlace: Sendable {
    static let issuer = "https://auth.example.com"
    /// The text of a master key's file.
    static let secret = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFG"

    let store: SQLiteStore
    let accounts: Accounts
    private let pool: HashingPool

    /// Opens the store in `folder`, or makes it.
    init(_ folder: String, hasher: any PasswordHasher = FreeHasher(), threads: Int = 1) async throws {
        store = try SQLiteStore(folder: folder, .serving)
        pool = HashingPool(try PasswordCheck(hasher), threads: threads, queue: 256)
        let master = try Self.master()
        let keys = try SigningKeys(master, plan: SigningKeyPlan(period: 30 * 86_400, accessTokenLifetime: 3_600))
        try await keys.maintain(store, now: TimeSource.system.now())
        let unlimited = AttemptRule(burst: AttemptRule.greatest, refill: 1)
        accounts = try Accounts(
            store: store, master: master, keys: keys,
            accessTokens: AccessTokens(keys, issuer: Self.issuer, audience: "authenticated"),
            passwords: Passwords(policy: PasswordPolicy(blocklist: nil), pool: pool),
            policy: Accounts.Policy(attempts: unlimited, attemptsByAddress: unlimited))
    }

    func close() async {
        await pool.end()
        await store.close()
    }

    static func master() throws -> MasterKeys { try MasterKeys([Secret(Array(secret.utf8))]) }

    static let visitor = Visitor(
        caller: "backend", userAgent: AccountsPeople.userAgent, address: NetworkAddress("192.0.2.7"))
}

/// Takes every password, and costs nothing: for what is left of a sign-in without its hash.
struct FreeHasher: PasswordHasher {
    /// Of the form and length of a real one.
    static let text =
        "$argon2id$v=19$m=19456,t=2,p=1$MDEyMzQ1Njc4OWFiY2RlZg$MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY"

    func hash(_ password: NormalizedPassword) throws(PasswordFault) -> StoredPasswordHash {
        do throws(StoredHashFault) {
            return try StoredPasswordHash(parsing: Self.text)
        } catch {
            throw PasswordFault(.library, "the hash of the bench")
        }
    }

    func verify(_ password: Password, against hash: StoredPasswordHash) throws(PasswordFault) -> Bool { true }

    func needsRehash(_ hash: StoredPasswordHash) -> Bool { false }
}
