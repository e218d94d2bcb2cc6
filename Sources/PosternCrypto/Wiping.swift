internal import COpenSSL

extension [UInt8] {
    /// Overwrites the bytes, in a way that the compiler does not leave out. Copies that were made before stay.
    package mutating func wipe() { withUnsafeMutableBytes { OPENSSL_cleanse($0.baseAddress, $0.count) } }
}
