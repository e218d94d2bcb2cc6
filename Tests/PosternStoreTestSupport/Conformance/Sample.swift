import PosternAccounts
import PosternBase
import PosternTokens

/// Values for stores, the usual and the odd.
enum Sample {
    /// A name with these two first bytes; the rest is fixed.
    static func name<Kind>(_ first: UInt8, _ second: UInt8 = 0) -> Identifier<Kind> {
        Identifier(
            milliseconds: Int64(first) << 40 | Int64(second) << 32,
            random: RandomSource { [UInt8](repeating: 0, count: $0) }
        )
    }

    /// 32 bytes, as SHA-256 gives; they end with zeros.
    static func digest(_ first: UInt8) -> [UInt8] { [first, 0, 0xFF] + [UInt8](repeating: 0, count: 29) }

    /// Texts that are easily taken for one another, cut off or changed.
    static let texts = [
        "", "a", "a\u{0}b", "a\u{0}", "\u{E9}", "e\u{301}", "\u{212B}", "\u{C5}", "A\u{30A}", " a ", "NULL", "'; --",
        "\"\\",
        "\u{FFFD}", "\u{10FFFF}", "\u{FEFF}a", "\r\n", "1", "1.0", "0x1", "%_",
        String(repeating: "\u{20AC}", count: 85),
    ]

    /// The greatest time and count that a store has to take.
    static let greatest: Int64 = 1 << 53 - 1
    static let times: [Int64] = [0, 1, 2, 1 << 32, 1 << 41, greatest]

    /// An object of 4,096 bytes, and both forms of one letter.
    static let objects = [
        "{}", #"{"n":"\#u{E9}"}"#, #"{"n":"e\#u{301}"}"#, #"{"a":"\u0000"}"#,
        #"{"a":""# + String(repeating: "x", count: 4_088) + #""}"#,
    ]

    static func account(_ id: UInt8, email: String? = nil, at time: Int64 = 1_000) throws -> Account {
        Account(id: name(id), email: try email.map { try EmailAddress($0) }, createdAt: time)
    }

    static func password(_ id: UInt8, _ hash: String = "$argon2id$") -> StoredPassword {
        StoredPassword(account: name(id), hash: Secret(hash), changedAt: 1_000)
    }

    static func key(_ subject: String, provider: String = "apple", issuer: String = "https://a.example") -> IdentityKey
    {
        IdentityKey(provider: provider, issuer: issuer, subject: Subject(Array(subject.utf8)))
    }

    static func identity(_ key: IdentityKey, of account: UInt8, at time: Int64 = 1_000) -> Identity {
        Identity(
            key: key, account: name(account), email: nil, isEmailVerified: false, isPrivateRelay: false,
            createdAt: time,
            lastSignInAt: time)
    }

    static func session(_ id: UInt8, of account: UInt8, expiresAt: Int64 = 2_000) -> Session {
        Session(id: name(id), account: name(account), method: .password, createdAt: 1_000, expiresAt: expiresAt)
    }

    static func signUp(_ id: UInt8, _ email: String, expiresAt: Int64 = 2_000) throws -> SignUp {
        SignUp(
            id: name(id), email: try EmailAddress(email), passwordHash: Secret("$argon2id$"), userData: "{}",
            createdAt: 1_000 + Int64(id), expiresAt: expiresAt)
    }

    static func proof(
        _ first: UInt8,
        _ second: UInt8 = 0,
        of owner: MailedProof.Owner,
        email: String = "a@example.org",
        expiresAt: Int64 = 2_000,
        usedAt: Int64? = nil
    ) throws -> MailedProof {
        MailedProof(
            id: name(first, second), purpose: .verify, owner: owner, email: try EmailAddress(email), createdAt: 1_000,
            expiresAt: expiresAt, wrongCodes: 1, usedAt: usedAt)
    }

    static func mail(
        _ id: UInt8,
        of proof: MailedProof,
        nextAttemptAt: Int64 = 1_000,
        expiresAt: Int64 = 2_000
    ) -> OutboxMail {
        OutboxMail(
            id: name(id), proof: proof.id, purpose: proof.purpose, email: proof.email, createdAt: 1_000,
            nextAttemptAt: nextAttemptAt, tries: 1, expiresAt: expiresAt)
    }

    static func token(_ first: UInt8, session: UInt8 = 1, expiresAt: Int64 = 2_000) -> RememberedToken {
        RememberedToken(
            name: digest(first), session: name(session), request: digest(first &+ 1), usedAt: 1_000,
            expiresAt: expiresAt)
    }

    static func attempts(_ first: UInt8, taken: Int64 = 1_000, expiresAt: Int64 = 2_000) -> AttemptCount {
        AttemptCount(name: digest(first), taken: taken, countedAt: 1_000, expiresAt: expiresAt)
    }
}
