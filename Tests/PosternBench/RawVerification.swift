import COpenSSL
import PosternBase
import PosternCrypto

/// The limit: the digest of the signing input and one verification, everything set up and decoded beforehand.
final class RawVerification {
    struct Failed: Error {}

    private let digest = EVP_MD_CTX_new()
    private let hash = EVP_MD_fetch(nil, "SHA2-256", nil)
    private let context: OpaquePointer?
    private let isEd25519: Bool
    private let signingInput: [UInt8]
    private let signature: [UInt8]
    private var output = [UInt8](repeating: 0, count: 32)

    init(_ token: [UInt8], _ publicKey: PublicKey) throws {
        let segments = token.split(separator: 0x2E)
        signingInput = Array(segments[0] + [0x2E] + segments[1])
        let raw = Base64URL.decode(segments[2]) ?? []
        let key: OpaquePointer?
        switch try publicKey.material() {
        case .rsa(let modulus, let exponent):
            (key, signature, isEd25519) = (Self.rsa(modulus, exponent), raw, false)
        case .ec(_, let x, let y):
            (key, signature, isEd25519) = (Self.p256([0x04] + x + y), Self.der(raw), false)
        case .ed25519(let x):
            key = EVP_PKEY_new_raw_public_key_ex(nil, "ED25519", nil, x, x.count)
            (signature, isEd25519) = (raw, true)
        }
        guard let key else { throw Failed() }
        if isEd25519 {
            context = nil
            guard EVP_DigestVerifyInit_ex(digest, nil, nil, nil, nil, key, nil) == 1 else { throw Failed() }
        } else {
            context = EVP_PKEY_CTX_new_from_pkey(nil, key, nil)
            EVP_PKEY_verify_init(context)
            if case .rsa = publicKey.kind { EVP_PKEY_CTX_set_rsa_padding(context, RSA_PKCS1_PADDING) }
            EVP_PKEY_CTX_set_signature_md(context, hash)
        }
    }

    private static func rsa(_ modulus: [UInt8], _ exponent: [UInt8]) -> OpaquePointer? {
        let builder = OSSL_PARAM_BLD_new()
        OSSL_PARAM_BLD_push_BN(builder, OSSL_PKEY_PARAM_RSA_N, BN_bin2bn(modulus, Int32(modulus.count), nil))
        OSSL_PARAM_BLD_push_BN(builder, OSSL_PKEY_PARAM_RSA_E, BN_bin2bn(exponent, Int32(exponent.count), nil))
        return key("RSA", builder)
    }

    private static func p256(_ point: [UInt8]) -> OpaquePointer? {
        let builder = OSSL_PARAM_BLD_new()
        // The builder keeps the pointers until the key is made.
        return "prime256v1".withCString { name in
            point.withUnsafeBytes { bytes in
                OSSL_PARAM_BLD_push_utf8_string(builder, OSSL_PKEY_PARAM_GROUP_NAME, name, 0)
                OSSL_PARAM_BLD_push_octet_string(builder, OSSL_PKEY_PARAM_PUB_KEY, bytes.baseAddress, bytes.count)
                return key("EC", builder)
            }
        }
    }

    private static func key(_ name: String, _ builder: OpaquePointer?) -> OpaquePointer? {
        let parameters = OSSL_PARAM_BLD_to_param(builder)
        let maker = EVP_PKEY_CTX_new_from_name(nil, name, nil)
        EVP_PKEY_fromdata_init(maker)
        var made: OpaquePointer?
        EVP_PKEY_fromdata(maker, &made, postern_public_key_selection(), parameters)
        return made
    }

    /// r and s as OpenSSL wants them (X9.62): a sequence of two integers.
    private static func der(_ raw: [UInt8]) -> [UInt8] {
        let integers = [raw.prefix(raw.count / 2), raw.suffix(raw.count / 2)].map { half -> [UInt8] in
            let number = Array(half.drop { $0 == 0 })
            let body = number.first.map { $0 >= 0x80 } ?? true ? [0] + number : number
            return [0x02, UInt8(body.count)] + body
        }
        let body = integers.joined()
        return [0x30, UInt8(body.count)] + body
    }

    func verify() throws {
        if isEd25519 {
            EVP_DigestVerifyInit_ex(digest, nil, nil, nil, nil, nil, nil)
            guard EVP_DigestVerify(digest, signature, signature.count, signingInput, signingInput.count) == 1 else {
                throw Failed()
            }
            return
        }
        EVP_DigestInit_ex2(digest, hash, nil)
        EVP_DigestUpdate(digest, signingInput, signingInput.count)
        EVP_DigestFinal_ex(digest, &output, nil)
        guard EVP_PKEY_verify(context, signature, signature.count, output, output.count) == 1 else { throw Failed() }
    }
}
