internal import PosternBase

/// The bytes of field lines (RFC 9110 §5.5, §5.6.2).
enum FieldSyntax {
    static let tab = UInt8(ascii: "\t")
    static let space = UInt8(ascii: " ")
    static let carriageReturn: UInt8 = 0x0D
    static let lineFeed: UInt8 = 0x0A

    /// One bit for each byte below 128 that may stand in a token.
    private static let tokens: (low: UInt64, high: UInt64) = (0x03FF_6CFA_0000_0000, 0x57FF_FFFF_C7FF_FFFE)

    @inline(__always)
    static func isToken(_ byte: UInt8) -> Bool {
        guard byte < 128 else { return false }
        let half = byte < 64 ? tokens.low : tokens.high
        return half >> UInt64(byte & 63) & 1 != 0
    }

    @inline(__always)
    static func isBlank(_ byte: UInt8) -> Bool { byte == space || byte == tab }

    /// Neither text nor a blank: what may stand nowhere in a line.
    @inline(__always)
    static func isControl(_ byte: UInt8) -> Bool { byte < 0x20 && byte != tab || byte == 0x7F }

    /// Whether the bytes are the name, which is in lower case, without regard to ASCII case.
    @inline(__always)
    static func isSame(_ bytes: borrowing Span<UInt8>, _ range: Range<Int>, _ name: StaticString) -> Bool {
        guard range.count == name.utf8CodeUnitCount else { return false }
        var place = range.lowerBound
        return name.withUTF8Buffer { expected in
            for byte in expected {
                guard ASCIICase.folded(bytes[place]) == byte else { return false }
                place += 1
            }
            return true
        }
    }

    /// Without blanks at its ends.
    @inline(__always)
    static func trimmed(_ bytes: borrowing Span<UInt8>, _ range: Range<Int>) -> Range<Int> {
        var (start, end) = (range.lowerBound, range.upperBound)
        while start < end, isBlank(bytes[start]) { start += 1 }
        while start < end, isBlank(bytes[end - 1]) { end -= 1 }
        return start..<end
    }

    /// The elements of a list, blanks taken off; empty ones are left out (RFC 9110 §5.6.1).
    static func elements(_ bytes: borrowing Span<UInt8>, _ range: Range<Int>) -> [Range<Int>] {
        var found: [Range<Int>] = []
        var start = range.lowerBound
        for place in range.lowerBound...range.upperBound
        where place == range.upperBound || bytes[place] == UInt8(ascii: ",") {
            let element = trimmed(bytes, start..<place)
            if !element.isEmpty { found.append(element) }
            start = place + 1
        }
        return found
    }
}
