/// One device on which somebody is signed in.
package struct Session: Sendable, Equatable {
    /// How the person signed in.
    package enum Method: String, Sendable, CaseIterable {
        case password
        case identityToken = "id_token"
    }

    package let id: SessionID
    package let account: AccountID
    package let method: Method
    /// The provider of the identity that it began with; nil with a password.
    package let provider: String?
    package let createdAt: Int64
    /// How often it was refreshed; the refresh token with this count is the one that counts.
    package var counter: Int64
    /// When the count last rose, in seconds since 1970.
    package var rotatedAt: Int64
    /// Whether anything of the present generation has come back: the client has got it then.
    package var isSeen: Bool
    /// It is over at this second: the end of its time-box, or of what it may be idle.
    package var expiresAt: Int64
    /// What the client calls itself, at most 256 bytes.
    package var userAgent: String?
    /// The client's address without its last part: `192.0.2.0/24`, `2001:db8:1::/48`.
    package var maskedAddress: String?

    package init(
        id: SessionID,
        account: AccountID,
        method: Method,
        provider: String? = nil,
        createdAt: Int64,
        counter: Int64 = 0,
        rotatedAt: Int64? = nil,
        isSeen: Bool = false,
        expiresAt: Int64,
        userAgent: String? = nil,
        maskedAddress: String? = nil
    ) {
        self.id = id
        self.account = account
        self.method = method
        self.provider = provider
        self.createdAt = createdAt
        self.counter = counter
        self.rotatedAt = rotatedAt ?? createdAt
        self.isSeen = isSeen
        self.expiresAt = expiresAt
        self.userAgent = userAgent
        self.maskedAddress = maskedAddress
    }
}

/// A token that bought a session, so that it buys no other.
package struct RememberedToken: Sendable, Equatable {
    /// SHA-256 over the issuer and the signing input: header and payload as received, since a signature may have other forms.
    package let name: [UInt8]
    package let session: SessionID
    /// SHA-256 over what else an identical retry repeats: audience, raw nonce, account to be linked.
    package let request: [UInt8]
    package let usedAt: Int64
    /// Nobody accepts the token any more after this second.
    package let expiresAt: Int64

    package init(name: [UInt8], session: SessionID, request: [UInt8], usedAt: Int64, expiresAt: Int64) {
        self.name = name
        self.session = session
        self.request = request
        self.usedAt = usedAt
        self.expiresAt = expiresAt
    }
}
