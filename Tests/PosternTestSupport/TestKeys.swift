package import PosternCrypto
package import PosternJOSE

/// Keys made once for a test run: making an RSA key takes longer than most tests.
package enum TestKeys {
    package static let rsa = Result { try PrivateKey.generateRSA(bits: 2048) }
    package static let otherRSA = Result { try PrivateKey.generateRSA(bits: 2048) }
    package static let p256 = Result { try PrivateKey.generateEC(.p256) }
    package static let ed25519 = Result { try PrivateKey.generateEd25519() }

    /// A key set of one RS256 key named `kid`, and what signs for it.
    package static func rs256(_ keyID: String = "test-key") throws -> (signer: SigningKey, keys: KeySet) {
        let key = try rsa.get()
        let verification = try VerificationKey(key.publicKey, keyID: keyID, declaredAlgorithm: .rs256)
        return (try SigningKey(key, .rs256, keyID: keyID), KeySet(keys: [verification]))
    }
}
