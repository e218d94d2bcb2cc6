internal import PosternBase

/// How the nonce of a token is checked; one rule for each audience, never two at once.
public struct NonceRule: Sendable, Hashable {
    enum Kind: String, Sendable { case issued, hashed, plain, unchecked }

    let kind: Kind

    /// The word for the rule in settings.
    public var name: String { kind.rawValue }

    /// The nonce is one that our `NonceIssuer` made: good once, until it expires. The claim is its lower-case hex SHA-256.
    public static let issued = NonceRule(kind: .issued)
    /// The client made a raw nonce; the claim is its lower-case hex SHA-256, as apps on Apple's systems do by convention.
    public static let hashed = NonceRule(kind: .hashed)
    /// The claim is the nonce itself. No protection against replay unless the caller keeps track of its nonces.
    public static let plain = NonceRule(kind: .plain)
    /// The nonce is not looked at, for client libraries that hide it. No protection against replay.
    public static let unchecked = NonceRule(kind: .unchecked)

    /// The rule called `name` (`issued`, `hashed`, `plain`, `unchecked`).
    public init?(named name: String) {
        let kinds: [Kind] = [.issued, .hashed, .plain, .unchecked]
        guard let kind = kinds.first(where: { $0.rawValue.isSameBytes(as: name) }) else { return nil }
        self.kind = kind
    }

    private init(kind: Kind) { self.kind = kind }
}

/// A client of ours whose tokens are accepted: the client ID that stands in `aud`, and how its nonces are checked.
public struct Audience: Sendable {
    /// Compared byte for byte.
    public let clientID: String
    /// How its nonces are checked.
    public let nonce: NonceRule
    /// Whether a token without `nonce` passes when it says `nonce_supported: false` (some old Apple clients).
    public let acceptsUnsupportedNonce: Bool
    /// Whether a token buys one session and no other.
    package let isSingleUse: Bool

    /// A client of ours; `nonce` is never guessed, since the client side decides it.
    public init(_ clientID: String, nonce: NonceRule, acceptsUnsupportedNonce: Bool = false) {
        self.init(clientID, nonce: nonce, acceptsUnsupportedNonce: acceptsUnsupportedNonce, isSingleUse: true)
    }

    package init(_ clientID: String, nonce: NonceRule, acceptsUnsupportedNonce: Bool, isSingleUse: Bool) {
        self.clientID = clientID
        self.nonce = nonce
        self.acceptsUnsupportedNonce = acceptsUnsupportedNonce
        self.isSingleUse = isSingleUse
    }
}

extension Audience {
    /// An app, by its client ID: for Apple the bundle ID. Apple's own sample code hashes the nonce (`.hashed`).
    ///
    /// - Parameter acceptsUnsupportedNonce: whether a token without `nonce` passes when it says `nonce_supported: false`.
    public static func app(
        _ clientID: String,
        nonce: NonceRule,
        acceptsUnsupportedNonce: Bool = false
    ) -> Audience {
        Audience(clientID, nonce: nonce, acceptsUnsupportedNonce: acceptsUnsupportedNonce)
    }

    /// A website, by its client ID: for Apple the Services ID. Pages mostly send the nonce as it is (`.plain`).
    public static func web(_ clientID: String, nonce: NonceRule) -> Audience {
        Audience(clientID, nonce: nonce)
    }
}
