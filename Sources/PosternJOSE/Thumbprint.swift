internal import PosternBase
package import PosternCrypto

/// JWK thumbprints (RFC 7638 §3, RFC 8037 §2).
package enum Thumbprint {
    /// The base64url of the SHA-256 of the key's required members.
    package static func sha256(of key: PublicKey) throws(CryptoError) -> String {
        // Required members only, in the order of their names, without white space.
        let text = JSONOutput.object(try members(of: key).sorted { $0.0 < $1.0 }.map { ($0.0, .string($0.1)) }).text()
        return Base64URL.encode(try HashAlgorithm.sha256.digest(of: Array(text.utf8)))
    }

    /// The members that make up the public key in a JWK.
    package static func members(of key: PublicKey) throws(CryptoError) -> [(String, String)] {
        switch try key.material() {
        case .rsa(let modulus, let exponent):
            [("kty", "RSA"), ("n", Base64URL.encode(modulus)), ("e", Base64URL.encode(exponent))]
        case .ec(let curve, let x, let y):
            [("kty", "EC"), ("crv", name(of: curve)), ("x", Base64URL.encode(x)), ("y", Base64URL.encode(y))]
        case .ed25519(let x):
            [("kty", "OKP"), ("crv", "Ed25519"), ("x", Base64URL.encode(x))]
        }
    }

    private static func name(of curve: Curve) -> String {
        switch curve {
        case .p256: "P-256"
        case .p384: "P-384"
        case .p521: "P-521"
        }
    }
}
