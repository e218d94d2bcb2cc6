/// A strict single-pass reader of RFC 8259 JSON.
///
/// Stricter than the RFC demands: UTF-8 without byte-order mark, no duplicate member names at any depth (RFC 7515 §4 and
/// RFC 7519 §4 allow a reader to refuse them), bounded depth, no lone surrogates, nothing after the value. Numbers stay
/// text. Never recurses, so depth costs no stack.
struct JSONReader {
    static let maximumDepth = 32

    private let bytes: UnsafeBufferPointer<UInt8>
    private var position = 0
    private(set) var tape: [JSONToken] = []
    private var frames: [Frame] = []

    /// What is known of a container that is still open.
    private struct Frame {
        let token: Int
        let isObject: Bool
        var memberCount = 0
        /// A 64-bit filter over the names so far: most new names are seen to be new at once.
        var filter: UInt64 = 0
        /// Names with escapes, or many of them, are compared at the end by hash.
        var checkByHash = false
    }

    private init(_ bytes: UnsafeBufferPointer<UInt8>) {
        self.bytes = bytes
        tape.reserveCapacity(min(bytes.count / 2 + 1, 48))
    }

    static func read(_ bytes: UnsafeBufferPointer<UInt8>) throws(JSONError) -> [JSONToken] {
        // Offsets on the tape are 32 bits wide.
        guard bytes.count < Int(UInt32.max) else { throw JSONError(.tooLarge, at: 0, in: bytes) }
        var reader = JSONReader(bytes)
        try reader.readDocument()
        return reader.tape
    }

    private func failure(_ reason: JSONError.Reason, at offset: Int? = nil) -> JSONError {
        JSONError(reason, at: offset ?? position, in: bytes)
    }

    // MARK: - Structure

    private mutating func readDocument() throws(JSONError) {
        if bytes.count >= 3, bytes[0] == 0xEF, bytes[1] == 0xBB, bytes[2] == 0xBF { throw failure(.byteOrderMark) }
        skipSpace()
        guard position < bytes.count else { throw failure(.empty) }
        try readValue()
        while let frame = frames.last {
            try continueContainer(frame)
        }
        skipSpace()
        guard position == bytes.count else { throw failure(.trailingBytes) }
    }

    /// Reads what follows inside the innermost open container: its end, or one more element.
    private mutating func continueContainer(_ frame: Frame) throws(JSONError) {
        let end: UInt8 = frame.isObject ? 0x7D : 0x5D
        skipSpace()
        guard position < bytes.count else { throw failure(.unexpectedEnd) }
        if bytes[position] == end {
            position += 1
            try closeContainer()
            return
        }
        if frame.memberCount > 0 {
            guard bytes[position] == 0x2C else { throw failure(.unexpectedByte) }
            position += 1
            skipSpace()
        }
        frames[frames.count - 1].memberCount += 1
        if frame.isObject { try readName() }
        try readValue()
    }

    private mutating func openContainer(_ kind: JSONToken.Kind) throws(JSONError) {
        guard frames.count < Self.maximumDepth else { throw failure(.tooDeep) }
        frames.append(Frame(token: tape.count, isObject: kind == .object))
        append(kind, from: position, to: position)
        position += 1
    }

    private mutating func closeContainer() throws(JSONError) {
        guard let frame = frames.popLast() else { return }
        tape[frame.token].end = UInt32(position)
        tape[frame.token].next = UInt32(tape.count)
        if frame.checkByHash { try refuseDuplicatesByHash(in: frame.token) }
    }

    private mutating func readValue() throws(JSONError) {
        guard position < bytes.count else { throw failure(.unexpectedEnd) }
        switch bytes[position] {
        case 0x22: try readString()
        case 0x7B: try openContainer(.object)
        case 0x5B: try openContainer(.array)
        case 0x74: try readWord("true", .true_)
        case 0x66: try readWord("false", .false_)
        case 0x6E: try readWord("null", .null)
        case 0x2D, 0x30...0x39: try readNumber()
        default: throw failure(.unexpectedByte)
        }
    }

    private mutating func readWord(_ word: StaticString, _ kind: JSONToken.Kind) throws(JSONError) {
        let count = word.utf8CodeUnitCount
        guard bytes.count - position >= count else { throw failure(.unexpectedEnd) }
        for index in 0..<count where bytes[position + index] != word.utf8Start[index] {
            throw failure(.unexpectedByte, at: position + index)
        }
        append(kind, from: position, to: position + count)
        position += count
    }

    private mutating func append(_ kind: JSONToken.Kind, from start: Int, to end: Int, escapes: Bool = false) {
        tape.append(
            JSONToken(
                kind: kind,
                hasEscapes: escapes,
                start: UInt32(truncatingIfNeeded: start),
                end: UInt32(truncatingIfNeeded: end),
                next: UInt32(truncatingIfNeeded: tape.count + 1)
            )
        )
    }

    private mutating func skipSpace() {
        while position < bytes.count {
            switch bytes[position] {
            case 0x20, 0x09, 0x0A, 0x0D: position += 1
            default: return
            }
        }
    }

    // MARK: - Names

    private mutating func readName() throws(JSONError) {
        guard position < bytes.count else { throw failure(.unexpectedEnd) }
        guard bytes[position] == 0x22 else { throw failure(.unexpectedByte) }
        let nameStart = position
        try readString()
        try noteName(tape.count - 1, at: nameStart)
        skipSpace()
        guard position < bytes.count else { throw failure(.unexpectedEnd) }
        guard bytes[position] == 0x3A else { throw failure(.unexpectedByte) }
        position += 1
        skipSpace()
    }

    /// Members up to this many are compared one by one when the filter is in doubt; more of them by hash, so that no
    /// object costs more than its length.
    private static let comparedOneByOne = 16

    private mutating func noteName(_ name: Int, at offset: Int) throws(JSONError) {
        let top = frames.count - 1
        guard !frames[top].checkByHash else { return }
        let token = tape[name]
        guard !token.hasEscapes, frames[top].memberCount <= Self.comparedOneByOne else {
            frames[top].checkByHash = true
            return
        }
        let count = token.end - token.start
        let first = count > 0 ? UInt32(bytes[Int(token.start)]) : 0
        let last = count > 0 ? UInt32(bytes[Int(token.end) - 1]) : 0
        let bit = UInt64(1) << UInt64((count &* 7 &+ first &* 5 &+ last &* 3) & 63)
        if frames[top].filter & bit != 0, isKnown(name, since: frames[top].token) {
            throw failure(.duplicateName, at: offset)
        }
        frames[top].filter |= bit
    }

    private func isKnown(_ name: Int, since container: Int) -> Bool {
        let wanted = tape[name]
        let count = Int(wanted.end - wanted.start)
        var other = container + 1
        while other < name {
            let token = tape[other]
            if Int(token.end - token.start) == count {
                var index = 0
                while index < count, bytes[Int(token.start) + index] == bytes[Int(wanted.start) + index] { index += 1 }
                if index == count { return true }
            }
            other = Int(tape[other + 1].next)
        }
        return false
    }

    private func refuseDuplicatesByHash(in container: Int) throws(JSONError) {
        // Swift's hashing is keyed anew in each process, so nobody can prepare names that collide.
        var seen: Set<[UInt8]> = []
        var name = container + 1
        let end = Int(tape[container].next)
        while name < end {
            let token = tape[name]
            guard seen.insert(JSONString.unescape(token, in: bytes)).inserted else {
                throw failure(.duplicateName, at: Int(token.start) - 1)
            }
            name = Int(tape[name + 1].next)
        }
    }

    // MARK: - Strings and numbers

    private mutating func readString() throws(JSONError) {
        position += 1
        let start = position
        var escapes = false
        while position < bytes.count {
            let byte = bytes[position]
            if JSONString.isPlain(byte) {
                position &+= 1
            } else if byte == 0x22 {
                append(.string, from: start, to: position, escapes: escapes)
                position += 1
                return
            } else if byte == 0x5C {
                escapes = true
                position += try escapeLength()
            } else if byte < 0x20 {
                throw failure(.controlCharacter)
            } else {
                position += try sequenceLength()
            }
        }
        throw failure(.unexpectedEnd)
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

    private mutating func readNumber() throws(JSONError) {
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
        // "01" or "1x": a number ends where a separator stands.
        if position < bytes.count, bytes[position] &- 0x30 < 10 { throw failure(.invalidNumber, at: start) }
        append(.number, from: start, to: position)
    }

    private mutating func readDigits(from start: Int) throws(JSONError) {
        let first = position
        while position < bytes.count, bytes[position] &- 0x30 < 10 { position += 1 }
        guard position > first else { throw failure(.invalidNumber, at: start) }
    }
}
