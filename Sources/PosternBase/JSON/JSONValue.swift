/// A value inside a JSON document.
public struct JSONValue: Sendable {
    /// The seven types of RFC 8259 §3, of which `true` and `false` are one here.
    public enum Kind: Sendable {
        /// Named members.
        case object
        /// Elements in order.
        case array
        /// Text.
        case string
        /// A number of any size; see `integer`.
        case number
        /// `true` or `false`.
        case bool
        /// `null`.
        case null
    }

    package let document: JSONDocument
    let index: Int

    private var token: JSONToken { document.token(at: index) }

    /// What the value is.
    public var kind: Kind {
        switch token.kind {
        case .object: .object
        case .array: .array
        case .string: .string
        case .number: .number
        case .yes, .no: .bool
        case .null: .null
        }
    }

    /// The member called `name`, compared byte for byte; nil when there is none or this is no object.
    public subscript(name: String) -> JSONValue? {
        var name = name
        return name.withUTF8 { wanted in
            member { document.isString(at: $0, equalTo: wanted) }
        }
    }

    /// The same for a name that is written in the source, faster.
    package func member(_ name: StaticString) -> JSONValue? {
        document.place(of: name, in: index).map { JSONValue(document: document, index: $0) }
    }

    /// Where in the document the value of that member stands: who only looks at it needs no view of it.
    package func place(of name: StaticString) -> Int? { document.place(of: name, in: index) }

    private func member(where isWanted: (Int) -> Bool) -> JSONValue? {
        guard token.kind == .object else { return nil }
        var name = index + 1
        let end = Int(token.next)
        while name < end {
            if isWanted(name) {
                return JSONValue(document: document, index: name + 1)
            }
            name = Int(document.token(at: name + 1).next)
        }
        return nil
    }

    /// The members of an object in their order; empty for everything else.
    public var members: [(name: String, value: JSONValue)] {
        guard token.kind == .object else { return [] }
        var result: [(name: String, value: JSONValue)] = []
        var name = index + 1
        let end = Int(token.next)
        while name < end {
            let text = JSONValue(document: document, index: name).string ?? ""
            result.append((text, JSONValue(document: document, index: name + 1)))
            name = Int(document.token(at: name + 1).next)
        }
        return result
    }

    /// How many members an object has; 0 for everything else.
    package var memberCount: Int {
        guard token.kind == .object else { return 0 }
        var count = 0
        var name = index + 1
        let end = Int(token.next)
        while name < end {
            count += 1
            name = Int(document.token(at: name + 1).next)
        }
        return count
    }

    /// The names and values of an object's members, as values that know their place.
    package var namedMembers: [(name: JSONValue, value: JSONValue)] {
        guard token.kind == .object else { return [] }
        var result: [(name: JSONValue, value: JSONValue)] = []
        var name = index + 1
        let end = Int(token.next)
        while name < end {
            let value = JSONValue(document: document, index: name + 1)
            result.append((JSONValue(document: document, index: name), value))
            name = Int(value.token.next)
        }
        return result
    }

    /// Where the value begins in its document: line and column from 1, the column in bytes.
    package var place: (line: Int, column: Int) {
        let token = token
        let start = Int(token.start) - (token.kind == .string ? 1 : 0)
        return document.withContents { bytes, _ in JSONError.place(of: start, in: bytes) }
    }

    /// The elements of an array; nil for everything else.
    public var elements: [JSONValue]? { elements(upTo: .max)?.first }

    /// The first `limit` elements of an array and how many follow them; nil for everything else.
    package func elements(upTo limit: Int) -> (first: [JSONValue], others: Int)? {
        guard token.kind == .array else { return nil }
        var first: [JSONValue] = []
        var others = 0
        var element = index + 1
        let end = Int(token.next)
        while element < end {
            if first.count < limit { first.append(JSONValue(document: document, index: element)) } else { others += 1 }
            element = Int(document.token(at: element).next)
        }
        return (first, others)
    }

    /// The text of a string.
    public var string: String? {
        document.string(at: index)
    }

    /// The UTF-8 bytes of a string, escapes resolved.
    public var stringBytes: [UInt8]? {
        let token = token
        guard token.kind == .string else { return nil }
        return document.withContents { bytes, _ in JSONString.unescape(token, in: bytes) }
    }

    /// The number of UTF-8 bytes of a string, escapes resolved.
    package var stringByteCount: Int? { document.stringByteCount(at: index) }

    /// Calls `body` with the UTF-8 bytes of a string, escapes resolved; with nil when this is none.
    package func withStringBytes(_ body: (UnsafeBufferPointer<UInt8>?) -> Void) {
        document.withStringBytes(at: index, body)
    }

    /// Whether this is a string that is `wanted`, byte for byte.
    public func stringEquals(_ wanted: String) -> Bool {
        document.isString(at: index, equalTo: wanted)
    }

    /// `true` or `false`; nil for everything else, also for texts and numbers that look so.
    public var bool: Bool? {
        switch token.kind {
        case .yes: true
        case .no: false
        default: nil
        }
    }

    /// A number that is a whole one and fits 64 bits, converted exactly (`1e3` and `1000.0` are 1000).
    public var integer: Int64? {
        guard let number = flooredNumber, number.isExact else { return nil }
        return number.value
    }

    /// The greatest integer that is not above a number; nil when it does not fit 64 bits.
    package var flooredNumber: (value: Int64, isExact: Bool)? { document.flooredNumber(at: index) }

    /// The value as it stands in the document, byte for byte.
    public var text: String {
        let token = token
        let quotes = token.kind == .string ? 1 : 0
        return document.withContents { bytes, _ in
            String(decoding: bytes[Int(token.start) - quotes..<Int(token.end) + quotes], as: UTF8.self)
        }
    }
}
