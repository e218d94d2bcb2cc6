internal import PosternBase
internal import PosternCrypto

/// Whether OpenSSL, as it is set up on this machine, can do what tokens need (RFC 7518 §3.1).
package enum SignatureSelfCheck {
    /// The algorithms under which a good signature is refused or a changed one let in; none where all is well.
    package static func failingAlgorithms() -> [Algorithm] { failing(KnownSignatures.signatures) }

    static func failing(_ signatures: [(algorithm: Algorithm, text: String)]) -> [Algorithm] {
        let keys = try? KeySet(KnownSignatures.keySet)
        return signatures.compactMap { algorithm, text in
            let verifier = keys?.usable.lazy.compactMap { $0.verifier(for: algorithm) }.first
            guard let verifier, let signature = Base64URL.decode(text) else { return algorithm }
            return isSound(verifier, signature) ? nil : algorithm
        }
    }

    /// The signature is let in, and neither with another bit in it nor for another message.
    private static func isSound(_ verifier: SignatureVerifier, _ signature: [UInt8]) -> Bool {
        var otherSignature = signature
        var otherMessage = KnownSignatures.message
        guard let last = otherSignature.indices.last, let end = otherMessage.indices.last else { return false }
        otherSignature[last] ^= 1
        otherMessage[end] ^= 1
        do throws(CryptoError) {
            guard try verifier.isValid(signature, for: KnownSignatures.message) else { return false }
            let takesOtherSignature = try verifier.isValid(otherSignature, for: KnownSignatures.message)
            let takesOtherMessage = try verifier.isValid(signature, for: otherMessage)
            return !takesOtherSignature && !takesOtherMessage
        } catch {
            return false
        }
    }
}
