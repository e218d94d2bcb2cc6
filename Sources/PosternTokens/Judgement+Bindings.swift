internal import PosternBase
internal import PosternCrypto
internal import PosternJOSE

extension Judgement {
    // MARK: - Hashes

    mutating func checkHashes(
        _ request: borrowing VerificationRequest,
        _ claims: Claims,
        _ algorithm: Algorithm
    ) throws(Stop) {
        try checkHash(.accessTokenHash, "at_hash", of: request.accessToken, claims.accessTokenHash, algorithm)
        try checkHash(.codeHash, "c_hash", of: request.code, claims.codeHash, algorithm)
    }

    private mutating func checkHash(
        _ check: Check.Name,
        _ name: String,
        of value: String?,
        _ claim: @autoclosure () -> String?,
        _ algorithm: Algorithm
    ) throws(Stop) {
        guard let value, enforces(check == .codeHash ? .codeHash : .accessTokenHash) else {
            recorder.note(check, .skipped, expected: nil, seen: nil)
            return
        }
        guard let claim = claim() else {
            throw refuse(
                check,
                .hashMismatch,
                "The token has no \(name), so nothing binds the value that came with it."
            )
        }
        let expected: String
        do throws(CryptoError) {
            expected = try HashClaim.value(of: value, algorithm)
        } catch {
            throw .fault(.keysUnavailable("\(name) could not be computed: \(error.reason.rawValue)."))
        }
        guard ConstantTime.equals(Array(expected.utf8), Array(claim.utf8)) else {
            throw refuse(
                check,
                .hashMismatch,
                "The \(name) of the token belongs to another value: the token and what came with it are not of one sign-in.",
                expected: .text(expected),
                seen: .optional(claim)
            )
        }
        pass(check, expected: .text(expected), seen: .optional(claim))
    }

    // MARK: - Nonce

    /// The issued nonce that is still to be redeemed, if that is the rule of the audience at this place.
    mutating func checkNonce(_ nonce: String?, _ claims: Claims, _ audience: Int) throws(Stop) -> NonceToRedeem? {
        guard !isNotification, enforces(.nonce) else {
            recorder.note(.nonce, .skipped, expected: nil, seen: nil)
            return nil
        }
        switch core.provider.audiences[audience].nonce.kind {
        case .unchecked:
            guard nonce == nil else {
                throw refuse(
                    .nonce,
                    .nonceMismatch,
                    "A nonce was given, but the rule of this audience is unchecked: set the rule hashed or plain."
                )
            }
            recorder.note(.nonce, .skipped, expected: nil, seen: nil)
            return nil
        case .plain, .hashed:
            try compareNonce(claims, audience, nonce)
            return nil
        case .issued:
            return try checkIssuedNonce(claims, core.provider.audiences[audience], audience, nonce)
        }
    }

    /// False when the token has no nonce and may go without.
    @discardableResult
    private mutating func compareNonce(
        _ claims: Claims,
        _ audience: Int,
        _ given: String?
    ) throws(Stop) -> Bool {
        let rule = core.provider.audiences[audience].nonce
        guard let given, !given.isEmpty else {
            throw refuse(
                .nonce,
                .nonceMissing,
                "The request gives no nonce, and the rule of this audience (\(rule.name)) demands one."
            )
        }
        switch NonceComparison(claims, given, rule) {
        case .same:
            // An issued nonce has not passed before it is redeemed.
            if rule != .issued {
                pass(.nonce, expected: .text(rule.expectation(of: given)), seen: .text(rule.expectation(of: given)))
            }
            return true
        case .missing:
            if core.provider.audiences[audience].acceptsUnsupportedNonce, claims.saysNonceUnsupported {
                if rule != .issued {
                    recorder.note(.nonce, .skipped, expected: nil, seen: .text("nonce_supported: false"))
                }
                return false
            }
            throw refuse(
                .nonce,
                .nonceMissing,
                provider.traits.hasNonces
                    ? "The token has no nonce: the client must set it in its authorization request."
                    : "The token has no nonce: \(provider.name) puts none into its tokens, so the rule must be unchecked.",
                expected: .text(rule.expectation(of: given))
            )
        case .different:
            let claim = claims.nonce ?? ""
            throw refuse(
                .nonce,
                .nonceMismatch,
                NonceDiagnosis.message(claim: claim, given: given, rule: rule),
                expected: .text(rule.expectation(of: given)),
                seen: .text(NonceDiagnosis.shortened(claim))
            )
        case .failed:
            throw .fault(.keysUnavailable("The nonce could not be compared: SHA-256 is not to be had."))
        }
    }

    private mutating func checkIssuedNonce(
        _ claims: Claims,
        _ audience: Audience,
        _ place: Int,
        _ given: String?
    ) throws(Stop) -> NonceToRedeem? {
        guard let given, !given.isEmpty, let nonces = core.issuedNonces?.issuer else {
            throw refuse(.nonce, .nonceMissing, "The request gives no nonce, and this audience takes only issued ones.")
        }
        switch nonces.examine(given, audience: audience.clientID, now: now) {
        case .unknown:
            throw refuse(
                .nonce,
                .nonceUnknown,
                claims.nonce.map { $0.isSameBytes(as: given) } ?? false
                    ? "This is the hash of a nonce, as the token has it: hand in the nonce itself."
                    : "The nonce was not issued here for this audience, or before the last start: ask for a new one before "
                        + "each sign-in."
            )
        case .expired:
            throw refuse(.nonce, .nonceExpired, "The nonce has expired: ask for a new one before each sign-in.")
        case .good(let expiresAt):
            let isCompared = try compareNonce(claims, place, given)
            return NonceToRedeem(nonce: given, expiresAt: expiresAt, isCompared: isCompared)
        }
    }
}

extension Claims {
    fileprivate var saysNonceUnsupported: Bool {
        guard let flag = document.root["nonce_supported"] else { return false }
        return flag.bool == false || flag.stringEquals("false")
    }
}
