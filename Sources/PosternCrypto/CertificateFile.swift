internal import COpenSSL

/// A PEM file of certificates, as libcurl hands it to OpenSSL.
package enum CertificateFile {
    /// How many there are before the end, or before what cannot be read.
    package static func count(pem: [UInt8]) -> (certificates: Int, isWhole: Bool) {
        pem.withUnsafeBytes { text in
            guard let length = Int32(exactly: text.count), let memory = BIO_new_mem_buf(text.baseAddress, length) else {
                return (0, false)
            }
            defer {
                BIO_free(memory)
                ERR_clear_error()
            }
            var count = 0
            // An encrypted block would make OpenSSL ask at the terminal; this keeps it from that.
            while let certificate = PEM_read_bio_X509_AUX(memory, nil, { _, _, _, _ in 0 }, nil) {
                X509_free(certificate)
                count += 1
            }
            return (count, ERR_GET_REASON(ERR_peek_last_error()) == PEM_R_NO_START_LINE)
        }
    }
}
