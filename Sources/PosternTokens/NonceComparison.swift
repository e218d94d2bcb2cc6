internal import PosternBase
internal import PosternCrypto

/// Whether the nonce of a token is the one of the request, found out in constant time.
enum NonceComparison {
    case same, different, missing
    /// The library failed; nothing is known.
    case failed

    init(_ claims: Claims, _ given: String, _ rule: NonceRule) {
        var result = NonceComparison.missing
        var given = given
        given.withUTF8 { given in
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
        nonce.unicodeScalars.count < 32 ? "…" : Excerpt.plain(nonce, maximumCount: 8)
    }

    static func message(claim: String, given: String, rule: NonceRule) -> String {
        let hash = Nonce.sha256Hex(of: given)
        let finding: String =
            if rule == .plain, claim.isSameBytes(as: hash) {
                "the token holds the hash of this nonce: the rule should be hashed"
            } else if rule != .plain, claim.isSameBytes(as: given), Hex.decode(given)?.count == 32 {
                "the hash was given in place of the raw nonce that it was made from"
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
