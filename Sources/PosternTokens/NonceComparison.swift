internal import PosternBase
internal import PosternCrypto

/// Whether the nonce of a token is the one of the request, found out in constant time.
enum NonceComparison {
    case same, different, missing
    /// The library failed; nothing is known.
    case failed

    init(_ claims: Claims, _ given: String, _ rule: NonceRule) {
        var result = NonceComparison.missing
        given.utf8Span.span.withUnsafeBufferPointer { given in
            claims.withNonce { claim in
                guard let claim else { return }
                result = rule == .plain ? Self.compare(claim, given) : Self.compareHash(claim, given)
            }
        }
        self = result
    }

    private static func compare(
        _ claim: UnsafeBufferPointer<UInt8>,
        _ expected: UnsafeBufferPointer<UInt8>
    ) -> NonceComparison {
        ConstantTime.equals(claim, expected) ? .same : .different
    }

    /// The claim is the lower-case hex of the hash of what was given.
    private static func compareHash(
        _ claim: UnsafeBufferPointer<UInt8>,
        _ given: UnsafeBufferPointer<UInt8>
    ) -> NonceComparison {
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 96) { scratch in
            let digest = UnsafeMutableBufferPointer(rebasing: scratch[..<32])
            let hex = UnsafeMutableBufferPointer(rebasing: scratch[32...])
            guard HashAlgorithm.sha256.write(digestOf: given, to: digest) else { return .failed }
            Hex.encode(UnsafeBufferPointer(digest), into: hex)
            return compare(claim, UnsafeBufferPointer(rebasing: hex[..<64]))
        }
    }
}

extension NonceRule {
    /// What the claim should have been, shortened.
    func expectation(of given: String) -> String {
        NonceDiagnosis.shortened(self == .plain ? given : Nonce.sha256Hex(of: given))
    }
}

/// Tells the usual mistakes with nonces apart, for the message; it never turns a refusal into anything else.
enum NonceDiagnosis {
    /// Enough of a nonce to compare by eye, too little to use.
    static func shortened(_ nonce: String) -> String {
        nonce.unicodeScalars.count < 32 ? "(not shown)" : Excerpt.plain(nonce, maximumCount: 8)
    }

    static func message(claim: String, given: String, rule: NonceRule) -> String {
        guard rule == .plain else {
            let finding = NonceFinding(raw: given, hex: claim)
            return "The nonce does not fit: \(finding.explanation(of: "the nonce of the token"))."
        }
        return NonceFinding(raw: given, hex: claim) == .match
            ? "The nonce does not fit: the token holds the hash of this nonce, so the rule should be hashed."
            : "The nonce does not fit: the token belongs to another sign-in attempt."
    }
}
