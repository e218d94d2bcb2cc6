internal import COpenSSL

/// Keys from passwords by the older functions, for hashes that others made: PBKDF2 (RFC 8018) and scrypt (RFC 7914).
///
/// What it may cost is for the caller to bound; nothing here refuses a large number.
package enum PasswordDerivation {
    package static func pbkdf2(
        _ password: UnsafeRawBufferPointer,
        salt: [UInt8],
        iterations: Int,
        using hash: HashAlgorithm,
        byteCount: Int
    ) throws(CryptoError) -> [UInt8] {
        guard let passwordCount = Int32(exactly: password.count), let saltCount = Int32(exactly: salt.count),
            let iterations = Int32(exactly: iterations), let count = Int32(exactly: byteCount), iterations > 0,
            count > 0
        else { throw CryptoError(.unsupported, "a size beyond 32 bits, or nothing to do") }
        var key = [UInt8](repeating: 0, count: byteCount)
        let text = password.assumingMemoryBound(to: CChar.self).baseAddress
        guard PKCS5_PBKDF2_HMAC(text, passwordCount, salt, saltCount, iterations, hash.evp, count, &key) == 1 else {
            throw CryptoError.library()
        }
        return key
    }

    /// - Parameters:
    ///   - logCost: the binary logarithm of scrypt's N.
    ///   - blockSize: r.
    ///   - parallelism: p.
    package static func scrypt(
        _ password: UnsafeRawBufferPointer,
        salt: [UInt8],
        logCost: Int,
        blockSize: Int,
        parallelism: Int,
        byteCount: Int
    ) throws(CryptoError) -> [UInt8] {
        guard (1..<63).contains(logCost), let blockSize = UInt64(exactly: blockSize),
            let parallelism = UInt64(exactly: parallelism), byteCount > 0
        else { throw CryptoError(.unsupported, "a size out of range") }
        var key = [UInt8](repeating: 0, count: byteCount)
        let text = password.assumingMemoryBound(to: CChar.self).baseAddress
        // The library's own bound on memory would refuse what is common; the greatest leaves it to the caller.
        guard
            EVP_PBE_scrypt(
                text, password.count, salt, salt.count, 1 << UInt64(logCost), blockSize, parallelism,
                UInt64(Int64.max), &key, key.count
            ) == 1
        else { throw CryptoError.library() }
        return key
    }
}
