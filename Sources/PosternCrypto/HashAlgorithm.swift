internal import COpenSSL
internal import PosternBase

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

    var evp: OpaquePointer? { function.evp }

    private var function: DigestFunction {
        switch self {
        case .sha256: DigestFunction.sha256
        case .sha384: DigestFunction.sha384
        case .sha512: DigestFunction.sha512
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
        guard output.count >= byteCount else { return false }
        // Written out: a variable that holds the function would count it.
        return switch self {
        case .sha256: DigestFunction.sha256.write(digestOf: bytes, to: output)
        case .sha384: DigestFunction.sha384.write(digestOf: bytes, to: output)
        case .sha512: DigestFunction.sha512.write(digestOf: bytes, to: output)
        }
    }
}

/// One of OpenSSL's digests with contexts that are lent out: making one costs more than to hash a nonce.
private final class DigestFunction: Sendable {
    static let sha256 = DigestFunction("SHA2-256")
    static let sha384 = DigestFunction("SHA2-384")
    static let sha512 = DigestFunction("SHA2-512")

    /// OpenSSL's working memory, used by whoever has the turn, made by the first who does; lives as long as the process.
    private final class Place: @unchecked Sendable {
        let turn = Turn()
        @exclusivity(unchecked) var context: OpaquePointer?
        let padding = ThreadGroup.Padding()
    }

    /// Fetched once, since an implicit fetch on each use searches under a lock; immutable, and lives as long as the process.
    nonisolated(unsafe) let evp: OpaquePointer?
    private let places = ThreadGroup.places { Place() }

    private init(_ name: String) { evp = EVP_MD_fetch(nil, name, nil) }

    func write(digestOf bytes: UnsafeBufferPointer<UInt8>, to output: UnsafeMutableBufferPointer<UInt8>) -> Bool {
        let group = ThreadGroup.current
        for offset in 0..<ThreadGroup.count {
            let place = places[(group &+ offset) % ThreadGroup.count]
            guard place.turn.take() else { continue }
            defer { place.turn.giveBack() }
            if place.context == nil { place.context = EVP_MD_CTX_new() }
            let isDone = write(digestOf: bytes, to: output, with: place.context)
            if !isDone {
                // One that the library failed in is not used again.
                EVP_MD_CTX_free(place.context)
                place.context = nil
            }
            return isDone
        }
        // More threads at this moment than there are places.
        let context = EVP_MD_CTX_new()
        defer { EVP_MD_CTX_free(context) }
        return write(digestOf: bytes, to: output, with: context)
    }

    private func write(
        digestOf bytes: UnsafeBufferPointer<UInt8>,
        to output: UnsafeMutableBufferPointer<UInt8>,
        with context: OpaquePointer?
    ) -> Bool {
        guard let evp, let context else { return false }
        return EVP_DigestInit_ex2(context, evp, nil) == 1
            && EVP_DigestUpdate(context, bytes.baseAddress, bytes.count) == 1
            && EVP_DigestFinal_ex(context, output.baseAddress, nil) == 1
    }
}
