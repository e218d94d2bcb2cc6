internal import COpenSSL

/// Keys out of one key (HKDF, RFC 5869, with SHA-256).
package enum KeyDerivation {
    /// `count` bytes, at most 8,160, out of `key`, which is random already; another `purpose` gives others that say nothing of these.
    package static func hkdf(_ key: [UInt8], purpose: String, count: Int) throws(CryptoError) -> [UInt8] {
        // Less is guessed sooner than what is made of it.
        guard key.count >= 32 else { throw CryptoError(.invalidKey, "fewer than 32 bytes to derive keys from") }
        guard (1...8_160).contains(count) else { throw CryptoError(.unsupported, "so many bytes cannot be derived") }
        guard let method = EVP_KDF_fetch(nil, "HKDF", nil) else { throw CryptoError.library() }
        defer { EVP_KDF_free(method) }
        guard let context = EVP_KDF_CTX_new(method) else { throw CryptoError.library() }
        defer { EVP_KDF_CTX_free(context) }
        var output = [UInt8](repeating: 0, count: count)
        guard postern_hkdf_sha256(context, key, key.count, purpose, purpose.utf8.count, &output, count) == 1 else {
            throw CryptoError.library()
        }
        return output
    }
}
