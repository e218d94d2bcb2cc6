extension TokenVerifier {
    /// Verifies an identity token and the nonce of its sign-in; throws `VerificationError` unless it is to be accepted.
    ///
    /// - Parameters:
    ///   - token: the compact JWS (RFC 7515 §7.1) as the client handed it in.
    ///   - nonce: the raw nonce of the sign-in; the audience's rule says how the token holds it.
    ///   - audience: accept only this one of the provider's audiences.
    ///   - code: the authorization code that came with the token; `c_hash` must vouch for it.
    ///   - accessToken: the access token that came with the token; `at_hash` must vouch for it.
    public func verify(
        _ token: String,
        nonce: String,
        audience: String? = nil,
        code: String? = nil,
        accessToken: String? = nil
    ) async throws(VerificationError) -> VerifiedIdentity {
        try await identity(
            token,
            VerificationRequest(nonce: nonce, audience: audience, code: code, accessToken: accessToken)
        )
    }

    /// Verifies an identity token without looking at its nonce, which the audience's rule `.unchecked` must allow.
    public func verify(
        _ token: String,
        nonce: OmittedNonce,
        audience: String? = nil,
        code: String? = nil,
        accessToken: String? = nil
    ) async throws(VerificationError) -> VerifiedIdentity {
        try await identity(
            token,
            VerificationRequest(nonce: nil, audience: audience, code: code, accessToken: accessToken)
        )
    }

    /// Like `verify`, but answers with every check that was made, and throws only when no verdict can be reached.
    ///
    /// - Parameter consumesNonce: false leaves an issued nonce good for another time.
    public func check(
        _ token: String,
        nonce: String,
        audience: String? = nil,
        code: String? = nil,
        accessToken: String? = nil,
        consumesNonce: Bool = true
    ) async throws(VerificationFault) -> Verdict {
        try await verdict(
            token,
            VerificationRequest(
                nonce: nonce,
                audience: audience,
                code: code,
                accessToken: accessToken,
                consumesNonce: consumesNonce
            )
        )
    }

    /// Like `verify` without a nonce, but answers with every check that was made.
    public func check(
        _ token: String,
        nonce: OmittedNonce,
        audience: String? = nil,
        code: String? = nil,
        accessToken: String? = nil
    ) async throws(VerificationFault) -> Verdict {
        try await verdict(
            token,
            VerificationRequest(nonce: nil, audience: audience, code: code, accessToken: accessToken)
        )
    }

    /// Verifies a server-to-server notification of Apple; throws `VerificationError` unless it is to be accepted.
    ///
    /// An identity token is refused here, as a notification is everywhere else.
    ///
    /// - Parameter audience: accept only this one of the provider's audiences.
    public func verifyNotification(
        _ token: String,
        audience: String? = nil
    ) async throws(VerificationError) -> VerifiedNotification {
        try await notification(token, audience: audience)
    }

    /// Like `verifyNotification`, but answers with every check that was made, and throws only when no verdict can be
    /// reached.
    public func checkNotification(
        _ token: String,
        audience: String? = nil
    ) async throws(VerificationFault) -> NotificationVerdict {
        try await notificationVerdict(token, audience: audience)
    }
}
