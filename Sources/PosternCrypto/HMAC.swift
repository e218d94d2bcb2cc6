internal import COpenSSL

/// HMAC (RFC 2104, FIPS 198-1) over SHA-2.
package enum HMAC {
    package static func authenticationCode(
        of message: [UInt8],
        key: [UInt8],
        using hash: HashAlgorithm
    ) throws(CryptoError) -> [UInt8] {
        // An empty key is an error here: a MAC under it proves nothing.
        guard !key.isEmpty else { throw CryptoError(.invalidKey, "empty MAC key") }
        guard let context = MACContext.of(hash).pointer, let copy = EVP_MAC_CTX_dup(context) else {
            throw CryptoError.library()
        }
        defer { EVP_MAC_CTX_free(copy) }
        var output = [UInt8](repeating: 0, count: hash.byteCount)
        var written = 0
        guard EVP_MAC_init(copy, key, key.count, nil) == 1,
            EVP_MAC_update(copy, message, message.count) == 1,
            EVP_MAC_final(copy, &output, &written, output.count) == 1, written == hash.byteCount
        else { throw CryptoError.library() }
        return output
    }
}

/// A context that knows the digest and no key. To find method and digest anew costs more than a code over a short message.
private struct MACContext: @unchecked Sendable {
    // @unchecked: it is only copied from, and lives as long as the process.
    let pointer: OpaquePointer?

    private static let sha256 = MACContext("SHA2-256")
    private static let sha384 = MACContext("SHA2-384")
    private static let sha512 = MACContext("SHA2-512")

    static func of(_ hash: HashAlgorithm) -> MACContext {
        switch hash {
        case .sha256: sha256
        case .sha384: sha384
        case .sha512: sha512
        }
    }

    private init(_ digest: String) { pointer = Self.make(digest) }

    private static func make(_ digest: String) -> OpaquePointer? {
        guard let method = EVP_MAC_fetch(nil, "HMAC", nil) else { return nil }
        defer { EVP_MAC_free(method) }
        guard let context = EVP_MAC_CTX_new(method) else { return nil }
        guard postern_mac_set_digest(context, digest) == 1 else {
            EVP_MAC_CTX_free(context)
            return nil
        }
        return context
    }
}
