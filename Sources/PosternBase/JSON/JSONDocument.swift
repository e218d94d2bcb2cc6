/// A JSON text that has been read once, strictly; values are views of it and copy nothing until they are asked for.
package struct JSONDocument: Sendable {
    let bytes: [UInt8]
    let tape: [JSONToken]

    /// Reads `bytes` as one JSON value (RFC 8259, strictly; see `JSONReader`).
    package init(_ bytes: [UInt8], maximumSize: Int = .max) throws(JSONError) {
        var failure: JSONError?
        var tape: [JSONToken] = []
        bytes.withUnsafeBufferPointer { buffer in
            do throws(JSONError) {
                guard buffer.count <= maximumSize else { throw JSONError(.tooLarge, at: 0, in: buffer) }
                tape = try JSONReader.read(buffer)
            } catch {
                failure = error
            }
        }
        if let failure { throw failure }
        self.bytes = bytes
        self.tape = tape
    }

    package init(_ text: String) throws(JSONError) { try self.init(Array(text.utf8)) }

    package var root: JSONValue { JSONValue(document: self, index: 0) }

    package func value(at place: Int) -> JSONValue { JSONValue(document: self, index: place) }

    // MARK: - Without a view

    // A view keeps the document alive and so costs a count up and down; where claims are checked by the million, these
    // look at a place of the document itself.

    package var rootIsObject: Bool { tape[0].kind == .object }

    package func isString(at place: Int) -> Bool { tape[place].kind == .string }

    /// Calls `body` with the name (escapes resolved, valid during the call) and the place of each member of the root object.
    package func forEachRootMember(_ body: (_ name: UnsafeBufferPointer<UInt8>, _ place: Int) -> Void) {
        bytes.withUnsafeBufferPointer { bytes in
            tape.withUnsafeBufferPointer { tape in
                guard tape[0].kind == .object else { return }
                var name = 1
                while name < tape.count {
                    let token = tape[name]
                    if token.hasEscapes {
                        JSONString.unescape(token, in: bytes).withUnsafeBufferPointer { body($0, name + 1) }
                    } else {
                        body(UnsafeBufferPointer(rebasing: bytes[Int(token.start)..<Int(token.end)]), name + 1)
                    }
                    name = Int(tape[name + 1].next)
                }
            }
        }
    }

    /// Calls `body` with the UTF-8 bytes of a string, escapes resolved; with nil when there is no string at `place`.
    package func withStringBytes(at place: Int, _ body: (UnsafeBufferPointer<UInt8>?) -> Void) {
        let token = tape[place]
        guard token.kind == .string else { return body(nil) }
        bytes.withUnsafeBufferPointer { bytes in
            if token.hasEscapes { return JSONString.unescape(token, in: bytes).withUnsafeBufferPointer { body($0) } }
            body(UnsafeBufferPointer(rebasing: bytes[Int(token.start)..<Int(token.end)]))
        }
    }

    /// The number of UTF-8 bytes of a string, escapes resolved; nil when there is no string at `place`.
    package func stringByteCount(at place: Int) -> Int? {
        let token = tape[place]
        guard token.kind == .string else { return nil }
        guard token.hasEscapes else { return Int(token.end - token.start) }
        return bytes.withUnsafeBufferPointer { JSONString.unescape(token, in: $0).count }
    }

    /// Whether at `place` is a string that is `wanted`, byte for byte.
    package func isString(at place: Int, equalTo wanted: String) -> Bool {
        var wanted = wanted
        return wanted.withUTF8 { isString(at: place, equalTo: $0) }
    }

    package func isString(at place: Int, equalTo wanted: UnsafeBufferPointer<UInt8>) -> Bool {
        let token = tape[place]
        guard token.kind == .string else { return false }
        return bytes.withUnsafeBufferPointer { bytes in
            if token.hasEscapes { return JSONString.unescape(token, in: bytes).elementsEqual(wanted) }
            guard Int(token.end - token.start) == wanted.count else { return false }
            var index = 0
            let start = Int(token.start)
            while index < wanted.count, bytes[start &+ index] == wanted[index] { index &+= 1 }
            return index == wanted.count
        }
    }

    /// The greatest integer that is not above a number; nil when there is no number at `place` or it does not fit 64 bits.
    package func flooredNumber(at place: Int) -> (value: Int64, isExact: Bool)? {
        let token = tape[place]
        guard token.kind == .number else { return nil }
        return bytes.withUnsafeBufferPointer { JSONNumber.floor($0[Int(token.start)..<Int(token.end)]) }
    }
}
