internal import COpenSSL

/// The libcrypto that this process runs with, which may be another one than it was built with.
package enum CryptoLibrary {
    /// Its name, version and date, such as `OpenSSL 3.0.19 27 Jan 2026`.
    package static var version: String { OpenSSL_version(OPENSSL_VERSION).map { String(cString: $0) } ?? "unknown" }

    /// Its number alone, such as `3.0.19`.
    package static var number: String {
        OpenSSL_version(OPENSSL_VERSION_STRING).map { String(cString: $0) } ?? "unknown"
    }

    /// Whether it is one that the code was written for.
    package static var isSupported: Bool { OPENSSL_version_major() == 3 }
}
