/// Lower-case hexadecimal text (RFC 4648 §8, but lower case as the nonce convention of Sign in with Apple has it).
package enum Hex {
    package static func encode(_ bytes: [UInt8]) -> String {
        String(unsafeUninitializedCapacity: bytes.count * 2) { text in
            bytes.withUnsafeBufferPointer { encode($0, into: text) }
            return bytes.count * 2
        }
    }

    /// Writes two characters a byte; `text` must have room for them.
    package static func encode(_ bytes: UnsafeBufferPointer<UInt8>, into text: UnsafeMutableBufferPointer<UInt8>) {
        for index in 0..<bytes.count {
            text[index &* 2] = digit(bytes[index] >> 4)
            text[index &* 2 &+ 1] = digit(bytes[index] & 15)
        }
    }

    /// Writes all sixteen digits of a number; `text` must have room for them.
    package static func encode(_ number: UInt64, into text: UnsafeMutableBufferPointer<UInt8>) {
        for place in 0..<16 { text[place] = digit(UInt8(truncatingIfNeeded: number &>> UInt64(60 &- 4 &* place)) & 15) }
    }

    /// The bytes of `text`, upper or lower case; nil for an odd length or another character.
    package static func decode(_ text: some StringProtocol) -> [UInt8]? {
        let characters = Array(text.utf8)
        guard characters.count.isMultiple(of: 2) else { return nil }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(characters.count / 2)
        for index in stride(from: 0, to: characters.count, by: 2) {
            guard let high = value(characters[index]), let low = value(characters[index + 1]) else { return nil }
            bytes.append(high << 4 | low)
        }
        return bytes
    }

    @inline(__always)
    package static func digit(_ value: UInt8) -> UInt8 { value < 10 ? value &+ 0x30 : value &- 10 &+ 0x61 }

    package static func value(_ character: UInt8) -> UInt8? {
        switch character {
        case 0x30...0x39: character - 0x30
        case 0x41...0x46: character - 0x41 + 10
        case 0x61...0x66: character - 0x61 + 10
        default: nil
        }
    }
}
