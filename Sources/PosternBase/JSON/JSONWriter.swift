internal import Glibc

/// Writes a JSON text from front to back, without a form in between.
///
/// It puts the commas. What it writes is strict JSON, and nothing in it can steer a terminal, end a line or turn the
/// direction of text for whoever looks at it.
package struct JSONWriter: Sendable {
    /// The first `count` bytes are the text; the rest is room for more. To write into room costs a third of what it costs to
    /// append to an array, and a verdict is written in some forty pieces.
    private var room: [UInt8]
    package private(set) var count = 0
    private var needsComma = false

    package init(capacity: Int = 0) { room = [UInt8](repeating: 0, count: capacity) }

    /// The text in UTF-8, on one line. The writer is done with: it hands over what it has written and copies nothing.
    package consuming func finish() -> [UInt8] {
        room.removeLast(room.count - count)
        return room
    }

    /// The text, on one line.
    package var text: String { String(decoding: room[..<count], as: UTF8.self) }

    // MARK: - Bytes

    /// Has `body` write exactly so many bytes, after a comma if there is to be one.
    @inline(__always)
    private mutating func put(_ length: Int, comma: Bool = false, _ body: (UnsafeMutablePointer<UInt8>) -> Void) {
        let start = count
        let end = start + length + (comma ? 1 : 0)
        if end > room.count { room += repeatElement(0, count: max(room.count, end - room.count, 64)) }
        room.withUnsafeMutableBufferPointer { room in
            guard var place = room.baseAddress else { return }
            place += start
            if comma {
                place.pointee = 0x2C
                place += 1
            }
            body(place)
        }
        count = end
    }

    @inline(__always)
    private mutating func put(_ byte: UInt8, comma: Bool = false) { put(1, comma: comma) { $0.pointee = byte } }

    @inline(__always)
    private mutating func put(_ text: UnsafeBufferPointer<UInt8>, comma: Bool = false) {
        put(text.count, comma: comma) { place in
            if let start = text.baseAddress { memcpy(place, start, text.count) }
        }
    }

    @inline(__always)
    private mutating func put(_ text: StaticString, comma: Bool = false) {
        put(UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount), comma: comma)
    }

    /// Whether a comma belongs before the value that comes now.
    private mutating func takeComma() -> Bool {
        defer { needsComma = true }
        return needsComma
    }

    // MARK: - Structure

    /// An object whose members `body` writes.
    package mutating func object<Failure: Error>(
        _ body: (inout JSONWriter) throws(Failure) -> Void
    ) throws(Failure) {
        beginObject()
        try body(&self)
        endObject()
    }

    /// An array whose elements `body` writes.
    package mutating func array<Failure: Error>(
        _ body: (inout JSONWriter) throws(Failure) -> Void
    ) throws(Failure) {
        beginArray()
        try body(&self)
        endArray()
    }

    // For what is written bit by bit; who begins must end.

    package mutating func beginObject() { begin(0x7B) }
    package mutating func endObject() { end(0x7D) }
    package mutating func beginArray() { begin(0x5B) }
    package mutating func endArray() { end(0x5D) }

    private mutating func begin(_ bracket: UInt8) {
        put(bracket, comma: needsComma)
        needsComma = false
    }

    private mutating func end(_ bracket: UInt8) {
        put(bracket)
        needsComma = true
    }

    // MARK: - Members

    /// The name of a member, whose value is to follow; it holds nothing that needs an escape.
    package mutating func name(_ name: StaticString) {
        let count = name.utf8CodeUnitCount
        put(count + 3, comma: needsComma) { place in
            place[0] = 0x22
            memcpy(place + 1, name.utf8Start, count)
            place[count + 1] = 0x22
            place[count + 2] = 0x3A
        }
        needsComma = false
    }

    /// The name of a member that is known only at run time.
    package mutating func name(dynamic name: String) {
        string(name)
        put(0x3A)
        needsComma = false
    }

    /// A word that holds nothing that needs an escape.
    package mutating func member(_ name: StaticString, word: StaticString) {
        self.name(name)
        let count = word.utf8CodeUnitCount
        put(count + 2, comma: takeComma()) { place in
            place[0] = 0x22
            memcpy(place + 1, word.utf8Start, count)
            place[count + 1] = 0x22
        }
    }

    package mutating func member(_ name: StaticString, _ text: String?) {
        self.name(name)
        if let text { string(text) } else { null() }
    }

    package mutating func member(_ name: StaticString, _ number: Int64?) {
        self.name(name)
        if let number { integer(number) } else { null() }
    }

    package mutating func member(_ name: StaticString, _ flag: Bool) {
        self.name(name)
        bool(flag)
    }

    /// A text that was read, copied; null when there is none at `place`.
    package mutating func member(_ name: StaticString, textAt place: Int?, in document: JSONDocument) {
        self.name(name)
        guard let place else { return null() }
        document.withStringBytes(at: place) { text in
            if let text { string(text) } else { null() }
        }
    }

    package mutating func member(_ name: StaticString, _ value: JSONOutput) {
        self.name(name)
        write(value)
    }

    // MARK: - Values

    package mutating func string(_ text: String) {
        // A span, other than a view of the text, counts no reference.
        text.utf8Span.span.withUnsafeBufferPointer { string($0) }
    }

    /// `text` is UTF-8.
    package mutating func string(_ text: UnsafeBufferPointer<UInt8>) {
        let comma = takeComma()
        if PlainText.prefix(of: text) == text.count {
            put(text.count + 2, comma: comma) { place in
                place[0] = 0x22
                if let start = text.baseAddress { memcpy(place + 1, start, text.count) }
                place[text.count + 1] = 0x22
            }
            return
        }
        put(0x22, comma: comma)
        for scalar in String(decoding: text, as: UTF8.self).unicodeScalars { append(scalar) }
        put(0x22)
    }

    package mutating func integer(_ number: Int64) {
        let comma = takeComma()
        // Written from behind, so that nobody has to count the digits first.
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: DecimalDigits.maximumCount) { digits in
            var place = DecimalDigits.write(number.magnitude, toEndOf: digits)
            if number < 0 {
                place &-= 1
                digits[place] = 0x2D
            }
            put(UnsafeBufferPointer(rebasing: UnsafeBufferPointer(digits)[place...]), comma: comma)
        }
    }

    package mutating func bool(_ flag: Bool) { put(flag ? "true" : "false", comma: takeComma()) }

    package mutating func null() { put("null", comma: takeComma()) }

    package mutating func write(_ value: JSONOutput) {
        switch value {
        case .object(let members):
            object { writer in
                for (name, value) in members {
                    writer.name(dynamic: name)
                    writer.write(value)
                }
            }
        case .array(let elements): array { writer in for element in elements { writer.write(element) } }
        case .string(let text): string(text)
        case .integer(let number): integer(number)
        case .bool(let flag): bool(flag)
        case .null: null()
        case .value(let value): self.value(value)
        case .written(let writer):
            let comma = takeComma()
            writer.room.withUnsafeBufferPointer { room in
                put(UnsafeBufferPointer(rebasing: room[..<writer.count]), comma: comma)
            }
        }
    }

    // MARK: - What was read

    /// A value that was read, written anew: unescaped and escaped again, numbers as they stood.
    package mutating func value(_ value: JSONValue) {
        value.document.withContents { source, tape in
            let token = tape[value.index]
            // In visible ASCII alone, without a backslash or a space, it is already what would be written.
            let text = UnsafeBufferPointer(rebasing: source[Int(token.start)..<Int(token.end)])
            guard token.kind == .object || token.kind == .array, PlainText.isPlainJSON(text) else {
                return copy(value.index, source, tape)
            }
            put(text, comma: takeComma())
        }
    }

    /// The reader bounds the depth.
    private mutating func copy(
        _ place: Int,
        _ source: UnsafeBufferPointer<UInt8>,
        _ tape: UnsafeBufferPointer<JSONToken>
    ) {
        let token = tape[place]
        switch token.kind {
        case .object:
            object { writer in
                var name = place + 1
                while name < Int(token.next) {
                    writer.copyText(tape[name], source)
                    writer.put(0x3A)
                    writer.needsComma = false
                    writer.copy(name + 1, source, tape)
                    name = Int(tape[name + 1].next)
                }
            }
        case .array:
            array { writer in
                var element = place + 1
                while element < Int(token.next) {
                    writer.copy(element, source, tape)
                    element = Int(tape[element].next)
                }
            }
        case .string: copyText(token, source)
        case .number, .yes, .no, .null:
            put(UnsafeBufferPointer(rebasing: source[Int(token.start)..<Int(token.end)]), comma: takeComma())
        }
    }

    private mutating func copyText(_ token: JSONToken, _ source: UnsafeBufferPointer<UInt8>) {
        if token.hasEscapes {
            JSONString.unescape(token, in: source).withUnsafeBufferPointer { string($0) }
        } else {
            string(UnsafeBufferPointer(rebasing: source[Int(token.start)..<Int(token.end)]))
        }
    }

    // MARK: - Escapes

    private mutating func append(_ scalar: Unicode.Scalar) {
        switch scalar.value {
        case 0x22: put("\\\"")
        case 0x5C: put("\\\\")
        case 0x0A: put("\\n")
        case 0x0D: put("\\r")
        case 0x09: put("\\t")
        case _ where !scalar.isPlain: for unit in UTF16.encode(scalar) ?? .init() { putEscape(unit) }
        default: for byte in UTF8.encode(scalar) ?? .init() { put(byte) }
        }
    }

    private mutating func putEscape(_ unit: UInt16) {
        put("\\u")
        for shift in stride(from: UInt16(12), through: 0, by: -4) {
            put(Hex.digit(UInt8(truncatingIfNeeded: (unit >> shift) & 15)))
        }
    }
}
