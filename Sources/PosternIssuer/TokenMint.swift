package import PosternBase
package import PosternCrypto
package import PosternJOSE

/// Makes tokens for trying things out and for tests: with a key of its own, which nobody trusts who was not told to.
package struct TokenMint: Sendable {
    package let key: MintingKey
    private let random: RandomSource

    package init(_ key: MintingKey, random: RandomSource = .system) {
        self.key = key
        self.random = random
    }

    /// A mint with a new key.
    package init(_ algorithm: Algorithm = .rs256, keyID: String? = nil) throws(CryptoError) {
        self.init(try .generate(algorithm, keyID: keyID))
    }

    /// The claims of the token that `order` describes.
    package func claims(_ order: TokenOrder) throws(CryptoError) -> TokenMembers {
        var claims = order.notification == nil ? try identity(order) : notification(order)
        for change in order.claims { claims[change.name] = change.value }
        return claims
    }

    /// The header of the token that `order` describes (RFC 7515 §4.1).
    package func header(_ order: TokenOrder) -> TokenMembers {
        var header = TokenMembers([("alg", .string(key.algorithm.name))])
        header["kid"] = key.keyID.map { .string($0) }
        header["typ"] = .string("JWT")
        for change in order.header { header[change.name] = change.value }
        return header
    }

    /// The token that `order` describes.
    package func token(_ order: TokenOrder) throws(CryptoError) -> String {
        try token(header: header(order), claims: try claims(order))
    }

    /// The compact JWS (RFC 7515 §7.1) over both, whatever they say.
    package func token(header: TokenMembers, claims: TokenMembers) throws(CryptoError) -> String {
        try key.signer.sign(header: header.bytes, payload: claims.bytes)
    }

    // MARK: - Claims

    private func identity(_ order: TokenOrder) throws(CryptoError) -> TokenMembers {
        var claims = TokenMembers([
            ("iss", issuer(order)), ("sub", subject(order)), ("aud", audience(order)),
            ("iat", .integer(order.issuedAt)), ("exp", expiry(order)),
        ])
        switch order.nonce {
        case .hashed(let raw)?:
            claims["nonce"] = .string(Hex.encode(try HashAlgorithm.sha256.digest(of: Array(raw.utf8))))
        case .plain(let value)?: claims["nonce"] = .string(value)
        case nil: break
        }
        if let accessToken = order.accessToken { claims["at_hash"] = try hash(accessToken) }
        if let code = order.code { claims["c_hash"] = try hash(code) }
        for (name, value) in order.shape.particulars(order) { claims[name] = value }
        return claims
    }

    /// As Apple sends it: the event is a string that holds JSON, its time is in milliseconds.
    private func notification(_ order: TokenOrder) -> TokenMembers {
        let type = order.notification ?? ""
        var event = TokenMembers([
            ("type", .string(type)), ("sub", subject(order)),
            ("event_time", .integer(order.issuedAt.multipliedReportingOverflow(by: 1000).partialValue)),
        ])
        if type.utf8.starts(with: "email-".utf8) {
            event["email"] = .string("abcdef1234@privaterelay.appleid.com")
            event["is_private_email"] = .string("true")
        }
        return TokenMembers([
            ("iss", issuer(order)), ("aud", audience(order)), ("iat", .integer(order.issuedAt)), ("exp", expiry(order)),
            ("jti", .string(Base64URL.encode(random.bytes(16)))), ("events", .string(event.json.text())),
        ])
    }

    private func issuer(_ order: TokenOrder) -> JSONOutput { .string(order.issuer ?? order.shape.issuer(order)) }
    private func subject(_ order: TokenOrder) -> JSONOutput { .string(order.subject ?? order.shape.subject) }

    private func audience(_ order: TokenOrder) -> JSONOutput {
        order.audiences.count == 1 ? .optional(order.audiences.first) : .strings(order.audiences)
    }

    private func expiry(_ order: TokenOrder) -> JSONOutput {
        let (expiry, overflow) = order.issuedAt.addingReportingOverflow(order.lifetime ?? order.shape.lifetime)
        return .integer(overflow ? .max : expiry)
    }

    /// The left half of the hash of `value` by the token's own algorithm (OpenID Connect Core §3.1.3.6, §3.3.2.11). The
    /// verifier has its own: what both share they could both get wrong unseen.
    private func hash(_ value: String) throws(CryptoError) -> JSONOutput {
        let digest = try key.algorithm.hash.digest(of: Array(value.utf8))
        return .string(Base64URL.encode(Array(digest.prefix(digest.count / 2))))
    }
}
