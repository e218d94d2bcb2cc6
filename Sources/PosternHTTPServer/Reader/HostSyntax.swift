/// The value of `Host` (RFC 9110 §7.2), read more narrowly than RFC 3986 allows: letters, digits and `-._~`, or an IPv6 address in
/// brackets; then at most a port. What else the grammar allows no host has, and readers disagree about it.
enum HostSyntax {
    static func isValid(_ bytes: borrowing Span<UInt8>, _ range: Range<Int>) -> Bool {
        guard let first = range.first else { return false }
        if bytes[first] == UInt8(ascii: "[") {
            guard let end = range.first(where: { bytes[$0] == UInt8(ascii: "]") }), end - first > 2 else {
                return false
            }
            for place in (first + 1)..<end where !isIPv6(bytes[place]) { return false }
            return isPort(bytes, (end + 1)..<range.upperBound)
        }
        let end = range.first { bytes[$0] == UInt8(ascii: ":") } ?? range.upperBound
        guard end > first else { return false }
        for place in first..<end where !isName(bytes[place]) { return false }
        return isPort(bytes, end..<range.upperBound)
    }

    /// Nothing, or a colon and a number up to 65535.
    private static func isPort(_ bytes: borrowing Span<UInt8>, _ range: Range<Int>) -> Bool {
        guard let first = range.first else { return true }
        guard bytes[first] == UInt8(ascii: ":"), (2...6).contains(range.count) else { return false }
        var port = 0
        for place in (first + 1)..<range.upperBound {
            guard let digit = digit(bytes[place]) else { return false }
            port = port * 10 + digit
        }
        return port <= 65_535
    }

    private static func digit(_ byte: UInt8) -> Int? {
        byte >= 0x30 && byte <= 0x39 ? Int(byte - 0x30) : nil
    }

    private static func isName(_ byte: UInt8) -> Bool {
        let folded = byte | 0x20
        if folded >= UInt8(ascii: "a"), folded <= UInt8(ascii: "z") { return byte >= 0x41 }
        switch byte {
        case 0x30...0x39, UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "~"): return true
        default: return false
        }
    }

    private static func isIPv6(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x3A, 0x41...0x46, 0x61...0x66, UInt8(ascii: "."): true
        default: false
        }
    }
}
