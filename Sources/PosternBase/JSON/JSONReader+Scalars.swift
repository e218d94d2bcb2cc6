extension JSONReader {
    @inline(__always)
    mutating func readString() throws(JSONError) {
        let start = position &+ 1
        position = plainEnd(from: start)
        // Most strings hold nothing but plain characters.
        let isPlain = position < bytes.count && bytes[position] == 0x22
        let escapes = isPlain ? false : try readSpecial()
        try append(.string, from: start, to: position, escapes: escapes)
        position &+= 1
    }

    /// Reads on to the closing quote where a string is not all plain; whether there are escapes.
    private mutating func readSpecial() throws(JSONError) -> Bool {
        var escapes = false
        while true {
            guard position < bytes.count else { throw failure(.unexpectedEnd) }
            let byte = bytes[position]
            if byte == 0x22 {
                return escapes
            } else if byte == 0x5C {
                escapes = true
                position += try escapeLength()
            } else if byte < 0x20 {
                throw failure(.controlCharacter)
            } else {
                position += try sequenceLength()
            }
            position = plainEnd(from: position)
        }
    }

    /// The place of the next byte that is not ASCII that stands for itself.
    @inline(__always)
    private func plainEnd(from start: Int) -> Int {
        guard let base = bytes.baseAddress else { return start }
        let raw = UnsafeRawPointer(base)
        var place = start
        // Most strings are short; in long ones two words are looked at together.
        while bytes.count &- place >= 8 {
            let first = Self.special(raw.loadUnaligned(fromByteOffset: place, as: UInt64.self))
            if first != 0 { return place &+ first.trailingZeroBitCount &>> 3 }
            place &+= 8
            while bytes.count &- place >= 16 {
                let first = Self.special(raw.loadUnaligned(fromByteOffset: place, as: UInt64.self))
                let second = Self.special(raw.loadUnaligned(fromByteOffset: place &+ 8, as: UInt64.self))
                if first | second != 0 { break }
                place &+= 16
            }
        }
        while place < bytes.count, JSONString.isPlain(bytes[place]) { place &+= 1 }
        return place
    }

    /// The high bit of a byte is set where it is below 0x20, a quote, a backslash or not ASCII. A borrow can set it wrongly only
    /// above a byte where it is set rightly, and the lowest one decides.
    @inline(__always)
    private static func special(_ loaded: UInt64) -> UInt64 {
        let word = UInt64(littleEndian: loaded)
        let ones: UInt64 = 0x0101_0101_0101_0101
        // With one bit turned the quote stands right above the control characters, and nothing else does.
        let turned = word ^ (ones &* 0x02)
        let backslash = word ^ (ones &* 0x5C)
        return (((turned &- ones &* 0x21) & ~turned) | ((backslash &- ones) & ~backslash) | word) & (ones &* 0x80)
    }

    private func escapeLength() throws(JSONError) -> Int {
        guard position + 1 < bytes.count else { throw failure(.unexpectedEnd) }
        switch bytes[position + 1] {
        case 0x22, 0x5C, 0x2F, 0x62, 0x66, 0x6E, 0x72, 0x74: return 2
        case 0x75: break
        default: throw failure(.invalidEscape)
        }
        let unit = try codeUnit(at: position)
        guard unit & 0xF800 == 0xD800 else { return 6 }
        guard unit < 0xDC00, position + 7 < bytes.count, bytes[position + 6] == 0x5C, bytes[position + 7] == 0x75 else {
            throw failure(.loneSurrogate)
        }
        guard try codeUnit(at: position + 6) & 0xFC00 == 0xDC00 else { throw failure(.loneSurrogate) }
        return 12
    }

    private func codeUnit(at offset: Int) throws(JSONError) -> UInt32 {
        guard offset + 6 <= bytes.count else { throw failure(.unexpectedEnd) }
        guard let unit = JSONString.codeUnit(at: offset, in: bytes) else { throw failure(.invalidEscape) }
        return unit
    }

    private func sequenceLength() throws(JSONError) -> Int {
        guard let length = JSONString.sequenceLength(at: position, in: bytes) else { throw failure(.invalidUTF8) }
        return length
    }

    mutating func readNumber() throws(JSONError) {
        let start = position
        if bytes[position] == 0x2D { position += 1 }
        guard position < bytes.count else { throw failure(.invalidNumber, at: start) }
        if bytes[position] == 0x30 {
            position += 1
        } else {
            try readDigits(from: start)
        }
        if position < bytes.count, bytes[position] == 0x2E {
            position += 1
            try readDigits(from: start)
        }
        if position < bytes.count, bytes[position] | 0x20 == 0x65 {
            position += 1
            if position < bytes.count, bytes[position] == 0x2B || bytes[position] == 0x2D { position += 1 }
            try readDigits(from: start)
        }
        // "01": a number ends where a separator stands.
        if position < bytes.count, bytes[position] &- 0x30 < 10 { throw failure(.invalidNumber, at: start) }
        try append(.number, from: start, to: position)
    }

    private mutating func readDigits(from start: Int) throws(JSONError) {
        let first = position
        if let base = bytes.baseAddress, bytes.count &- position >= 8,
            JSONNumber.areDigits(UnsafeRawPointer(base).loadUnaligned(fromByteOffset: position, as: UInt64.self))
        {
            position &+= 8
        }
        while position < bytes.count, bytes[position] &- 0x30 < 10 { position &+= 1 }
        guard position > first else { throw failure(.invalidNumber, at: start) }
    }
}
