package import PosternBase

/// What a token is to say. What is left nil is chosen so that the token is a good one of its shape.
package struct TokenOrder: Sendable {
    /// The nonce of the sign-in, and how the token holds it.
    package enum Nonce: Sendable {
        /// As lower-case hex SHA-256 of the raw nonce, the custom of apps on Apple's systems.
        case hashed(String)
        /// As it is.
        case plain(String)
    }

    package var shape: TokenShape
    package var issuer: String?
    /// One is written as a string, several as an array.
    package var audiences: [String]
    package var subject: String?
    /// Microsoft's `tid`, also in the issuer.
    package var tenant: String?
    package var nonce: Nonce?
    /// The authorization code that `c_hash` is to vouch for.
    package var code: String?
    /// The access token that `at_hash` is to vouch for.
    package var accessToken: String?
    /// Seconds since 1970.
    package var issuedAt: Int64
    /// Seconds from then to `exp`.
    package var lifetime: Int64?
    /// The type of event, such as `consent-revoked`: the token is then a server notification of Apple.
    package var notification: String?
    /// Claims to set, or to leave out where nil; the last word.
    package var claims: [(name: String, value: JSONOutput?)] = []
    /// The same for members of the header.
    package var header: [(name: String, value: JSONOutput?)] = []

    package init(_ shape: TokenShape = .apple, audiences: [String], issuedAt: Int64) {
        self.shape = shape
        self.audiences = audiences
        self.issuedAt = issuedAt
    }

    package mutating func set(claim name: String, _ value: JSONOutput?) { claims.append((name, value)) }
    package mutating func set(header name: String, _ value: JSONOutput?) { header.append((name, value)) }
}
