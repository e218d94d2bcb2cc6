internal import COpenSSL

package enum ConstantTime {
    /// Whether both are the same bytes, in a time that depends on their lengths alone.
    package static func equals(_ left: some Collection<UInt8>, _ right: some Collection<UInt8>) -> Bool {
        let first = Array(left)
        let second = Array(right)
        guard first.count == second.count else { return false }
        return CRYPTO_memcmp(first, second, first.count) == 0
    }
}
