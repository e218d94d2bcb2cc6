internal import COpenSSL

/// The library that does the arithmetic.
package enum CryptoLibrary {
    /// Its version as it runs, which may be newer than the one that was compiled against.
    package static var version: String { String(cString: OpenSSL_version(OPENSSL_VERSION_STRING)) }
}
