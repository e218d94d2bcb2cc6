package import PosternBase
package import PosternCrypto
package import PosternJOSE

/// A key that mints: a private key, what it signs with, and how it is called.
package struct MintingKey: Sendable {
    package let algorithm: Algorithm
    /// nil for a key without a name.
    package let keyID: String?
    private let key: PrivateKey
    let signer: SigningKey

    /// A key called `keyID`; one that is not named is called by its thumbprint (RFC 7638), an empty name is none.
    package init(_ key: PrivateKey, _ algorithm: Algorithm, keyID: String? = nil) throws(CryptoError) {
        let name = if let keyID { keyID } else { try Thumbprint.sha256(of: key.publicKey) }
        self.key = key
        self.algorithm = algorithm
        self.keyID = name.isEmpty ? nil : name
        signer = try SigningKey(key, algorithm, keyID: self.keyID)
    }

    /// A new key; RSA keys have 2048 bits.
    package static func generate(_ algorithm: Algorithm, keyID: String? = nil) throws(CryptoError) -> MintingKey {
        let key: PrivateKey =
            switch algorithm {
            case .es256: try .generateEC(.p256)
            case .es384: try .generateEC(.p384)
            case .es512: try .generateEC(.p521)
            case .edDSA: try .generateEd25519()
            default: try .generateRSA(bits: 2048)
            }
        return try MintingKey(key, algorithm, keyID: keyID)
    }

    /// A key that `pem` wrote, or any other unencrypted private key in PEM.
    ///
    /// - Parameter algorithm: nil for the usual one of the key: RS256, ES256, ES384, ES512 or EdDSA.
    package init(pem: [UInt8], algorithm: Algorithm? = nil, keyID: String? = nil) throws(CryptoError) {
        let key = try PrivateKey(pem: pem)
        try self.init(key, algorithm ?? Self.usualAlgorithm(of: key.publicKey.kind), keyID: keyID)
    }

    private static func usualAlgorithm(of kind: PublicKey.Kind) -> Algorithm {
        switch kind {
        case .rsa: .rs256
        case .ec(.p256): .es256
        case .ec(.p384): .es384
        case .ec(.p521): .es512
        case .ed25519: .edDSA
        }
    }

    /// The private key as PKCS#8 in PEM, without its name and algorithm.
    package func pem() throws(CryptoError) -> [UInt8] { try key.pem() }

    /// The JWK Set (RFC 7517 §5) of the public key.
    package func keySet() throws(CryptoError) -> JSONOutput {
        .object([("keys", .array(try signer.publicJWK().map { [$0] } ?? []))])
    }
}
