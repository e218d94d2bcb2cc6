import PosternCrypto
import PosternJOSE
import PosternTokens

/// Whole verifications against the least that OpenSSL must do for them.
enum VerifyBench {
    static func run(rounds: Int) throws {
        for algorithm in [Algorithm.rs256, .es256, .edDSA] {
            let good = try BenchToken.good(algorithm)
            let raw = try RawVerification(good.token, good.key.publicKey)
            try Measurement(name: "verify \(algorithm.name)", ours: good.verify, limit: raw.verify).run(rounds: rounds)
        }
        try refused(rounds: rounds)
    }

    /// What a bad token costs: as much as a good one when only the signature is bad, next to nothing when it is seen before.
    private static func refused(rounds: Int) throws {
        let good = try BenchToken.good(.rs256)
        let raw = try RawVerification(good.token, good.key.publicKey)
        var forged = good.token
        let middle = forged.count - 170
        forged[middle] = forged[middle] == 0x41 ? 0x42 : 0x41
        let badSignature = { try refuse(good.verifier, forged, .signatureInvalid) }
        try Measurement(name: "refuse, bad signature", ours: badSignature, limit: raw.verify).run(rounds: rounds)
        let other = try BenchToken(.rs256, changing: [("https://appleid.apple.com", "https://id.example.com")])
        let badIssuer = { try refuse(other.verifier, other.token, .issuerMismatch) }
        try Measurement(name: "refuse, bad issuer", ours: badIssuer, limit: raw.verify).run(rounds: rounds)
    }

    private static func refuse(_ verifier: TokenVerifier, _ token: [UInt8], _ code: RefusalCode) throws {
        let found = token.withUnsafeBufferPointer { token in
            do throws(VerificationError) {
                _ = try verifier.identityNow(token, nonce: BenchToken.rawNonce)
                return VerificationError?.none
            } catch {
                return error
            }
        }
        guard case .refused(let refusal) = found, refusal.code == code else { throw RawVerification.Failed() }
    }
}
