internal import COpenSSL
internal import PosternBase

/// Verifies signatures of one key under one scheme, from any number of threads.
///
/// Setting up an OpenSSL context costs a fifth of an RSA verification, so contexts are set up once and lent out.
package final class SignatureVerifier: Sendable {
    private let key: PublicKey
    private let scheme: SignatureScheme
    /// A thread finds the context again that it used last, whose memory is near.
    private let places = ThreadGroup.places { Place() }

    /// A context that is used by whoever has the turn, made by the first who does.
    private final class Place: @unchecked Sendable {
        let turn = Turn()
        @exclusivity(unchecked) var context: VerificationContext?
        let padding = ThreadGroup.Padding()
    }

    package init(_ key: PublicKey, _ scheme: SignatureScheme) throws(CryptoError) {
        guard scheme.fits(key.kind) else { throw CryptoError(.unsupported, "this scheme does not fit the key") }
        self.key = key
        self.scheme = scheme
    }

    /// The exact length of a signature in bytes.
    package var signatureByteCount: Int {
        switch key.kind {
        case .rsa(let modulusByteCount): modulusByteCount
        case .ec(let curve): curve.coordinateByteCount * 2
        case .ed25519: 64
        }
    }

    /// Whether `signature` is one of this key over `message`. Throws only when the library fails, never for a bad signature.
    package func isValid(
        _ signature: UnsafeBufferPointer<UInt8>,
        for message: UnsafeBufferPointer<UInt8>
    ) throws(CryptoError) -> Bool {
        // OpenSSL takes a PSS signature that lost its leading zero, so the length is checked here for all.
        guard signature.count == signatureByteCount else { return false }
        let group = ThreadGroup.current
        for offset in 0..<ThreadGroup.count {
            let place = places[(group &+ offset) % ThreadGroup.count]
            guard place.turn.take() else { continue }
            defer { place.turn.giveBack() }
            let context = if let kept = place.context { kept } else { try VerificationContext(key, scheme) }
            // One that the library failed in is not used again.
            place.context = nil
            let isValid = try context.isValid(signature, for: message, key.kind)
            place.context = context
            return isValid
        }
        // More threads at this moment than there are places.
        return try VerificationContext(key, scheme).isValid(signature, for: message, key.kind)
    }

    package func isValid(
        _ signature: [UInt8],
        for message: [UInt8]
    ) throws(CryptoError) -> Bool {
        var failure: CryptoError?
        let isValid = signature.withUnsafeBufferPointer { signature in
            message.withUnsafeBufferPointer { message in
                do throws(CryptoError) {
                    return try self.isValid(signature, for: message)
                } catch {
                    failure = error
                    return false
                }
            }
        }
        if let failure { throw failure }
        return isValid
    }
}

/// OpenSSL's working memory for one verification at a time, set up for one key and scheme.
private final class VerificationContext: @unchecked Sendable {
    // Used by one thread at a time: the verifier lends each context to one caller.
    private let digest: OpaquePointer
    private let key: OpaquePointer?
    private let hash: HashAlgorithm?
    private let evp: OpaquePointer?

    init(_ key: PublicKey, _ scheme: SignatureScheme) throws(CryptoError) {
        guard let digest = EVP_MD_CTX_new() else { throw CryptoError.library() }
        self.digest = digest
        hash = scheme.hash
        evp = scheme.hash?.evp
        guard let hash else {
            self.key = nil
            guard EVP_DigestVerifyInit_ex(digest, nil, nil, nil, nil, key.pointer, nil) == 1 else {
                throw CryptoError.library()
            }
            return
        }
        self.key = EVP_PKEY_CTX_new_from_pkey(nil, key.pointer, nil)
        guard EVP_PKEY_verify_init(self.key) == 1, EVP_PKEY_CTX_set_signature_md(self.key, hash.evp) == 1 else {
            throw CryptoError.library()
        }
        try setPadding(scheme)
    }

    deinit {
        EVP_MD_CTX_free(digest)
        EVP_PKEY_CTX_free(key)
    }

    private func setPadding(_ scheme: SignatureScheme) throws(CryptoError) {
        let isSet =
            switch scheme {
            case .rsaPKCS1: EVP_PKEY_CTX_set_rsa_padding(key, RSA_PKCS1_PADDING) == 1
            case .rsaPSS(_, let mask, let saltByteCount):
                // The default on verifying is any salt length; RFC 7518 §3.5 wants exactly the digest's.
                EVP_PKEY_CTX_set_rsa_padding(key, RSA_PKCS1_PSS_PADDING) == 1
                    && EVP_PKEY_CTX_set_rsa_mgf1_md(key, mask.evp) == 1
                    && EVP_PKEY_CTX_set_rsa_pss_saltlen(key, Int32(saltByteCount)) == 1
            case .ecdsa, .ed25519: true
            }
        guard isSet else { throw CryptoError.library() }
    }

    func isValid(
        _ signature: UnsafeBufferPointer<UInt8>,
        for message: UnsafeBufferPointer<UInt8>,
        _ kind: PublicKey.Kind
    ) throws(CryptoError) -> Bool {
        guard let hash else { return try isValidEd25519(signature, for: message) }
        var failed = false
        let isValid = withUnsafeTemporaryAllocation(byteCount: 64, alignment: 8) { output in
            let digestBytes = output.baseAddress?.assumingMemoryBound(to: UInt8.self)
            guard EVP_DigestInit_ex2(digest, evp, nil) == 1,
                EVP_DigestUpdate(digest, message.baseAddress, message.count) == 1,
                EVP_DigestFinal_ex(digest, digestBytes, nil) == 1
            else {
                failed = true
                return false
            }
            return verify(signature, digestBytes, hash.byteCount, kind)
        }
        guard !failed else { throw CryptoError.library() }
        return isValid
    }

    private func verify(
        _ signature: UnsafeBufferPointer<UInt8>,
        _ digestBytes: UnsafePointer<UInt8>?,
        _ digestCount: Int,
        _ kind: PublicKey.Kind
    ) -> Bool {
        let result: Int32 =
            if case .ec = kind {
                ECDSASignature.withDER(signature) { der in
                    EVP_PKEY_verify(key, der.baseAddress, der.count, digestBytes, digestCount)
                }
            } else {
                EVP_PKEY_verify(key, signature.baseAddress, signature.count, digestBytes, digestCount)
            }
        // 0 is a wrong signature, below 0 one that could not even be read: both leave entries in the error queue.
        if result != 1 { ERR_clear_error() }
        return result == 1
    }

    private func isValidEd25519(
        _ signature: UnsafeBufferPointer<UInt8>,
        for message: UnsafeBufferPointer<UInt8>
    ) throws(CryptoError) -> Bool {
        // Nulls keep key and method and start anew: a fraction of the cost of a first initialisation.
        guard EVP_DigestVerifyInit_ex(digest, nil, nil, nil, nil, nil, nil) == 1 else { throw CryptoError.library() }
        let result = EVP_DigestVerify(
            digest, signature.baseAddress, signature.count, message.baseAddress, message.count
        )
        if result != 1 { ERR_clear_error() }
        return result == 1
    }
}
