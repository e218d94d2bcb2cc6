internal import PosternBase
internal import PosternCrypto
internal import PosternJOSE

extension Judgement {
    // MARK: - Hashes

    mutating func checkHashes(_ claims: Claims, _ algorithm: Algorithm) throws(Stop) {
        try checkHash(.accessTokenHash, "at_hash", of: request.accessToken, claims.accessTokenHash, algorithm)
        try checkHash(.codeHash, "c_hash", of: request.code, claims.codeHash, algorithm)
    }

    private mutating func checkHash(
        _ check: Check.Name,
        _ name: String,
        of value: String?,
        _ claim: String?,
        _ algorithm: Algorithm
    ) throws(Stop) {
        guard let value, enforces(check == .codeHash ? .codeHash : .accessTokenHash) else {
            recorder.note(check, .skipped, expected: nil, seen: nil)
            return
        }
        guard let claim else {
            throw refuse(check, .hashMismatch, "The token has no \(name), so nothing binds the value that came with it.")
        }
        let expected: String
        do throws(CryptoError) {
            expected = try HashClaim.value(of: value, algorithm)
        } catch {
            throw .fault(.keysUnavailable("\(name) could not be computed: \(error.reason.rawValue)."))
        }
        guard ConstantTime.equals(expected.utf8, claim.utf8) else {
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

    /// The issued nonce that is still to be redeemed, if that is the rule.
    mutating func checkNonce(_ claims: Claims, _ audience: Audience) throws(Stop) -> NonceToRedeem? {
        guard !request.isNotification, enforces(.nonce) else {
            recorder.note(.nonce, .skipped, expected: nil, seen: nil)
            return nil
        }
        let given = request.nonce.flatMap { $0.isEmpty ? nil : $0 }
        switch audience.nonce.kind {
        case .unchecked:
            guard request.nonce == nil else {
                throw refuse(
                    .nonce,
                    .nonceMismatch,
                    "A nonce was given, but the rule of this audience is unchecked: set the rule hashed or plain."
                )
            }
            recorder.note(.nonce, .skipped, expected: nil, seen: nil)
            return nil
        case .plain:
            try compareNonce(claims, audience, given, expected: given)
            return nil
        case .hashed:
            try compareNonce(claims, audience, given, expected: given.map { Nonce.sha256Hex(of: $0) })
            return nil
        case .issued:
            return try checkIssuedNonce(claims, audience, given)
        }
    }

    private mutating func compareNonce(
        _ claims: Claims,
        _ audience: Audience,
        _ given: String?,
        expected: String?
    ) throws(Stop) {
        guard let given, let expected else {
            throw refuse(
                .nonce,
                .nonceMissing,
                "The request gives no nonce, and the rule of this audience (\(audience.nonce.name)) demands one."
            )
        }
        guard let claim = claims.nonce else {
            if audience.acceptsUnsupportedNonce, claims.saysNonceUnsupported {
                recorder.note(.nonce, .skipped, expected: nil, seen: .text("nonce_supported: false"))
                return
            }
            throw refuse(
                .nonce,
                .nonceMissing,
                "The token has no nonce: the client must set it in its authorization request.",
                expected: .text(Self.shortened(expected))
            )
        }
        guard ConstantTime.equals(claim, expected.utf8) else {
            throw refuse(
                .nonce,
                .nonceMismatch,
                NonceDiagnosis.message(claim: claim, given: given, rule: audience.nonce),
                expected: .text(Self.shortened(expected)),
                seen: .text(Self.shortened(String(decoding: claim, as: UTF8.self)))
            )
        }
        // An issued nonce has not passed before it is redeemed.
        if audience.nonce != .issued { pass(.nonce, expected: .text(Self.shortened(expected))) }
    }

    private mutating func checkIssuedNonce(
        _ claims: Claims,
        _ audience: Audience,
        _ given: String?
    ) throws(Stop) -> NonceToRedeem? {
        guard let given, let nonces else {
            throw refuse(.nonce, .nonceMissing, "The request gives no nonce, and this audience takes only issued ones.")
        }
        switch nonces.examine(given, audience: audience.clientID, now: now) {
        case .unknown:
            throw refuse(
                .nonce,
                .nonceUnknown,
                "The nonce was not issued here for this audience: ask for a new one before each sign-in."
            )
        case .expired:
            throw refuse(.nonce, .nonceExpired, "The nonce has expired: ask for a new one before each sign-in.")
        case .good(let expiresAt):
            try compareNonce(claims, audience, given, expected: Nonce.sha256Hex(of: given))
            return NonceToRedeem(nonce: given, expiresAt: expiresAt)
        }
    }

    /// Enough of a nonce to compare by eye, too little to use.
    private static func shortened(_ nonce: String) -> String {
        nonce.unicodeScalars.count <= 8 ? "…" : "\(Excerpt.plain(nonce, maximumCount: 8))"
    }
}

extension Claims {
    fileprivate var saysNonceUnsupported: Bool {
        guard let flag = document.root["nonce_supported"] else { return false }
        return flag.bool == false || flag.stringEquals("false")
    }
}

/// Tells the usual mistakes with nonces apart, for the message; it never turns a refusal into anything else.
private enum NonceDiagnosis {
    static func message(claim: [UInt8], given: String, rule: NonceRule) -> String {
        let claim = String(decoding: claim, as: UTF8.self)
        let hash = Nonce.sha256Hex(of: given)
        let finding: String =
            if rule == .plain, claim.isSameBytes(as: hash) {
                "the token holds the hash of this nonce: the rule should be hashed"
            } else if rule != .plain, claim.isSameBytes(as: given) {
                "the token holds the nonce itself: the client must send its SHA-256, or the rule should be plain"
            } else if claim.isSameBytes(as: Nonce.sha256Hex(of: hash)) {
                "the nonce was hashed twice: some client libraries hash it themselves"
            } else if claim.utf8.count == 64, foldedHex(claim).isSameBytes(as: hash) {
                "the hash is in upper-case hex: it must be lower case"
            } else {
                "the token belongs to another sign-in attempt"
            }
        return "The nonce does not fit: \(finding)."
    }

    private static func foldedHex(_ text: String) -> String {
        String(decoding: text.utf8.map { (0x41...0x46).contains($0) ? $0 + 0x20 : $0 }, as: UTF8.self)
    }
}
