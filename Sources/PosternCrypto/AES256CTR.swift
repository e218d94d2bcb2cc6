internal import COpenSSL

/// AES-256 in counter mode (NIST SP 800-38A). It hides and does not protect: for what others have encrypted so.
package enum AES256CTR {
    package static let keyByteCount = 32
    package static let blockByteCount = 16

    /// The text encrypted, or the encrypted text decrypted: it is the same.
    package static func apply(
        to text: [UInt8],
        key: [UInt8],
        initialBlock: [UInt8]
    ) throws(CryptoError) -> [UInt8] {
        guard key.count == keyByteCount, initialBlock.count == blockByteCount, let count = Int32(exactly: text.count)
        else { throw CryptoError(.invalidKey, "a key or first block of another size") }
        guard let cipher = EVP_CIPHER_fetch(nil, "AES-256-CTR", nil) else { throw CryptoError.library() }
        defer { EVP_CIPHER_free(cipher) }
        guard let context = EVP_CIPHER_CTX_new() else { throw CryptoError.library() }
        defer { EVP_CIPHER_CTX_free(context) }
        var output = [UInt8](repeating: 0, count: text.count)
        var written: Int32 = 0
        guard EVP_EncryptInit_ex2(context, cipher, key, initialBlock, nil) == 1,
            EVP_EncryptUpdate(context, &output, &written, text, count) == 1, written == count
        else { throw CryptoError.library() }
        return output
    }
}
