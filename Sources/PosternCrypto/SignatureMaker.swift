internal import COpenSSL

/// Signs with one key under one scheme, from any number of threads.
///
/// To find method and digest anew for each signature costs a sixth of one with P-256, so a context is set up once and copied.
package final class SignatureMaker: @unchecked Sendable {
    // @unchecked: the context is only copied from.
    private let key: PrivateKey
    private let scheme: SignatureScheme
    /// nil for Ed25519, which signs the message and not a digest.
    private let context: OpaquePointer?

    package init(_ key: PrivateKey, _ scheme: SignatureScheme) throws(CryptoError) {
        guard scheme.fits(key.publicKey.kind) else {
            throw CryptoError(.unsupported, "this scheme does not fit the key")
        }
        self.key = key
        self.scheme = scheme
        guard let hash = scheme.hash else {
            context = nil
            return
        }
        context = EVP_PKEY_CTX_new_from_pkey(nil, key.pointer, nil)
        guard EVP_PKEY_sign_init(context) == 1, EVP_PKEY_CTX_set_signature_md(context, hash.evp) == 1 else {
            throw CryptoError.library()
        }
        if case .rsaPSS(_, let mask, let saltByteCount) = scheme {
            guard EVP_PKEY_CTX_set_rsa_padding(context, RSA_PKCS1_PSS_PADDING) == 1,
                EVP_PKEY_CTX_set_rsa_mgf1_md(context, mask.evp) == 1,
                EVP_PKEY_CTX_set_rsa_pss_saltlen(context, Int32(saltByteCount)) == 1
            else { throw CryptoError.library() }
        }
    }

    deinit { EVP_PKEY_CTX_free(context) }

    /// The signature over `message`; ECDSA as R ‖ S.
    package func signature(over message: [UInt8]) throws(CryptoError) -> [UInt8] {
        let signature =
            if let hash = scheme.hash { try signature(of: hash.digest(of: message)) } else { try ed25519(message) }
        guard case .ec(let curve) = key.publicKey.kind else { return signature }
        guard let raw = ECDSASignature.raw(fromDER: signature, coordinateByteCount: curve.coordinateByteCount) else {
            throw CryptoError(.libraryFailure, "an ECDSA signature that is not DER")
        }
        return raw
    }

    private func signature(of digest: [UInt8]) throws(CryptoError) -> [UInt8] {
        guard let context, let copy = EVP_PKEY_CTX_dup(context) else { throw CryptoError.library() }
        defer { EVP_PKEY_CTX_free(copy) }
        var count = Int(EVP_PKEY_get_size(key.pointer))
        var output = [UInt8](repeating: 0, count: max(count, 0))
        guard EVP_PKEY_sign(copy, &output, &count, digest, digest.count) == 1 else { throw CryptoError.library() }
        output.removeLast(output.count - count)
        return output
    }

    private func ed25519(_ message: [UInt8]) throws(CryptoError) -> [UInt8] {
        guard let context = EVP_MD_CTX_new() else { throw CryptoError.library() }
        defer { EVP_MD_CTX_free(context) }
        guard EVP_DigestSignInit(context, nil, nil, nil, key.pointer) == 1 else { throw CryptoError.library() }
        var count = 64
        var output = [UInt8](repeating: 0, count: count)
        guard EVP_DigestSign(context, &output, &count, message, message.count) == 1, count == output.count else {
            throw CryptoError.library()
        }
        return output
    }
}
