package import PosternCrypto

/// A usable public key of a key set, ready to verify with (RFC 7517 §4).
public final class VerificationKey: Sendable {
    /// The `kid` member.
    public let keyID: String?
    /// The `alg` member: the only algorithm that this key may be used with.
    public let declaredAlgorithm: Algorithm?
    /// The `issuer` member that Microsoft's key sets carry; `{tenantid}` stands for the tenant.
    public let issuer: String?
    /// The JWK thumbprint with SHA-256, base64url (RFC 7638).
    public let thumbprint: String
    package let publicKey: PublicKey
    /// By the place of the algorithm in `Algorithm.all`.
    private let verifiers: [SignatureVerifier?]

    package init(
        _ publicKey: PublicKey,
        keyID: String?,
        declaredAlgorithm: Algorithm?,
        issuer: String? = nil
    ) throws(CryptoError) {
        self.publicKey = publicKey
        self.keyID = keyID
        self.declaredAlgorithm = declaredAlgorithm
        self.issuer = issuer
        thumbprint = try Thumbprint.sha256(of: publicKey)
        var verifiers: [SignatureVerifier?] = []
        for algorithm in Algorithm.all {
            let isUsable =
                algorithm.fits(publicKey.kind) && (declaredAlgorithm == nil || declaredAlgorithm == algorithm)
            verifiers.append(isUsable ? try SignatureVerifier(publicKey, algorithm.scheme) : nil)
        }
        self.verifiers = verifiers
    }

    /// The algorithms that this key may verify.
    public var algorithms: [Algorithm] { Algorithm.all.filter { verifier(for: $0) != nil } }

    /// A short name of type and size, such as `RSA 2048` or `EC P-256`.
    public var summary: String {
        switch publicKey.kind {
        case .rsa: "RSA \(publicKey.bitCount)"
        case .ec(.p256): "EC P-256"
        case .ec(.p384): "EC P-384"
        case .ec(.p521): "EC P-521"
        case .ed25519: "OKP Ed25519"
        }
    }

    func verifier(for algorithm: Algorithm) -> SignatureVerifier? {
        verifiers[Int(algorithm.kind.rawValue)]
    }
}
