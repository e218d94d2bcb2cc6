internal import COpenSSL

/// Hides bytes and shows whether they were changed (AES-256-GCM, NIST SP 800-38D).
package enum AuthenticatedEncryption {
    package static let keyByteCount = 32
    static let nonceByteCount = 12
    static let tagByteCount = 16

    /// nonce ‖ ciphertext ‖ tag. The nonce is from `nonce`, 12 random bytes: at most 2³² messages under one key.
    ///
    /// - Parameter context: what the bytes belong to; `open` must be given the same.
    package static func seal(
        _ message: [UInt8],
        key: [UInt8],
        nonce: [UInt8],
        context: [UInt8]
    ) throws(CryptoError) -> [UInt8] {
        let cipher = try Cipher(key: key, nonce: nonce, encrypts: true)
        let ciphertext = try cipher.process(message, context: context)
        return nonce + ciphertext + (try cipher.finishedTag())
    }

    /// What was sealed; nil when the key is another, or anything of it or of `context` was changed.
    package static func open(_ sealed: [UInt8], key: [UInt8], context: [UInt8]) throws(CryptoError) -> [UInt8]? {
        guard sealed.count >= nonceByteCount + tagByteCount else { return nil }
        let cipher = try Cipher(key: key, nonce: Array(sealed[..<nonceByteCount]), encrypts: false)
        let ciphertext = Array(sealed[nonceByteCount..<(sealed.count - tagByteCount)])
        let message = try cipher.process(ciphertext, context: context)
        return try cipher.isTag(Array(sealed[(sealed.count - tagByteCount)...])) ? message : nil
    }
}

/// One run of the cipher.
private final class Cipher {
    private let context: OpaquePointer
    private let encrypts: Bool

    init(key: [UInt8], nonce: [UInt8], encrypts: Bool) throws(CryptoError) {
        guard key.count == AuthenticatedEncryption.keyByteCount, nonce.count == AuthenticatedEncryption.nonceByteCount
        else { throw CryptoError(.invalidKey, "AES-256-GCM takes a key of 32 bytes and a nonce of 12") }
        guard let context = EVP_CIPHER_CTX_new() else { throw CryptoError.library() }
        self.context = context
        self.encrypts = encrypts
        guard EVP_CipherInit_ex(context, EVP_aes_256_gcm(), nil, key, nonce, encrypts ? 1 : 0) == 1 else {
            throw CryptoError.library()
        }
    }

    deinit { EVP_CIPHER_CTX_free(context) }

    func process(_ message: [UInt8], context belonging: [UInt8]) throws(CryptoError) -> [UInt8] {
        guard let count = Int32(exactly: message.count), let belongingCount = Int32(exactly: belonging.count) else {
            throw CryptoError(.unsupported, "more bytes than one message may have")
        }
        var written: Int32 = 0
        guard EVP_CipherUpdate(context, nil, &written, belonging, belongingCount) == 1 else {
            throw CryptoError.library()
        }
        var output = [UInt8](repeating: 0, count: message.count)
        guard EVP_CipherUpdate(context, &output, &written, message, count) == 1, written == count else {
            throw CryptoError.library()
        }
        return output
    }

    func finishedTag() throws(CryptoError) -> [UInt8] {
        var written: Int32 = 0
        var nothing: UInt8 = 0
        var tag = [UInt8](repeating: 0, count: AuthenticatedEncryption.tagByteCount)
        guard EVP_CipherFinal_ex(context, &nothing, &written) == 1,
            EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_GET_TAG, Int32(tag.count), &tag) == 1
        else { throw CryptoError.library() }
        return tag
    }

    func isTag(_ tag: [UInt8]) throws(CryptoError) -> Bool {
        var tag = tag
        guard EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_SET_TAG, Int32(tag.count), &tag) == 1 else {
            throw CryptoError.library()
        }
        var written: Int32 = 0
        var nothing: UInt8 = 0
        let isGood = EVP_CipherFinal_ex(context, &nothing, &written) == 1
        // A wrong tag leaves an error behind, which nobody is to take for theirs.
        if !isGood { _ = CryptoError.library() }
        return isGood
    }
}
