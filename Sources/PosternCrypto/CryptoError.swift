internal import COpenSSL

/// A failure of the cryptographic library or of a key that it was given; never a verdict about a signature.
package struct CryptoError: Error, Equatable {
    package enum Reason: String, Sendable {
        case libraryFailure = "the cryptographic library failed"
        case invalidKey = "not a valid key"
        case unsupported = "not supported for this key"
    }

    package let reason: Reason
    /// The library's own word, for the log.
    package let detail: String

    package init(_ reason: Reason, _ detail: String = "") {
        self.reason = reason
        self.detail = detail
    }

    /// The one place where OpenSSL's error queue is read; it is empty afterwards.
    static func library(_ reason: Reason = .libraryFailure) -> CryptoError {
        let code = ERR_peek_last_error()
        ERR_clear_error()
        guard code != 0 else { return CryptoError(reason) }
        return withUnsafeTemporaryAllocation(of: CChar.self, capacity: 256) { buffer in
            ERR_error_string_n(code, buffer.baseAddress, buffer.count)
            let text = buffer.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
            return CryptoError(reason, String(decoding: text, as: UTF8.self))
        }
    }
}
