/// A strict single-pass reader of RFC 8259 JSON.
///
/// Stricter than the RFC demands: UTF-8 without byte-order mark, no duplicate member names at any depth (RFC 7515 §4 and
/// RFC 7519 §4 allow a reader to refuse them), bounded depth, no lone surrogates, nothing after the value. Numbers stay
/// text. Never recurses, so depth costs no stack.
struct JSONReader: ~Copyable {
    static let maximumDepth = 32

    let bytes: UnsafeBufferPointer<UInt8>
    var position = 0
    let tape: UnsafeMutableBufferPointer<JSONToken>
    private(set) var tokenCount = 0
    private let frames: UnsafeMutableBufferPointer<Frame>
    private let maximumMembers: UInt32
    private var depth = 0

    /// What is known of a container that is still open; small, so that all of them fit on the stack.
    struct Frame {
        /// A 64-bit filter over the names so far: most new names are seen to be new at once.
        var filter: UInt64 = 0
        let token: UInt32
        /// Below the length of the text, which fits 32 bits.
        var memberCount: UInt32 = 0
        let isObject: Bool
        /// Names with escapes, or many of them, are compared at the end by hash.
        var checkByHash = false
    }

    private init(
        _ bytes: UnsafeBufferPointer<UInt8>,
        tape: UnsafeMutableBufferPointer<JSONToken>,
        frames: UnsafeMutableBufferPointer<Frame>,
        maximumMembers: UInt32
    ) {
        self.bytes = bytes
        self.tape = tape
        self.frames = frames
        self.maximumMembers = maximumMembers
    }

    /// A tape of this length is long enough for every text of `byteCount` bytes: a value and its separator or end take two
    /// or more, but for the containers that are open.
    static func sufficientCapacity(_ byteCount: Int) -> Int { byteCount / 2 + maximumDepth + 2 }

    /// Writes the tape and returns its length; nil when `tape` is too short. Of members no object may have more than
    /// `maximumMembers`, which is at least `comparedOneByOne`.
    static func read(
        _ bytes: UnsafeBufferPointer<UInt8>,
        onto tape: UnsafeMutableBufferPointer<JSONToken>,
        maximumMembers: UInt32
    ) throws(JSONError) -> Int? {
        // Offsets on the tape are 32 bits wide.
        guard bytes.count < Int(UInt32.max) else { throw JSONError(.tooLarge, at: 0, in: bytes) }
        var failure: JSONError?
        let count = withUnsafeTemporaryAllocation(of: Frame.self, capacity: maximumDepth) { frames in
            var reader = JSONReader(bytes, tape: tape, frames: frames, maximumMembers: maximumMembers)
            do throws(JSONError) {
                try reader.readDocument()
            } catch {
                failure = error
            }
            return reader.tokenCount
        }
        guard let failure else { return count }
        if failure.reason == .tapeFull { return nil }
        throw failure
    }

    // Not inlined: it looks for the line, and would crowd the paths of good texts.
    @inline(never)
    func failure(
        _ reason: JSONError.Reason,
        at offset: Int? = nil,
        expecting expected: JSONError.Expected? = nil
    ) -> JSONError {
        JSONError(reason, at: offset ?? position, in: bytes, expecting: expected)
    }

    // MARK: - Structure

    private mutating func readDocument() throws(JSONError) {
        if bytes.count >= 3, bytes[0] == 0xEF, bytes[1] == 0xBB, bytes[2] == 0xBF { throw failure(.byteOrderMark) }
        skipSpace()
        guard position < bytes.count else { throw failure(.empty) }
        try readValue(bytes[position])
        while depth > 0 { try continueContainer() }
        skipSpace()
        guard position == bytes.count else { throw failure(.trailingBytes) }
    }

    /// Reads what follows inside the innermost open container: its end, or one more element.
    @inline(__always)
    private mutating func continueContainer() throws(JSONError) {
        let top = depth &- 1
        let isObject = frames[top].isObject
        var byte = try nextByte()
        if byte == (isObject ? 0x7D : 0x5D) {
            position &+= 1
            try closeContainer()
            return
        }
        let memberCount = frames[top].memberCount
        if memberCount > 0 {
            guard byte == 0x2C else {
                throw failure(.unexpectedByte, expecting: isObject ? .next : .nextElement)
            }
            position &+= 1
            byte = try nextByte()
        }
        // Written out: Thread Sanitizer of Swift 6.3 cannot compile a change in place here.
        frames[top].memberCount = memberCount &+ 1
        if isObject {
            guard byte == 0x22 else { throw failure(.unexpectedByte, expecting: .name) }
            byte = try readName()
        }
        try readValue(byte)
    }

    private mutating func openContainer(_ kind: JSONToken.Kind) throws(JSONError) {
        guard depth < Self.maximumDepth else { throw failure(.tooDeep) }
        (frames.baseAddress.unsafelyUnwrapped + depth).initialize(
            to: Frame(token: UInt32(truncatingIfNeeded: tokenCount), isObject: kind == .object)
        )
        depth &+= 1
        try append(kind, from: position, to: position)
        position &+= 1
    }

    private mutating func closeContainer() throws(JSONError) {
        depth &-= 1
        let container = Int(frames[depth].token)
        tape[container].end = UInt32(truncatingIfNeeded: position)
        tape[container].next = UInt32(truncatingIfNeeded: tokenCount)
        if frames[depth].checkByHash { try refuseDuplicatesByHash(in: container, frames[depth].memberCount) }
    }

    /// `byte`: the one at `position`.
    @inline(__always)
    private mutating func readValue(_ byte: UInt8) throws(JSONError) {
        switch byte {
        case 0x22: try readString()
        case 0x7B: try openContainer(.object)
        case 0x5B: try openContainer(.array)
        case 0x74: try readWord("true", 0x7472_7565, .yes)
        case 0x66: try readWord("false", 0x616C_7365, .no)
        case 0x6E: try readWord("null", 0x6E75_6C6C, .null)
        case 0x2D, 0x30...0x39: try readNumber()
        default: throw failure(.unexpectedByte, expecting: .value)
        }
    }

    /// `tail`: the last four letters as one number.
    private mutating func readWord(
        _ word: StaticString,
        _ tail: UInt32,
        _ kind: JSONToken.Kind
    ) throws(JSONError) {
        let count = word.utf8CodeUnitCount
        if let base = bytes.baseAddress, bytes.count - position >= count {
            let letters = UnsafeRawPointer(base).loadUnaligned(fromByteOffset: position + count - 4, as: UInt32.self)
            if UInt32(bigEndian: letters) == tail {
                try append(kind, from: position, to: position + count)
                position += count
                return
            }
        }
        guard bytes.count - position >= count else { throw failure(.unexpectedEnd) }
        for index in 0..<count where bytes[position + index] != word.utf8Start[index] {
            throw failure(.unexpectedByte, at: position + index, expecting: .word)
        }
        throw failure(.unexpectedByte, expecting: .word)
    }

    @inline(__always)
    mutating func append(
        _ kind: JSONToken.Kind,
        from start: Int,
        to end: Int,
        escapes: Bool = false
    ) throws(JSONError) {
        guard tokenCount < tape.count else { throw JSONError.tapeFull }
        (tape.baseAddress.unsafelyUnwrapped + tokenCount).initialize(
            to: JSONToken(
                kind: kind,
                hasEscapes: escapes,
                start: UInt32(truncatingIfNeeded: start),
                end: UInt32(truncatingIfNeeded: end),
                next: UInt32(truncatingIfNeeded: tokenCount &+ 1)
            )
        )
        tokenCount &+= 1
    }

    @inline(__always)
    private mutating func skipSpace() {
        while position < bytes.count, Self.isSpace(bytes[position]) { position &+= 1 }
    }

    /// Moves to the next byte that is not white space.
    @inline(__always)
    private mutating func nextByte() throws(JSONError) -> UInt8 {
        while position < bytes.count {
            let byte = bytes[position]
            if !Self.isSpace(byte) { return byte }
            position &+= 1
        }
        throw failure(.unexpectedEnd)
    }

    @inline(__always)
    private static func isSpace(_ byte: UInt8) -> Bool {
        // Most bytes need no more than the first comparison.
        byte <= 0x20 && (byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D)
    }

    // MARK: - Names

    /// Reads a name and its colon; returns the first byte of the value.
    @inline(__always)
    private mutating func readName() throws(JSONError) -> UInt8 {
        let nameStart = position
        try readString()
        try noteName(tokenCount &- 1, at: nameStart)
        guard try nextByte() == 0x3A else { throw failure(.unexpectedByte, expecting: .colon) }
        position &+= 1
        return try nextByte()
    }

    /// Members up to this many are compared one by one when the filter is in doubt; more of them by hash, so that no
    /// object costs more than its length.
    static let comparedOneByOne: UInt32 = 16

    @inline(__always)
    private mutating func noteName(_ name: Int, at offset: Int) throws(JSONError) {
        let top = depth &- 1
        let token = tape[name]
        guard !frames[top].checkByHash, !token.hasEscapes, frames[top].memberCount <= Self.comparedOneByOne else {
            guard frames[top].memberCount <= maximumMembers else { throw failure(.tooManyMembers, at: offset) }
            frames[top].checkByHash = true
            return
        }
        let count = token.end &- token.start
        let first = count > 0 ? UInt32(bytes[Int(token.start)]) : 0
        let last = count > 0 ? UInt32(bytes[Int(token.end) &- 1]) : 0
        let bit = UInt64(1) &<< UInt64((count &* 7 &+ first &* 5 &+ last &* 3) & 63)
        if frames[top].filter & bit != 0, Self.isKnown(name, since: Int(frames[top].token), bytes, tape) {
            throw failure(.duplicateName, at: offset)
        }
        frames[top].filter = frames[top].filter | bit
    }

    private static func isKnown(
        _ name: Int,
        since container: Int,
        _ bytes: UnsafeBufferPointer<UInt8>,
        _ tape: UnsafeMutableBufferPointer<JSONToken>
    ) -> Bool {
        let wanted = tape[name]
        let count = Int(wanted.end &- wanted.start)
        var other = container + 1
        while other < name {
            let token = tape[other]
            if Int(token.end &- token.start) == count {
                var index = 0
                while index < count, bytes[Int(token.start) + index] == bytes[Int(wanted.start) + index] { index += 1 }
                if index == count { return true }
            }
            other = Int(tape[other + 1].next)
        }
        return false
    }

    /// One table for all names, none copied: an object with as many names as its length allows costs little more than to
    /// read it.
    private func refuseDuplicatesByHash(in container: Int, _ memberCount: UInt32) throws(JSONError) {
        let repeated = withUnsafeTemporaryAllocation(of: UInt64.self, capacity: NameTable.capacity(memberCount)) {
            slots -> Int? in
            var names = NameTable(slots, bytes)
            var name = container + 1
            let end = Int(tape[container].next)
            while name < end {
                if !names.insert(tape[name], at: name, tape) { return name }
                name = Int(tape[name + 1].next)
            }
            return nil
        }
        if let repeated { throw failure(.duplicateName, at: Int(tape[repeated].start) - 1) }
    }
}
