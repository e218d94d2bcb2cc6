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
        output.count >= byteCount && function.write(digestOf: bytes, to: output)
    }
}

/// One of OpenSSL's digests with contexts that are lent out: making one costs more than to hash a nonce.
private final class DigestFunction: Sendable {
    static let sha256 = DigestFunction("SHA2-256")
    static let sha384 = DigestFunction("SHA2-384")
    static let sha512 = DigestFunction("SHA2-512")

    /// An OpenSSL context that one thread uses at a time; it goes from one to the next.
    private struct Context: @unchecked Sendable { let pointer: OpaquePointer }

    private struct Idle {
        var contexts: [Context] = []
        let padding = ThreadGroup.Padding()
    }

    /// For a group of threads.
    private static let keptContexts = 8

    /// Fetched once, since an implicit fetch on each use searches under a lock; immutable, and lives as long as the process.
    nonisolated(unsafe) let evp: OpaquePointer?
    private let idle = ThreadGroup.places { Lock(Idle()) }

    private init(_ name: String) { evp = EVP_MD_fetch(nil, name, nil) }

    func write(digestOf bytes: UnsafeBufferPointer<UInt8>, to output: UnsafeMutableBufferPointer<UInt8>) -> Bool {
        let idle = idle[ThreadGroup.current]
        guard let evp, let context = idle.withLock({ $0.contexts.popLast() }) ?? Self.newContext() else { return false }
        let isDone =
            EVP_DigestInit_ex2(context.pointer, evp, nil) == 1
            && EVP_DigestUpdate(context.pointer, bytes.baseAddress, bytes.count) == 1
            && EVP_DigestFinal_ex(context.pointer, output.baseAddress, nil) == 1
        let isKept = idle.withLock { idle in
            guard isDone, idle.contexts.count < Self.keptContexts else { return false }
            idle.contexts.append(context)
            return true
        }
        if !isKept { EVP_MD_CTX_free(context.pointer) }
        return isDone
    }

    private static func newContext() -> Context? { EVP_MD_CTX_new().map(Context.init) }
}
