internal import COpenSSL

/// The SHA-2 functions that JOSE uses (FIPS 180-4).
package enum HashAlgorithm: Sendable, CaseIterable {
    case sha256, sha384, sha512

    package var byteCount: Int {
        switch self {
        case .sha256: 32
        case .sha384: 48
        case .sha512: 64
        }
    }

    /// Fetched once: an implicit fetch on each use costs a search under a lock.
    var evp: OpaquePointer? {
        switch self {
        case .sha256: FetchedDigests.sha256
        case .sha384: FetchedDigests.sha384
        case .sha512: FetchedDigests.sha512
        }
    }

    /// The digest of `bytes`.
    package func digest(of bytes: some Collection<UInt8>) throws(CryptoError) -> [UInt8] {
        let input = Array(bytes)
        var count: UInt32 = 0
        var output = [UInt8](repeating: 0, count: byteCount)
        guard let evp, EVP_Digest(input, input.count, &output, &count, evp, nil) == 1, Int(count) == byteCount else {
            throw CryptoError.library()
        }
        return output
    }
}

private enum FetchedDigests {
    // EVP_MD is immutable and counted; these live as long as the process.
    nonisolated(unsafe) static let sha256: OpaquePointer? = EVP_MD_fetch(nil, "SHA2-256", nil)
    nonisolated(unsafe) static let sha384: OpaquePointer? = EVP_MD_fetch(nil, "SHA2-384", nil)
    nonisolated(unsafe) static let sha512: OpaquePointer? = EVP_MD_fetch(nil, "SHA2-512", nil)
}
