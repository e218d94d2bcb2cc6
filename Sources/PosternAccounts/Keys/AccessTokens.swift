internal import PosternBase
internal import PosternCrypto
internal import PosternJOSE

/// Makes and reads access tokens: ES256 JWTs of the type `at+jwt`, which no reader of identity tokens takes (RFC 9068 §2.1).
package struct AccessTokens: Sendable {
    /// What a genuine token says that has not expired.
    package struct Content: Sendable, Equatable {
        package let account: AccountID
        package let session: SessionID
        /// The refresh count of the session when it was made.
        package let counter: Int64
        package let issuedAt: Int64
        package let expiresAt: Int64
    }

    /// The lifetimes that may be set, in seconds.
    package static let lifetimeRange: ClosedRange<Int64> = 60...86_400
    static let mediaType = "at+jwt"

    private let keys: SigningKeys
    package let issuer: String
    package let audience: String
    /// Seconds.
    package let lifetime: Int64

    package init(_ keys: SigningKeys, issuer: String, audience: String, lifetime: Int64 = 3_600) {
        self.keys = keys
        self.issuer = issuer
        self.audience = audience
        self.lifetime = min(max(lifetime, Self.lifetimeRange.lowerBound), Self.lifetimeRange.upperBound)
    }

    /// A token for the session as it is now.
    func token(_ session: Session, _ account: Account, now: Int64) throws(AccountFault) -> String {
        var writer = JSONWriter(capacity: 512)
        writer.object { writer in
            writer.member("iss", issuer)
            writer.member("aud", audience)
            writer.member("sub", "\(account.id)")
            writer.member("sid", "\(session.id)")
            writer.member("rc", session.counter)
            writer.member("iat", now)
            writer.member("exp", expiry(session, now: now))
            writer.member("auth_time", session.createdAt)
            if let email = account.email {
                writer.member("email", email.text)
                writer.member("email_verified", account.emailProvenAt != nil)
            }
        }
        return try keys.sign(writer.finish(), type: Self.mediaType)
    }

    /// No token outlives its session.
    func expiry(_ session: Session, now: Int64) -> Int64 { min(now + lifetime, session.expiresAt) }

    /// What `token` says; nil unless it is ours, for our audience, and good at `now`. Whether its session still is is another
    /// question.
    func content(of token: String, now: Int64) -> Content? {
        var token = token
        return token.withUTF8(genuine).flatMap { now < $0.expiresAt ? $0 : nil }
    }

    /// Whether `token` is one that was made here, expired or not, as far as its key is still known. For messages: it says nothing of what
    /// the token is worth.
    package func isOurs(_ token: UnsafeBufferPointer<UInt8>) -> Bool { genuine(token) != nil }

    /// Whether `text` has the form of an access token of anybody's.
    package static func hasForm(_ text: String) -> Bool {
        var text = text
        var isOne = false
        text.withUTF8 { bytes in
            try? UnverifiedJWS.withParsed(bytes, maximumSize: maximumSize) { jws in isOne = hasType(jws) }
        }
        return isOne
    }

    private static let maximumSize = 8_192

    private static func hasType(_ jws: borrowing UnverifiedJWS) -> Bool {
        jws.header.type?.isSameBytes(as: mediaType) ?? false
    }

    private func genuine(_ token: UnsafeBufferPointer<UInt8>) -> Content? {
        var content: Content?
        // What has no form of a JWS is none of ours, like any other token.
        try? UnverifiedJWS.withParsed(token, maximumSize: Self.maximumSize) { jws in content = read(jws) }
        return content
    }

    private func read(_ jws: borrowing UnverifiedJWS) -> Content? {
        guard jws.header.algorithm == .es256, jws.header.criticalMember == nil, Self.hasType(jws),
            let keyID = jws.header.keyID, let key = keys.verifier(keyID),
            let verified = try? jws.verified(with: key, .es256), verified.algorithm == .es256,
            let claims = try? jws.payload.read().root,
            claims["iss"]?.stringEquals(issuer) == true, claims["aud"]?.stringEquals(audience) == true
        else { return nil }
        return Content(claims)
    }
}

extension AccessTokens.Content {
    fileprivate init?(_ claims: JSONValue) {
        guard let account = claims["sub"]?.string.flatMap({ AccountID($0) }),
            let session = claims["sid"]?.string.flatMap({ SessionID($0) }),
            let counter = claims["rc"]?.integer, let issuedAt = claims["iat"]?.integer,
            let expiresAt = claims["exp"]?.integer
        else { return nil }
        self.init(account: account, session: session, counter: counter, issuedAt: issuedAt, expiresAt: expiresAt)
    }
}
