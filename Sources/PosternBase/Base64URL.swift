/// Base64url without padding, canonical form only (RFC 4648 §5, RFC 7515 §2).
///
/// Decoding refuses padding, white space, the standard alphabet, a length of 4n+1 and non-zero trailing bits, so that one
/// byte string has exactly one text.
package enum Base64URL {
    /// The number of bytes that `encodedCount` characters stand for, or nil when no text has that length.
    @inlinable
    package static func decodedCount(of encodedCount: Int) -> Int? {
        encodedCount & 3 == 1 ? nil : (encodedCount >> 2) * 3 + (encodedCount & 3) * 3 / 4
    }

    /// Decodes into `output`, which must have room for `decodedCount(of: input.count)` bytes; false when not canonical.
    package static func decode(
        _ input: UnsafeBufferPointer<UInt8>,
        into output: UnsafeMutableBufferPointer<UInt8>
    ) -> Bool {
        guard input.count & 3 != 1 else { return false }
        guard let source = input.baseAddress, input.count > 0 else { return true }
        guard let target = output.baseAddress, output.count * 4 >= input.count * 3 - 2 else { return false }
        let table = DecodingTable.shared
        let whole = input.count & ~3
        var invalid: UInt32 = 0
        var read = 0
        var write = 0
        // Eight bytes are stored for six and four for three, so the last groups are left to the careful loops below. The
        // mark of an invalid character may spoil bytes that are written; `invalid` keeps it, and nobody gets them.
        let raw = UnsafeMutableRawPointer(target)
        while read < whole - 8 {
            let first = table.group(source + read)
            let second = table.group(source + read + 4)
            invalid |= first | second
            let both = UInt64(first) &<< 40 | UInt64(second) &<< 16
            raw.storeBytes(of: both.bigEndian, toByteOffset: write, as: UInt64.self)
            read &+= 8
            write &+= 6
        }
        while read < whole - 4 {
            let group = table.group(source + read)
            invalid |= group
            raw.storeBytes(of: (group &<< 8).bigEndian, toByteOffset: write, as: UInt32.self)
            read &+= 4
            write &+= 3
        }
        while read < whole {
            let group = table.group(source + read)
            invalid |= group
            target[write] = UInt8(truncatingIfNeeded: group &>> 16)
            target[write &+ 1] = UInt8(truncatingIfNeeded: group &>> 8)
            target[write &+ 2] = UInt8(truncatingIfNeeded: group)
            read &+= 4
            write &+= 3
        }
        switch input.count & 3 {
        case 2:
            let group = table[Int(source[read])] | table[256 + Int(source[read + 1])]
            target[write] = UInt8(truncatingIfNeeded: group &>> 16)
            // Four unused bits must be zero, or two texts would mean the same bytes.
            if group & 0xFFFF != 0 { return false }
            invalid |= group
        case 3:
            let group =
                table[Int(source[read])] | table[256 + Int(source[read + 1])] | table[512 + Int(source[read + 2])]
            target[write] = UInt8(truncatingIfNeeded: group &>> 16)
            target[write + 1] = UInt8(truncatingIfNeeded: group &>> 8)
            if group & 0xFF != 0 { return false }
            invalid |= group
        default:
            break
        }
        return invalid & DecodingTable.invalid == 0
    }

    /// The decoded bytes, or nil when the text is not canonical base64url.
    package static func decode(_ text: some Collection<UInt8>) -> [UInt8]? {
        guard let count = decodedCount(of: text.count) else { return nil }
        let contiguous = text.withContiguousStorageIfAvailable { decode($0, count: count) }
        return contiguous ?? Array(text).withUnsafeBufferPointer { decode($0, count: count) }
    }

    /// The decoded bytes, or nil when the text is not canonical base64url.
    package static func decode(_ text: String) -> [UInt8]? { decode(text.utf8) }

    /// The decoded bytes, or nil when the text is not canonical base64url.
    package static func decode(_ text: UnsafeBufferPointer<UInt8>) -> [UInt8]? {
        decodedCount(of: text.count).flatMap { decode(text, count: $0) }
    }

    private static func decode(_ input: UnsafeBufferPointer<UInt8>, count: Int) -> [UInt8]? {
        var valid = false
        let bytes = [UInt8](unsafeUninitializedCapacity: count) { output, written in
            valid = decode(input, into: UnsafeMutableBufferPointer(rebasing: output[..<count]))
            written = valid ? count : 0
        }
        return valid ? bytes : nil
    }

    /// What `text` stands for in base64 of either alphabet, padded or not, canonical or not; nil when it is neither.
    ///
    /// For recognising only: nothing is accepted on the strength of it.
    package static func decodeLeniently(_ text: [UInt8]) -> [UInt8]? {
        var values = text.filter { $0 != 0x3D }.map { $0 == 0x2B ? 0x2D : $0 == 0x2F ? 0x5F : $0 }
        if values.count & 3 == 1 { values.removeLast() }
        // Letters that stand for bits beyond the last byte are taken for zero bits.
        if let last = values.last, values.count & 3 != 0, isInAlphabet(last) {
            values[values.count - 1] = withoutSpareBits(last, values.count & 3 == 2 ? 4 : 2)
        }
        return decode(values)
    }

    private static func withoutSpareBits(_ letter: UInt8, _ count: UInt8) -> UInt8 {
        let value = (UInt8(0)..<64).first { character($0) == letter } ?? 0
        return character((value >> count) << count)
    }

    /// The canonical text of `bytes`.
    package static func encode(_ bytes: some Collection<UInt8>) -> String { encode(Array(bytes)) }

    package static func encode(_ source: [UInt8]) -> String {
        let count = (source.count * 4 + 2) / 3
        return String(unsafeUninitializedCapacity: count) { output in
            source.withUnsafeBufferPointer { encode($0, into: UnsafeMutableBufferPointer(rebasing: output[..<count])) }
            return count
        }
    }

    /// `output` has room for just the text.
    private static func encode(
        _ source: UnsafeBufferPointer<UInt8>,
        into output: UnsafeMutableBufferPointer<UInt8>
    ) {
        var read = 0
        var write = 0
        while source.count &- read >= 3 {
            let group = UInt32(source[read]) &<< 16 | UInt32(source[read &+ 1]) &<< 8 | UInt32(source[read &+ 2])
            for place in 0..<4 { output[write &+ place] = character(of: group, place) }
            read &+= 3
            write &+= 4
        }
        guard read < source.count else { return }
        let isLast = read + 1 == source.count
        let group = UInt32(source[read]) &<< 16 | (isLast ? 0 : UInt32(source[read + 1]) &<< 8)
        for place in 0..<(isLast ? 2 : 3) { output[write + place] = character(of: group, place) }
    }

    /// The character at one of the four places of a group of 24 bits.
    @inline(__always)
    private static func character(of group: UInt32, _ place: Int) -> UInt8 {
        let value = Int(group &>> UInt32(18 &- 6 &* place) & 63)
        return alphabet.utf8Start[value]
    }

    private static var alphabet: StaticString { "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_" }

    /// Whether `byte` can stand in base64url at all.
    package static func isInAlphabet(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"):
            true
        default: false
        }
    }

    /// `value` is below 64.
    private static func character(_ value: UInt8) -> UInt8 { alphabet.utf8Start[Int(value & 63)] }

    /// Four tables of 256 entries, one for each place in a group of four characters, each value already shifted there.
    private enum DecodingTable {
        static let invalid: UInt32 = 0x8000_0000

        // Written once before first use and never freed.
        nonisolated(unsafe) static let shared: UnsafePointer<UInt32> = {
            let table = UnsafeMutablePointer<UInt32>.allocate(capacity: 1024)
            table.initialize(repeating: invalid, count: 1024)
            for value in UInt8(0)..<64 {
                let character = Int(Base64URL.character(value))
                for place in 0..<4 {
                    table[place * 256 + character] = UInt32(value) << UInt32(18 - 6 * place)
                }
            }
            return UnsafePointer(table)
        }()
    }
}

extension UnsafePointer<UInt32> {
    /// The 24 bits that the four characters at `source` stand for; the top bit is set when one of them is none.
    @inline(__always)
    fileprivate func group(_ source: UnsafePointer<UInt8>) -> UInt32 {
        self[Int(source[0])] | self[256 &+ Int(source[1])] | self[512 &+ Int(source[2])] | self[768 &+ Int(source[3])]
    }
}
