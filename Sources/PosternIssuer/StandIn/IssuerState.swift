internal import PosternBase

/// What the issuer remembers. All of it is gone with the process.
struct IssuerState: Sendable {
    /// `http://127.0.0.1:PORT`; nil before the port is known.
    var url: String?
    var keys: KeyRing
    var faults: Set<IssuerFault>
    var slowSeconds: Int64
    /// Sign-ins that wait for somebody to press a button.
    var requests = ExpiringStore<AuthorizationRequest>(capacity: 1000, lifetime: 1800)
    /// Apple's codes live five minutes.
    var codes = ExpiringStore<Grant>(capacity: 1000, lifetime: 300)
    var refreshTokens = ExpiringStore<Grant>(capacity: 1000, lifetime: 86_400)
    /// Client and user of every sign-in so far: names are told the first time only.
    var met: Set<[UInt8]> = []

    init(_ settings: IssuerSettings) {
        keys = KeyRing(settings.key)
        faults = settings.faults
        slowSeconds = settings.slowSeconds
    }

    /// Whether this user has never signed in to this client.
    mutating func meets(_ user: TestUser, _ clientID: String) -> Bool {
        met.insert(Array("\(clientID)\n\(user.id)".utf8)).inserted
    }
}

/// What a code stands for.
struct Grant: Sendable {
    let user: TestUser
    let clientID: String
    let redirectURI: String
    let nonce: String?
    let hasEmail: Bool
    /// The S256 challenge of RFC 7636, if the app sent one.
    let challenge: String?
    /// When a button was pressed.
    let time: Int64
    /// A code is good once; who shows it again ends what came of it (RFC 6749 §4.1.2).
    var isSpent = false
    var refreshToken: String?
}
