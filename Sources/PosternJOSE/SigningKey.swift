package import PosternBase
package import PosternCrypto

/// A key that signs our own tokens, and the test tokens that are made on the spot.
package struct SigningKey: Sendable {
    private enum Material: Sendable {
        case privateKey(PrivateKey, Algorithm, SignatureMaker)
        case secret([UInt8])
    }

    private let material: Material
    package let keyID: String?

    /// A key for ES256, RS256 or EdDSA (and the other signature algorithms, for tests).
    package init(_ key: PrivateKey, _ algorithm: Algorithm, keyID: String?) throws(CryptoError) {
        guard algorithm.fits(key.publicKey.kind) else {
            throw CryptoError(.unsupported, "\(algorithm.name) does not fit the key")
        }
        material = .privateKey(key, algorithm, try SignatureMaker(key, algorithm.scheme))
        self.keyID = keyID
    }

    /// A secret of at least 32 bytes for HS256 (RFC 7518 §3.2); never in a key set.
    package init(hs256 secret: [UInt8], keyID: String?) throws(CryptoError) {
        guard secret.count >= 32 else { throw CryptoError(.invalidKey, "an HS256 secret below 256 bits") }
        material = .secret(secret)
        self.keyID = keyID
    }

    package var algorithmName: String {
        switch material {
        case .privateKey(_, let algorithm, _): algorithm.name
        case .secret: "HS256"
        }
    }

    /// The public key as a JWK; nil for a secret.
    package func publicJWK() throws(CryptoError) -> JSONOutput? {
        guard case .privateKey(let key, let algorithm, _) = material else { return nil }
        var members: [(String, JSONOutput)] = try Thumbprint.members(of: key.publicKey).map { ($0.0, .string($0.1)) }
        members.append(("use", .string("sig")))
        members.append(("alg", .string(algorithm.name)))
        if let keyID { members.append(("kid", .string(keyID))) }
        return .object(members)
    }

    /// A compact JWS over `payload` (RFC 7515 §5.1) with `alg`, `kid` and `typ` in its header.
    package func sign(_ payload: [UInt8], type: String? = "JWT") throws(CryptoError) -> String {
        var members: [(String, JSONOutput)] = [("alg", .string(algorithmName))]
        if let keyID { members.append(("kid", .string(keyID))) }
        if let type { members.append(("typ", .string(type))) }
        return try sign(header: Array(JSONOutput.object(members).text().utf8), payload: payload)
    }

    /// A compact JWS over exactly these bytes, whatever they say: tests need headers that lie.
    package func sign(header: [UInt8], payload: [UInt8]) throws(CryptoError) -> String {
        let signingInput = "\(Base64URL.encode(header)).\(Base64URL.encode(payload))"
        let bytes = Array(signingInput.utf8)
        let signature: [UInt8] =
            switch material {
            case .privateKey(_, _, let maker): try maker.signature(over: bytes)
            case .secret(let secret): try HMAC.authenticationCode(of: bytes, key: secret, using: .sha256)
            }
        return "\(signingInput).\(Base64URL.encode(signature))"
    }
}
