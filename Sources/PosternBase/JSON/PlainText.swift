/// Finds bytes that cannot be written into JSON as they are, eight at a time.
enum PlainText {
    /// How many bytes at the start are printable ASCII and neither a quote nor a backslash.
    static func prefix(of text: UnsafeBufferPointer<UInt8>) -> Int {
        guard let base = text.baseAddress else { return 0 }
        let raw = UnsafeRawPointer(base)
        var position = 0
        while text.count &- position >= 8 {
            let word = UInt64(littleEndian: raw.loadUnaligned(fromByteOffset: position, as: UInt64.self))
            let found = (odd(word) | equal(word, 0x22)) & highBits
            if found != 0 { return position &+ (found.trailingZeroBitCount &>> 3) }
            position &+= 8
        }
        while position < text.count, isPlain(text[position]), text[position] != 0x22 { position &+= 1 }
        return position
    }

    /// Whether a JSON text is visible ASCII, without an escape or a space in it.
    static func isPlainJSON(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
        guard let base = text.baseAddress else { return true }
        let raw = UnsafeRawPointer(base)
        var position = 0
        var found: UInt64 = 0
        while text.count &- position >= 8 {
            let word = UInt64(littleEndian: raw.loadUnaligned(fromByteOffset: position, as: UInt64.self))
            found |= odd(word) | equal(word, 0x20)
            position &+= 8
        }
        guard found & highBits == 0 else { return false }
        while position < text.count, isPlain(text[position]), text[position] != 0x20 { position &+= 1 }
        return position == text.count
    }

    private static let ones: UInt64 = 0x0101_0101_0101_0101
    private static let highBits: UInt64 = 0x8080_8080_8080_8080

    private static func isPlain(_ byte: UInt8) -> Bool { byte >= 0x20 && byte < 0x7F && byte != 0x5C }

    /// The high bit of a byte is set where it is below 0x20, above 0x7E or a backslash. A borrow can set it wrongly only
    /// above a byte where it is set rightly.
    @inline(__always)
    private static func odd(_ word: UInt64) -> UInt64 {
        ((word &- ones &* 0x20) & ~word) | word | equal(word, 0x7F) | equal(word, 0x5C)
    }

    @inline(__always)
    private static func equal(_ word: UInt64, _ byte: UInt64) -> UInt64 {
        let difference = word ^ (ones &* byte)
        return (difference &- ones) & ~difference
    }
}
