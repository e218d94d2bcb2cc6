/// A signature algorithm with all of its parameters, those included that JOSE has no name for.
package enum SignatureScheme: Sendable, Hashable {
    /// RSASSA-PKCS1-v1_5 (RFC 8017 §8.2).
    case rsaPKCS1(HashAlgorithm)
    /// RSASSA-PSS (RFC 8017 §8.1).
    case rsaPSS(HashAlgorithm, mask: HashAlgorithm, saltByteCount: Int)
    /// ECDSA with the signature as R ‖ S, both of the curve's width (RFC 7518 §3.4).
    case ecdsa(HashAlgorithm)
    /// PureEdDSA over edwards25519 (RFC 8032 §5.1).
    case ed25519

    var hash: HashAlgorithm? {
        switch self {
        case .rsaPKCS1(let hash), .rsaPSS(let hash, _, _), .ecdsa(let hash): hash
        case .ed25519: nil
        }
    }

    func fits(_ kind: PublicKey.Kind) -> Bool {
        switch (self, kind) {
        // Below zero OpenSSL takes other meanings, "any length" among them; the longest modulus leaves no room for more.
        case (.rsaPSS(_, _, let saltByteCount), .rsa): (0...1024).contains(saltByteCount)
        case (.rsaPKCS1, .rsa), (.ecdsa, .ec), (.ed25519, .ed25519): true
        default: false
        }
    }
}
