internal import PosternBase
internal import PosternCrypto
package import PosternTokens

extension Accounts {
    /// A session for an identity token (one token, one session), or the same once more for an identical retry.
    ///
    /// - Parameters:
    ///   - verifier: that of the token's provider.
    ///   - linkTo: an access token of ours, when the identity is to be linked to the account of its session.
    package func exchange(
        _ token: String,
        nonce: String?,
        audience: String?,
        linkTo: String? = nil,
        verifier: TokenVerifier,
        visitor: Visitor
    ) async throws(AccountError) -> Grant {
        try requireSigner()
        let verified: ExchangeableToken
        do throws(VerificationError) {
            verified = try await verifier.exchangeable(token, VerificationRequest(nonce: nonce, audience: audience))
        } catch {
            throw AccountError(error)
        }
        let now = time.now()
        let target = try target(linkTo, now: now)
        let exchange = TokenExchange(
            token: verified,
            request: try Self.name(of: [verified.identity.audience, nonce ?? "", target.map { "\($0.account)" } ?? ""]),
            linkTo: target,
            newAccount: newIdentifier(now),
            opening: opening(.identityToken, provider: verified.identity.provider, visitor, now: now),
            now: now
        )
        let outcome = try await transact(now, caller: visitor.caller) { transaction, journal throws(StoreFault) in
            try exchange.run(transaction, journal)
        }
        switch outcome {
        case .granted(let account, let session, let isNew): return try grant(account, session, now: now, isNew: isNew)
        case .refused(let refusal): throw .refused(refusal)
        case .tokenRefused(let refusal): throw .tokenRefused(refusal)
        }
    }

    func opening(_ method: Session.Method, provider: String?, _ visitor: Visitor, now: Int64) -> SessionOpening {
        SessionOpening(
            id: newIdentifier(now), method: method, provider: provider, visitor: visitor, policy: policy.sessions,
            now: now)
    }

    private func target(_ linkTo: String?, now: Int64) throws(AccountError) -> AccessTokens.Content? {
        guard let linkTo else { return nil }
        guard let content = accessTokens.content(of: linkTo, now: now) else { throw .refused(.sessionToLinkEnded) }
        return content
    }

    private static func name(of texts: [String]) throws(AccountError) -> [UInt8] {
        do throws(CryptoError) {
            return try HashAlgorithm.sha256.digest(ofEach: texts.map { Array($0.utf8) })
        } catch {
            throw .fault(.keys("SHA-256 is not to be had: \(error.reason.rawValue)."))
        }
    }
}

extension AccountError {
    init(_ error: VerificationError) {
        switch error {
        case .refused(let refusal): self = .tokenRefused(refusal)
        case .fault(let fault): self = .fault(.verification(fault))
        }
    }
}
