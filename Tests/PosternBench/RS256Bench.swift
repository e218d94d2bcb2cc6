import COpenSSL
import PosternBase
import PosternCrypto
import PosternJOSE
import PosternTokens

/// One RS256 identity token with a payload like Apple's, verified whole, against the least that OpenSSL must do for it.
struct RS256Bench {
    private static let issuedAt: Int64 = 1_790_000_000
    private static let rawNonce = "a raw nonce of the client, 43 characters lo"

    private static func payload() -> [UInt8] {
        Array(
            """
            {"iss":"https://appleid.apple.com","aud":"com.example.app","exp":\(issuedAt + 86_400),"iat":\(issuedAt),\
            "sub":"001234.0123456789abcdef0123456789abcdef.0123","nonce":"\(Nonce.sha256Hex(of: rawNonce))",\
            "c_hash":"sAhiVaSayJ6TRTWhXS1taA","email":"abcdefghij@privaterelay.appleid.com","email_verified":true,\
            "is_private_email":true,"auth_time":\(issuedAt),"nonce_supported":true,"real_user_status":2}
            """.utf8
        )
    }

    private let token: [UInt8]
    private let verifier: TokenVerifier
    private let raw: RawVerification

    init() throws {
        let key = try PrivateKey.generateRSA(bits: 2048)
        token = Array(try SigningKey(key, .rs256, keyID: "AbCdEfGhIj").sign(Self.payload(), type: nil).utf8)
        let keys = KeySet(keys: [try VerificationKey(key.publicKey, keyID: "AbCdEfGhIj", declaredAlgorithm: .rs256)])
        verifier = try TokenVerifier(
            .apple(audiences: [Audience("com.example.app", nonce: .hashed)]),
            keys: StaticKeySource(keys),
            time: .fixed(Self.issuedAt + 1)
        )
        raw = try RawVerification(token, key.publicKey)
    }

    private func verifyOnce() throws {
        _ = try token.withUnsafeBufferPointer { (token) throws(VerificationError) in
            try verifier.identityNow(token, nonce: Self.rawNonce)
        }
    }

    func repeatOurs(_ count: Int) throws {
        for _ in 0..<count { try verifyOnce() }
    }

    func run(rounds: Int) throws {
        try Measurement(name: "verify RS256", ours: verifyOnce, limit: raw.verify).run(rounds: rounds)
    }
}

/// The limit: SHA-256 of the signing input and one EVP_PKEY_verify, everything set up and decoded beforehand.
private final class RawVerification {
    struct Failed: Error {}

    private let digest = EVP_MD_CTX_new()
    private let hash = EVP_MD_fetch(nil, "SHA2-256", nil)
    private let key: OpaquePointer?
    private let context: OpaquePointer?
    private let signingInput: [UInt8]
    private let signature: [UInt8]
    private var output = [UInt8](repeating: 0, count: 32)

    init(_ token: [UInt8], _ publicKey: PublicKey) throws {
        let segments = token.split(separator: 0x2E)
        signingInput = Array(segments[0] + [0x2E] + segments[1])
        signature = Base64URL.decode(segments[2]) ?? []
        guard case .rsa(let modulus, let exponent) = try publicKey.material() else { throw Failed() }
        let builder = OSSL_PARAM_BLD_new()
        OSSL_PARAM_BLD_push_BN(builder, OSSL_PKEY_PARAM_RSA_N, BN_bin2bn(modulus, Int32(modulus.count), nil))
        OSSL_PARAM_BLD_push_BN(builder, OSSL_PKEY_PARAM_RSA_E, BN_bin2bn(exponent, Int32(exponent.count), nil))
        let parameters = OSSL_PARAM_BLD_to_param(builder)
        let maker = EVP_PKEY_CTX_new_from_name(nil, "RSA", nil)
        EVP_PKEY_fromdata_init(maker)
        var made: OpaquePointer?
        EVP_PKEY_fromdata(maker, &made, postern_public_key_selection(), parameters)
        key = made
        context = EVP_PKEY_CTX_new_from_pkey(nil, made, nil)
        EVP_PKEY_verify_init(context)
        EVP_PKEY_CTX_set_rsa_padding(context, RSA_PKCS1_PADDING)
        EVP_PKEY_CTX_set_signature_md(context, hash)
    }

    func verify() throws {
        EVP_DigestInit_ex2(digest, hash, nil)
        EVP_DigestUpdate(digest, signingInput, signingInput.count)
        EVP_DigestFinal_ex(digest, &output, nil)
        guard EVP_PKEY_verify(context, signature, signature.count, output, output.count) == 1 else { throw Failed() }
    }
}
