internal import COpenSSL

/// HMAC (RFC 2104, FIPS 198-1) over SHA-2.
package enum HMAC {
    package static func authenticationCode(
        of message: [UInt8],
        key: [UInt8],
        using hash: HashAlgorithm
    ) throws(CryptoError) -> [UInt8] {
        var output = [UInt8](repeating: 0, count: hash.byteCount)
        var written = 0
        // An empty key is an error here: a MAC under it proves nothing.
        guard !key.isEmpty else { throw CryptoError(.invalidKey, "empty MAC key") }
        let name =
            switch hash {
            case .sha256: "SHA2-256"
            case .sha384: "SHA2-384"
            case .sha512: "SHA2-512"
            }
        guard
            EVP_Q_mac(
                nil, "HMAC", nil, name, nil, key, key.count, message, message.count, &output, output.count, &written
            ) != nil, written == hash.byteCount
        else { throw CryptoError.library() }
        return output
    }
}
