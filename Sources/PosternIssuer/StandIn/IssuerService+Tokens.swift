internal import PosternBase
internal import PosternCrypto
internal import PosternHTTP

/// Making tokens.
extension IssuerService {
    /// A token that says what an issuer of this kind says, with the faults that are on. `change` has the last word.
    func makeToken(
        _ user: TestUser,
        audiences: [String],
        issuedAt: Int64? = nil,
        lifetime: Int64? = nil,
        email: Bool = true,
        url: String,
        change: (inout TokenOrder) -> Void
    ) throws(IssuerProblem) -> String {
        let (keys, faults) = state.withLock { ($0.keys, $0.faults) }
        let shift: Int64 = faults.contains(.futureIssue) ? 3600 : 0
        var order = TokenOrder(.apple, audiences: audiences, issuedAt: issuedAt ?? time.now() + shift)
        order.issuer = faults.contains(.wrongIssuer) ? Self.wrongIssuer : url
        order.lifetime = lifetime ?? (faults.contains(.dayTokens) ? 86_400 : IssuerSettings.tokenLifetime)
        user.describe(in: &order, email: email && !faults.contains(.noEmail))
        do throws(CryptoError) {
            let mint = TokenMint(faults.contains(.rotatedKey) ? try unpublished() : keys.current, random: random)
            if faults.contains(.stringBooleans) { Self.spellOutFlags(&order, try mint.claims(order)) }
            change(&order)
            return try mint.token(order)
        } catch {
            throw Self.failure(error)
        }
    }

    /// As Apple's tokens have had them: texts that say true or false.
    private static func spellOutFlags(_ order: inout TokenOrder, _ claims: TokenMembers) {
        for name in ["email_verified", "is_private_email", "nonce_supported"] {
            if case .bool(let flag)? = claims[name] { order.set(claim: name, .string(flag ? "true" : "false")) }
        }
    }

    /// The key that is in no set, made when it is first needed.
    private func unpublished() throws(CryptoError) -> MintingKey {
        let (key, algorithm) = state.withLock { ($0.keys.unpublished, $0.keys.current.algorithm) }
        if let key { return key }
        let new = try MintingKey.generate(algorithm)
        return state.withLock { state in
            if let other = state.keys.unpublished { return other }
            state.keys.setAside(new)
            return new
        }
    }

    // MARK: - POST /mint

    static let mintMembers = [
        "user", "subject", "audience", "nonce", "nonce_plain", "code", "access_token", "issued_at", "expires_in",
        "notification", "claims", "header", "without",
    ]

    /// What `postern mint` makes, by one request.
    func mint(_ request: ReceivedRequest, _ url: String) throws(IssuerProblem) -> HTTP.Response {
        let wish = try MintWish(try object(request, known: Self.mintMembers), clients, users)
        let token = try makeToken(
            wish.user, audiences: wish.audiences, issuedAt: wish.issuedAt, lifetime: wish.lifetime, url: url,
            change: wish.apply)
        return .make(Array(token.utf8), type: "application/jwt")
    }
}
