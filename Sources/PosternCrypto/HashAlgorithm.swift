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
    package func digest(of bytes: [UInt8]) throws(CryptoError) -> [UInt8] {
        var isDone = false
        let digest = [UInt8](unsafeUninitializedCapacity: byteCount) { output, count in
            isDone = bytes.withUnsafeBufferPointer { write(digestOf: $0, to: output) }
            count = isDone ? byteCount : 0
        }
        guard isDone else { throw CryptoError.library() }
        return digest
    }

    /// Writes `byteCount` bytes to `output`; false when the library fails.
    package func write(
        digestOf bytes: UnsafeBufferPointer<UInt8>,
        to output: UnsafeMutableBufferPointer<UInt8>
    ) -> Bool {
        guard output.count >= byteCount, let evp else { return false }
        return EVP_Digest(bytes.baseAddress, bytes.count, output.baseAddress, nil, evp, nil) == 1
    }
}

private enum FetchedDigests {
    // EVP_MD is immutable and counted; these live as long as the process.
    nonisolated(unsafe) static let sha256: OpaquePointer? = EVP_MD_fetch(nil, "SHA2-256", nil)
    nonisolated(unsafe) static let sha384: OpaquePointer? = EVP_MD_fetch(nil, "SHA2-384", nil)
    nonisolated(unsafe) static let sha512: OpaquePointer? = EVP_MD_fetch(nil, "SHA2-512", nil)
}
