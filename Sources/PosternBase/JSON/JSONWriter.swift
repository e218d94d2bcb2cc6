/// Writes a JSON text from front to back, without a form in between.
///
/// It puts the commas. What it writes is strict JSON, and nothing in it can steer a terminal, end a line or turn the
/// direction of text for whoever looks at it.
package struct JSONWriter: Sendable {
    package private(set) var bytes: [UInt8] = []
    private var needsComma = false

    package init(capacity: Int = 0) { bytes.reserveCapacity(capacity) }

    /// The text, on one line.
    package var text: String { String(decoding: bytes, as: UTF8.self) }

    // MARK: - Structure

    /// An object whose members `body` writes.
    package mutating func object<Failure: Error>(
        _ body: (inout JSONWriter) throws(Failure) -> Void
    ) throws(Failure) {
        begin(0x7B)
        try body(&self)
        end(0x7D)
    }

    /// An array whose elements `body` writes.
    package mutating func array<Failure: Error>(
        _ body: (inout JSONWriter) throws(Failure) -> Void
    ) throws(Failure) {
        begin(0x5B)
        try body(&self)
        end(0x5D)
    }

    private mutating func begin(_ bracket: UInt8) {
        separate()
        bytes.append(bracket)
        needsComma = false
    }

    private mutating func end(_ bracket: UInt8) {
        bytes.append(bracket)
        needsComma = true
    }

    private mutating func separate() {
        if needsComma { bytes.append(0x2C) }
        needsComma = true
    }

    // MARK: - Members

    /// The name of a member, whose value is to follow; it holds nothing that needs an escape.
    package mutating func name(_ name: StaticString) {
        let count = name.utf8CodeUnitCount
        // In one piece: each step of growing an array costs more than the bytes.
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: count + 4) { piece in
            var start = 0
            if needsComma {
                piece[0] = 0x2C
                start = 1
            }
            piece[start] = 0x22
            for index in 0..<count { piece[start &+ 1 &+ index] = name.utf8Start[index] }
            piece[start + count + 1] = 0x22
            piece[start + count + 2] = 0x3A
            bytes.append(contentsOf: UnsafeBufferPointer(rebasing: piece[..<(start + count + 3)]))
        }
        needsComma = false
    }

    /// The name of a member that is known only at run time.
    package mutating func name(dynamic name: String) {
        string(name)
        bytes.append(0x3A)
        needsComma = false
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
        var text = text
        text.withUTF8 { string($0) }
    }

    /// `text` is UTF-8.
    package mutating func string(_ text: UnsafeBufferPointer<UInt8>) {
        separate()
        if PlainText.prefix(of: text) == text.count {
            bytes.append(0x22)
            bytes.append(contentsOf: text)
        } else {
            bytes.append(0x22)
            for scalar in String(decoding: text, as: UTF8.self).unicodeScalars { append(scalar) }
        }
        bytes.append(0x22)
    }

    package mutating func integer(_ number: Int64) {
        separate()
        bytes.append(contentsOf: String(number).utf8)
    }

    package mutating func bool(_ flag: Bool) {
        separate()
        bytes.append(contentsOf: (flag ? "true" : "false").utf8)
    }

    package mutating func null() {
        separate()
        bytes.append(contentsOf: "null".utf8)
    }

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
            separate()
            bytes.append(contentsOf: writer.bytes)
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
            separate()
            bytes.append(contentsOf: text)
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
                    writer.bytes.append(0x3A)
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
            separate()
            bytes.append(contentsOf: source[Int(token.start)..<Int(token.end)])
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
        default: bytes.append(contentsOf: UTF8.encode(scalar) ?? .init())
        }
    }

    private mutating func put(_ text: StaticString) {
        bytes.append(contentsOf: UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
    }

    private mutating func putEscape(_ unit: UInt16) {
        put("\\u")
        for shift in stride(from: UInt16(12), through: 0, by: -4) {
            bytes.append(Hex.digit(UInt8(truncatingIfNeeded: (unit >> shift) & 15)))
        }
    }
}
