import PosternBase
import PosternCrypto
import PosternJOSE
import PosternTokens

/// An identity token with a payload like Apple's, and the verifier that takes it.
struct BenchToken {
    static let issuedAt: Int64 = 1_790_000_000
    static let rawNonce = "a raw nonce of the client, 43 characters lo"
    static let keyID = "AbCdEfGhIj"

    let name: String
    let key: PrivateKey
    let token: [UInt8]
    let verifier: TokenVerifier

    init(_ algorithm: Algorithm, changing changes: [(String, String)] = []) throws {
        name = algorithm.name
        key = try Self.newKey(algorithm)
        let payload = changes.reduce(Self.payload) { text, change in
            text.split(separator: change.0, omittingEmptySubsequences: false).joined(separator: change.1)
        }
        token = Array(try SigningKey(key, algorithm, keyID: Self.keyID).sign(Array(payload.utf8), type: nil).utf8)
        let keys = KeySet(keys: [try VerificationKey(key.publicKey, keyID: Self.keyID, declaredAlgorithm: algorithm)])
        verifier = try TokenVerifier(
            Self.provider(algorithm),
            keys: StaticKeySource(keys),
            time: .fixed(Self.issuedAt + 1)
        )
    }

    private static func newKey(_ algorithm: Algorithm) throws -> PrivateKey {
        switch algorithm {
        case .es256: try .generateEC(.p256)
        case .edDSA: try .generateEd25519()
        default: try .generateRSA(bits: 2048)
        }
    }

    /// Apple signs with RS256 alone; for the others a configured issuer says the same.
    private static func provider(_ algorithm: Algorithm) throws -> Provider {
        let audiences = [Audience("com.example.app", nonce: .hashed)]
        guard algorithm != .rs256 else { return try .apple(audiences: audiences) }
        return try .oidc(issuer: issuer(algorithm), audiences: audiences, algorithms: [algorithm])
    }

    private static func issuer(_ algorithm: Algorithm) -> String {
        algorithm == .rs256 ? "https://appleid.apple.com" : "https://id.example.com/ap"
    }

    static let payload = """
        {"iss":"https://appleid.apple.com","aud":"com.example.app","exp":\(issuedAt + 86_400),"iat":\(issuedAt),\
        "sub":"001234.0123456789abcdef0123456789abcdef.0123","nonce":"\(Nonce.sha256Hex(of: rawNonce))",\
        "c_hash":"sAhiVaSayJ6TRTWhXS1taA","email":"abcdefghij@privaterelay.appleid.com","email_verified":true,\
        "is_private_email":true,"auth_time":\(issuedAt),"nonce_supported":true,"real_user_status":2}
        """

    /// The same token of a configured issuer where the algorithm is not Apple's.
    static func good(_ algorithm: Algorithm) throws -> BenchToken {
        try BenchToken(algorithm, changing: [("https://appleid.apple.com", issuer(algorithm))])
    }

    func verify() throws { try verify(with: verifier) }

    func verify(with verifier: TokenVerifier) throws {
        _ = try token.withUnsafeBufferPointer { (token) throws(VerificationError) in
            try verifier.identityNow(token, nonce: Self.rawNonce)
        }
    }
}
