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
}

/// A value inside a JSON document.
public struct JSONValue: Sendable {
    public enum Kind: Sendable { case object, array, string, number, bool, null }

    let document: JSONDocument
    let index: Int

    private var token: JSONToken { document.tape[index] }

    public var kind: Kind {
        switch token.kind {
        case .object: .object
        case .array: .array
        case .string: .string
        case .number: .number
        case .true_, .false_: .bool
        case .null: .null
        }
    }

    /// The member called `name`, compared byte for byte; nil when there is none or this is no object.
    public subscript(name: String) -> JSONValue? {
        var name = name
        return name.withUTF8 { wanted in
            member { value in value.stringEquals(wanted) }
        }
    }

    private func member(where isWanted: (JSONValue) -> Bool) -> JSONValue? {
        guard token.kind == .object else { return nil }
        var name = index + 1
        let end = Int(token.next)
        while name < end {
            if isWanted(JSONValue(document: document, index: name)) {
                return JSONValue(document: document, index: name + 1)
            }
            name = Int(document.tape[name + 1].next)
        }
        return nil
    }

    /// The members of an object in their order; empty for everything else.
    public var members: [(name: String, value: JSONValue)] {
        guard token.kind == .object else { return [] }
        var result: [(name: String, value: JSONValue)] = []
        forEachMember { name, value in result.append((name.string ?? "", value)) }
        return result
    }

    /// The elements of an array; nil for everything else.
    public var elements: [JSONValue]? {
        guard token.kind == .array else { return nil }
        var result: [JSONValue] = []
        var element = index + 1
        let end = Int(token.next)
        while element < end {
            result.append(JSONValue(document: document, index: element))
            element = Int(document.tape[element].next)
        }
        return result
    }

    package func forEachMember(_ body: (_ name: JSONValue, _ value: JSONValue) -> Void) {
        guard token.kind == .object else { return }
        var name = index + 1
        let end = Int(token.next)
        while name < end {
            body(JSONValue(document: document, index: name), JSONValue(document: document, index: name + 1))
            name = Int(document.tape[name + 1].next)
        }
    }

    /// The text of a string.
    public var string: String? {
        stringBytes.map { String(decoding: $0, as: UTF8.self) }
    }

    /// The UTF-8 bytes of a string, escapes resolved.
    public var stringBytes: [UInt8]? {
        guard token.kind == .string else { return nil }
        return document.bytes.withUnsafeBufferPointer { JSONString.unescape(token, in: $0) }
    }

    /// The number of UTF-8 bytes of a string, escapes resolved.
    package var stringByteCount: Int? {
        guard token.kind == .string else { return nil }
        return token.hasEscapes ? stringBytes?.count : Int(token.end - token.start)
    }

    package func stringEquals(_ wanted: UnsafeBufferPointer<UInt8>) -> Bool {
        let token = self.token
        guard token.kind == .string else { return false }
        if token.hasEscapes { return stringBytes?.elementsEqual(wanted) ?? false }
        guard Int(token.end - token.start) == wanted.count else { return false }
        return document.bytes.withUnsafeBufferPointer { bytes in
            var index = 0
            let start = Int(token.start)
            while index < wanted.count, bytes[start + index] == wanted[index] { index += 1 }
            return index == wanted.count
        }
    }

    /// Whether this is a string that is `wanted`, byte for byte.
    public func stringEquals(_ wanted: String) -> Bool {
        var wanted = wanted
        return wanted.withUTF8 { stringEquals($0) }
    }

    public var bool: Bool? {
        switch token.kind {
        case .true_: true
        case .false_: false
        default: nil
        }
    }

    /// A number that is a whole one and fits 64 bits, converted exactly (`1e3` and `1000.0` are 1000).
    public var integer: Int64? {
        guard let number = truncatedNumber, number.isExact else { return nil }
        return number.value
    }

    /// A number cut to an integer towards zero; nil when it does not fit 64 bits.
    package var truncatedNumber: (value: Int64, isExact: Bool)? {
        guard token.kind == .number else { return nil }
        return document.bytes.withUnsafeBufferPointer {
            JSONNumber.truncated($0[Int(token.start)..<Int(token.end)])
        }
    }

    /// The value as it stands in the document, byte for byte.
    public var text: String {
        let quotes = token.kind == .string ? 1 : 0
        return String(decoding: document.bytes[Int(token.start) - quotes..<Int(token.end) + quotes], as: UTF8.self)
    }
}

extension JSONDocument {
    /// Calls `body` with the name (escapes resolved, valid during the call) and the place of each member of the root object.
    @inline(__always)
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

    package func value(at place: Int) -> JSONValue { JSONValue(document: self, index: place) }
}

extension JSONValue {
    /// Calls `body` with the UTF-8 bytes of a string, escapes resolved; nil when this is no string.
    package func withStringBytes<Result>(_ body: (UnsafeBufferPointer<UInt8>) -> Result) -> Result? {
        let token = document.tape[index]
        guard token.kind == .string else { return nil }
        if token.hasEscapes { return (stringBytes ?? []).withUnsafeBufferPointer(body) }
        return document.bytes.withUnsafeBufferPointer {
            body(UnsafeBufferPointer(rebasing: $0[Int(token.start)..<Int(token.end)]))
        }
    }
}
