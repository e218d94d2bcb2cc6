/// The inside of JSON strings: UTF-8 and escapes.
enum JSONString {
    /// ASCII that stands for itself.
    @inline(__always)
    static func isPlain(_ byte: UInt8) -> Bool {
        byte >= 0x20 && byte < 0x80 && byte != 0x22 && byte != 0x5C
    }

    /// The length of the UTF-8 sequence at `offset`, or nil: overlong forms, surrogates and code points above U+10FFFF
    /// are not UTF-8 (RFC 3629 §4).
    static func sequenceLength(at offset: Int, in bytes: UnsafeBufferPointer<UInt8>) -> Int? {
        func continues(_ index: Int, from low: UInt8 = 0x80, through high: UInt8 = 0xBF) -> Bool {
            index < bytes.count && bytes[index] >= low && bytes[index] <= high
        }
        switch bytes[offset] {
        case 0xC2...0xDF:
            return continues(offset + 1) ? 2 : nil
        case 0xE0:
            return continues(offset + 1, from: 0xA0) && continues(offset + 2) ? 3 : nil
        case 0xED:
            return continues(offset + 1, through: 0x9F) && continues(offset + 2) ? 3 : nil
        case 0xE1...0xEF:
            return continues(offset + 1) && continues(offset + 2) ? 3 : nil
        case 0xF0:
            return continues(offset + 1, from: 0x90) && continues(offset + 2) && continues(offset + 3) ? 4 : nil
        case 0xF1...0xF3:
            return continues(offset + 1) && continues(offset + 2) && continues(offset + 3) ? 4 : nil
        case 0xF4:
            return continues(offset + 1, through: 0x8F) && continues(offset + 2) && continues(offset + 3) ? 4 : nil
        default:
            return nil
        }
    }

    /// The UTF-16 code unit of the `\uXXXX` that starts at `offset`, or nil; six bytes must be there.
    static func codeUnit(at offset: Int, in bytes: UnsafeBufferPointer<UInt8>) -> UInt32? {
        var unit: UInt32 = 0
        for index in offset + 2..<offset + 6 {
            guard let digit = Hex.value(bytes[index]) else { return nil }
            unit = unit << 4 | UInt32(digit)
        }
        return unit
    }

    /// The UTF-8 of a string token that the reader has accepted.
    static func unescape(_ token: JSONToken, in bytes: UnsafeBufferPointer<UInt8>) -> [UInt8] {
        let content = bytes[Int(token.start)..<Int(token.end)]
        guard token.hasEscapes else { return Array(content) }
        var result: [UInt8] = []
        unescape(token, in: bytes, into: &result)
        return result
    }

    /// The same in room that is there, of which nothing is given back.
    static func unescape(_ token: JSONToken, in bytes: UnsafeBufferPointer<UInt8>, into result: inout [UInt8]) {
        let content = bytes[Int(token.start)..<Int(token.end)]
        result.removeAll(keepingCapacity: true)
        result.reserveCapacity(content.count)
        var index = content.startIndex
        while index < content.endIndex {
            guard bytes[index] == 0x5C else {
                result.append(bytes[index])
                index += 1
                continue
            }
            index += appendEscape(at: index, in: bytes, to: &result)
        }
    }

    /// Appends what the escape at `index` stands for; the number of bytes that it takes.
    private static func appendEscape(
        at index: Int,
        in bytes: UnsafeBufferPointer<UInt8>,
        to result: inout [UInt8]
    ) -> Int {
        switch bytes[index + 1] {
        case 0x62: result.append(0x08)
        case 0x66: result.append(0x0C)
        case 0x6E: result.append(0x0A)
        case 0x72: result.append(0x0D)
        case 0x74: result.append(0x09)
        case 0x75:
            // The reader has checked form and pairing; a value it let through is never nil here.
            guard let unit = codeUnit(at: index, in: bytes) else { return 2 }
            if unit & 0xF800 == 0xD800, let low = codeUnit(at: index + 6, in: bytes) {
                append(0x10000 + (unit & 0x3FF) << 10 | (low & 0x3FF), to: &result)
                return 12
            }
            append(unit, to: &result)
            return 6
        default: result.append(bytes[index + 1])
        }
        return 2
    }

    private static func append(_ value: UInt32, to result: inout [UInt8]) {
        guard let scalar = Unicode.Scalar(value) else { return }
        result.append(contentsOf: UTF8.encode(scalar) ?? .init())
    }
}
