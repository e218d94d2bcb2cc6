import Glibc
import PosternAccounts
import PosternBase
import PosternSQLite
import PosternTokens

/// Accounts with a password, an identity and a session each, as they come about in a month: the newest lie together, and addresses and
/// subjects lie anywhere. Whose is what follows from a number.
struct AccountsPeople: Sendable {
    static let provider = "oidc"
    static let providerIssuer = "https://id.example.com/ap"
    static let userAgent =
        "Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 Version/18.5 Mobile"
    /// How often each session was refreshed.
    static let counter: Int64 = 5
    private static let batch = 1_000

    let count: Int
    private let hash: String
    private let now = TimeSource.system.now()

    /// - Parameter hash: of everybody's password.
    init(count: Int, hash: String = FreeHasher.text) {
        self.count = max(count, 1)
        self.hash = hash
    }

    // MARK: - Who they are

    func email(_ number: Int) throws -> EmailAddress {
        try EmailAddress("\(Self.hex(number, 1)).person@mail.example.org")
    }

    func subject(_ number: Int) -> String { "001234.\(Self.hex(number, 2))\(Self.hex(number, 3)).0123" }

    func session(_ number: Int) -> SessionID { id(number, 4) }

    private func id<Kind>(_ number: Int, _ purpose: UInt64) -> Identifier<Kind> {
        let (one, two) = (Self.mixed(number, purpose), Self.mixed(number, purpose + 100))
        return Identifier(
            milliseconds: createdAt(number) * 1_000,
            random: RandomSource { count in
                (0..<count).map { UInt8(truncatingIfNeeded: ($0 < 8 ? one : two) >> UInt64($0 % 8 * 8)) }
            })
    }

    /// So many of them, nobody twice before all have come.
    func order(_ length: Int, seed: Int) -> [Int] {
        let first = Int(Self.mixed(seed, 7) % UInt64(count))
        // The step is a prime, so it leads to everybody.
        return (0..<length).map { (first + $0 * 7_919) % count }
    }

    private func createdAt(_ number: Int) -> Int64 {
        now - 30 * 86_400 + Int64(Double(number) / Double(count) * 29 * 86_400)
    }

    /// In the last hour.
    private func refreshedAt(_ number: Int) -> Int64 { now - Int64(Self.mixed(number, 5) % 3_600) }

    /// The same at all times, and without any order (the finalizer of SplitMix64).
    static func mixed(_ number: Int, _ purpose: UInt64) -> UInt64 {
        var value = UInt64(truncatingIfNeeded: number) &+ purpose &* 0x9E37_79B9_7F4A_7C15
        value = (value ^ (value >> 30)) &* 0xBF58_476D_1CE4_E5B9
        value = (value ^ (value >> 27)) &* 0x94D0_49BB_1331_11EB
        return value ^ (value >> 31)
    }

    private static func hex(_ number: Int, _ purpose: UInt64) -> String {
        let text = String(mixed(number, purpose), radix: 16)
        return String(repeating: "0", count: 16 - text.utf8.count) + text
    }

    // MARK: - In a store

    /// Tells each tenth of many.
    func fill(_ folder: String) async throws {
        let store = try SQLiteStore(folder: folder, .serving)
        let begin = HTTPLoad.now()
        for start in stride(from: 0, to: count, by: Self.batch) {
            let end = min(start + Self.batch, count)
            try await store.transact { transaction throws(StoreFault) in
                for number in start..<end { try put(number, transaction) }
            }
            let tenth = count / 10
            if count >= 100_000, end / tenth > start / tenth {
                Self.tell("\(end) of \(count) accounts made in \(Int(HTTPLoad.now() - begin)) s\n")
            }
        }
        await store.close()
    }

    private static func tell(_ text: String) {
        let bytes = Array(text.utf8)
        _ = write(STDERR_FILENO, bytes, bytes.count)
    }

    private func put(_ number: Int, _ transaction: any StoreTransaction) throws(StoreFault) {
        let created = createdAt(number)
        let account = Account(
            id: id(number, 6), email: try? email(number), emailProvenAt: created,
            userData: #"{"name":"Somebody with a usual name","locale":"en"}"#, createdAt: created)
        try transaction.put(account)
        try transaction.put(StoredPassword(account: account.id, hash: Secret(hash), changedAt: created))
        let key = IdentityKey(
            provider: Self.provider, issuer: Self.providerIssuer, subject: Subject(Array(subject(number).utf8)))
        try transaction.put(
            Identity(
                key: key, account: account.id, email: account.email?.text, isEmailVerified: true,
                isPrivateRelay: false, createdAt: created, lastSignInAt: created))
        let refreshed = refreshedAt(number)
        try transaction.put(
            Session(
                id: session(number), account: account.id, method: .identityToken, provider: Self.provider,
                createdAt: created, counter: Self.counter, rotatedAt: refreshed, isSeen: true,
                expiresAt: refreshed + SessionPolicy().inactivity, userAgent: Self.userAgent,
                maskedAddress: "192.0.2.0/24"))
    }
}
