package import PosternCrypto

/// A password could not be hashed or compared, which says nothing about the password.
package struct PasswordFault: Error, Equatable {
    package enum Reason: String, Sendable {
        case memory = "there is not enough memory"
        case library = "a library failed"
    }

    package let reason: Reason
    /// For the log; nothing of a password or a hash.
    package let detail: String

    package init(_ reason: Reason, _ detail: String) {
        self.reason = reason
        self.detail = detail
    }

    package init(_ error: CryptoError) { self.init(.library, "\(error.reason.rawValue): \(error.detail)") }
}
