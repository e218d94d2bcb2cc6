/// A JSON value to be written.
package enum JSONOutput: Sendable {
    case object([(String, JSONOutput)])
    case array([JSONOutput])
    case string(String)
    case integer(Int64)
    case bool(Bool)
    case null
    /// A value that was read; written anew, so that nothing unescaped comes through.
    case value(JSONValue)

    /// The text, on one line.
    package func text() -> String {
        var writer = JSONWriter()
        writer.write(self)
        return String(decoding: writer.bytes, as: UTF8.self)
    }
}

extension JSONOutput {
    package static func optional(_ text: String?) -> JSONOutput { text.map { .string($0) } ?? .null }
    package static func optional(_ number: Int64?) -> JSONOutput { number.map { .integer($0) } ?? .null }
    package static func strings(_ texts: [String]) -> JSONOutput { .array(texts.map { .string($0) }) }
}

private struct JSONWriter {
    var bytes: [UInt8] = []

    mutating func write(_ value: JSONOutput) {
        switch value {
        case .object(let members):
            writeList(members, "{", "}") { writer, member in
                writer.write(string: member.0)
                writer.put(":")
                writer.write(member.1)
            }
        case .array(let elements):
            writeList(elements, "[", "]") { $0.write($1) }
        case .string(let text): write(string: text)
        case .integer(let number): put(String(number))
        case .bool(let flag): put(flag ? "true" : "false")
        case .null: put("null")
        case .value(let value): write(read: value)
        }
    }

    private mutating func write(read value: JSONValue) {
        switch value.kind {
        case .object: write(.object(value.members.map { ($0.name, .value($0.value)) }))
        case .array: write(.array((value.elements ?? []).map { .value($0) }))
        case .string: write(string: value.string ?? "")
        case .number, .bool, .null: put(value.text)
        }
    }

    private mutating func writeList<Element>(
        _ elements: [Element],
        _ open: String,
        _ close: String,
        each: (inout JSONWriter, Element) -> Void
    ) {
        put(open)
        for (index, element) in elements.enumerated() {
            if index > 0 { put(",") }
            each(&self, element)
        }
        put(close)
    }

    private mutating func put(_ text: String) { bytes.append(contentsOf: text.utf8) }

    private mutating func write(string: String) {
        bytes.append(0x22)
        for scalar in string.unicodeScalars {
            switch scalar.value {
            case 0x22: put("\\\"")
            case 0x5C: put("\\\\")
            case 0x0A: put("\\n")
            case 0x0D: put("\\r")
            case 0x09: put("\\t")
            // What can steer a terminal, end a line or turn the direction of text for whoever looks at it stays out.
            case _ where !scalar.isPlain: for unit in UTF16.encode(scalar) ?? .init() { writeEscape(unit) }
            default: put(String(scalar))
            }
        }
        bytes.append(0x22)
    }

    private mutating func writeEscape(_ value: UInt16) {
        put("\\u")
        for shift in stride(from: UInt16(12), through: 0, by: -4) {
            bytes.append(Hex.digit(UInt8(truncatingIfNeeded: (value >> shift) & 15)))
        }
    }
}
