internal import Glibc

/// A JSON text that has been read once, strictly; values are views of it and copy nothing until they are asked for.
package struct JSONDocument: @unchecked Sendable {
    // @unchecked: what is in the storage is never written after reading.
    private let storage: JSONStorage

    init(_ storage: JSONStorage) { self.storage = storage }

    /// Reads `bytes` as one JSON value (RFC 8259, strictly; see `JSONReader`).
    package init(_ bytes: [UInt8]) throws(JSONError) { self = try JSONText(bytes).read() }

    /// Names and values in a text of few members.
    private static let fewValues = 16_384

    /// The same where neither an object with more members than are compared one by one has a meaning, nor a text with many
    /// thousand values: it costs little to refuse it.
    package init(ofFewMembers bytes: [UInt8]) throws(JSONError) {
        self = try JSONText(bytes, maximumValues: Self.fewValues)
            .read(maximumMembers: JSONReader.comparedOneByOne, maximumValues: Self.fewValues)
    }

    /// Calls `body` with the bytes and the tape over them.
    @inline(__always)
    func withContents<Result>(
        _ body: (_ bytes: UnsafeBufferPointer<UInt8>, _ tape: UnsafeBufferPointer<JSONToken>) -> Result
    ) -> Result {
        storage.withReadContents(body)
    }

    @inline(__always)
    func token(at place: Int) -> JSONToken { withContents { _, tape in tape[place] } }

    package init(_ text: String) throws(JSONError) { try self.init(Array(text.utf8)) }

    package var root: JSONValue { JSONValue(document: self, index: 0) }

    package func value(at place: Int) -> JSONValue { JSONValue(document: self, index: place) }

    // MARK: - Without a view

    // A view keeps the document alive and so costs a count up and down; where claims are checked by the million, these
    // look at a place of the document itself.

    package var rootIsObject: Bool { token(at: 0).kind == .object }

    package func isString(at place: Int) -> Bool { token(at: place).kind == .string }

    /// Calls `body` with the name (escapes resolved, valid during the call), its head, and the place of the value of each member of
    /// the root object.
    ///
    /// The head is the first eight bytes of the name, or all it has, as one number, first byte highest: names up to eight bytes are
    /// told apart by it and their length.
    package func forEachRootMember(
        _ body: (_ name: UnsafeBufferPointer<UInt8>, _ head: UInt64, _ place: Int) -> Void
    ) {
        withContents { bytes, tape in
            guard tape[0].kind == .object else { return }
            var name = 1
            while name < tape.count {
                let token = tape[name]
                if token.hasEscapes {
                    JSONString.unescape(token, in: bytes).withUnsafeBufferPointer { text in
                        body(text, Self.head(of: text, in: text.count), name + 1)
                    }
                } else {
                    let text = UnsafeBufferPointer(rebasing: bytes[Int(token.start)..<Int(token.end)])
                    body(text, Self.head(of: text, in: bytes.count - Int(token.start)), name + 1)
                }
                name = Int(tape[name + 1].next)
            }
        }
    }

    /// `readable`: how many bytes there are from the start of the name on, its own and others.
    @inline(__always)
    private static func head(of name: UnsafeBufferPointer<UInt8>, in readable: Int) -> UInt64 {
        guard name.count > 0, let base = name.baseAddress else { return 0 }
        let unused = UInt64(8 &* (8 &- min(name.count, 8)))
        guard readable >= 8 else { return name.prefix(8).reduce(0) { $0 &<< 8 | UInt64($1) } }
        return UInt64(bigEndian: UnsafeRawPointer(base).loadUnaligned(as: UInt64.self)) &>> unused
    }

    /// Where the value of the member called `name` of the object at `object` stands; nil when there is none.
    package func place(of name: StaticString, in object: Int = 0) -> Int? {
        withContents { bytes, tape in
            guard tape[object].kind == .object, let base = bytes.baseAddress else { return nil }
            let wanted = UnsafeBufferPointer(start: name.utf8Start, count: name.utf8CodeUnitCount)
            var member = object + 1
            let end = Int(tape[object].next)
            while member < end {
                let token = tape[member]
                if token.hasEscapes {
                    if JSONString.unescape(token, in: bytes).elementsEqual(wanted) { return member + 1 }
                } else if Int(token.end &- token.start) == wanted.count,
                    memcmp(base + Int(token.start), name.utf8Start, wanted.count) == 0
                {
                    return member + 1
                }
                member = Int(tape[member + 1].next)
            }
            return nil
        }
    }

    /// `true` or `false`; nil when neither is at `place`.
    package func bool(at place: Int) -> Bool? {
        switch token(at: place).kind {
        case .yes: true
        case .no: false
        default: nil
        }
    }

    /// The text of a string; nil when there is no string at `place`.
    package func string(at place: Int) -> String? {
        withContents { bytes, tape in
            let token = tape[place]
            guard token.kind == .string else { return nil }
            if token.hasEscapes { return String(decoding: JSONString.unescape(token, in: bytes), as: UTF8.self) }
            return String(
                decoding: UnsafeBufferPointer(rebasing: bytes[Int(token.start)..<Int(token.end)]), as: UTF8.self)
        }
    }

    /// Calls `body` with the UTF-8 bytes of a string, escapes resolved; with nil when there is no string at `place`.
    package func withStringBytes(at place: Int, _ body: (UnsafeBufferPointer<UInt8>?) -> Void) {
        withContents { bytes, tape in
            let token = tape[place]
            guard token.kind == .string else { return body(nil) }
            if token.hasEscapes { return JSONString.unescape(token, in: bytes).withUnsafeBufferPointer { body($0) } }
            body(UnsafeBufferPointer(rebasing: bytes[Int(token.start)..<Int(token.end)]))
        }
    }

    /// The number of UTF-8 bytes of a string, escapes resolved; nil when there is no string at `place`.
    package func stringByteCount(at place: Int) -> Int? {
        withContents { bytes, tape in
            let token = tape[place]
            guard token.kind == .string else { return nil }
            return token.hasEscapes ? JSONString.unescape(token, in: bytes).count : Int(token.end - token.start)
        }
    }

    /// Whether at `place` is a string that is `wanted`, byte for byte.
    package func isString(at place: Int, equalTo wanted: String) -> Bool {
        // A span, other than a view of the text, counts no reference.
        wanted.utf8Span.span.withUnsafeBufferPointer { isString(at: place, equalTo: $0) }
    }

    package func isString(at place: Int, equalTo wanted: UnsafeBufferPointer<UInt8>) -> Bool {
        withContents { bytes, tape in
            let token = tape[place]
            guard token.kind == .string else { return false }
            if token.hasEscapes { return JSONString.unescape(token, in: bytes).elementsEqual(wanted) }
            guard Int(token.end - token.start) == wanted.count else { return false }
            guard let left = bytes.baseAddress, let right = wanted.baseAddress else { return true }
            return memcmp(left + Int(token.start), right, wanted.count) == 0
        }
    }

    /// A number that is a whole one and fits 64 bits; nil for everything else.
    package func integer(at place: Int) -> Int64? {
        guard let number = flooredNumber(at: place), number.isExact else { return nil }
        return number.value
    }

    /// The greatest integer that is not above a number; nil when there is no number at `place` or it does not fit 64 bits.
    package func flooredNumber(at place: Int) -> (value: Int64, isExact: Bool)? {
        withContents { bytes, tape in
            let token = tape[place]
            guard token.kind == .number else { return nil }
            return JSONNumber.floor(bytes[Int(token.start)..<Int(token.end)])
        }
    }
}
