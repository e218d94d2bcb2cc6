internal import COpenSSL

extension PrivateKey {
    /// The key as unencrypted PKCS#8 in PEM (RFC 5958 §2, RFC 7468 §10): a secret, to be kept where nobody else reads.
    package func pem() throws(CryptoError) -> [UInt8] {
        // This kind of memory is wiped when it is freed.
        guard let memory = BIO_new(BIO_s_secmem()) else { throw CryptoError.library() }
        defer { BIO_free(memory) }
        guard PEM_write_bio_PKCS8PrivateKey(memory, pointer, nil, nil, 0, nil, nil) == 1 else {
            throw CryptoError.library()
        }
        var text = [UInt8](repeating: 0, count: BIO_ctrl_pending(memory))
        guard BIO_read(memory, &text, Int32(clamping: text.count)) == Int32(clamping: text.count) else {
            throw CryptoError.library()
        }
        return text
    }
}
