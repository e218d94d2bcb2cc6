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

    /// The text on one line, or indented by two spaces a level.
    package func text(indented: Bool = false) -> String {
        var writer = JSONWriter(indented: indented)
        writer.write(self, depth: 0)
        return String(decoding: writer.bytes, as: UTF8.self)
    }
}

extension JSONOutput {
    package static func optional(_ text: String?) -> JSONOutput { text.map { .string($0) } ?? .null }
    package static func optional(_ number: Int64?) -> JSONOutput { number.map { .integer($0) } ?? .null }
    package static func strings(_ texts: [String]) -> JSONOutput { .array(texts.map { .string($0) }) }
}

private struct JSONWriter {
    let indented: Bool
    var bytes: [UInt8] = []

    mutating func write(_ value: JSONOutput, depth: Int) {
        switch value {
        case .object(let members):
            writeList(members, "{", "}", depth: depth) { writer, member in
                writer.write(string: member.0)
                writer.put(writer.indented ? ": " : ":")
                writer.write(member.1, depth: depth + 1)
            }
        case .array(let elements):
            writeList(elements, "[", "]", depth: depth) { $0.write($1, depth: depth + 1) }
        case .string(let text): write(string: text)
        case .integer(let number): put(String(number))
        case .bool(let flag): put(flag ? "true" : "false")
        case .null: put("null")
        case .value(let value): write(read: value, depth: depth)
        }
    }

    private mutating func write(read value: JSONValue, depth: Int) {
        switch value.kind {
        case .object: write(.object(value.members.map { ($0.name, .value($0.value)) }), depth: depth)
        case .array: write(.array((value.elements ?? []).map { .value($0) }), depth: depth)
        case .string: write(string: value.string ?? "")
        case .number, .bool, .null: put(value.text)
        }
    }

    private mutating func writeList<Element>(
        _ elements: [Element],
        _ open: String,
        _ close: String,
        depth: Int,
        each: (inout JSONWriter, Element) -> Void
    ) {
        put(open)
        for (index, element) in elements.enumerated() {
            if index > 0 { put(",") }
            newLine(depth: depth + 1)
            each(&self, element)
        }
        if !elements.isEmpty { newLine(depth: depth) }
        put(close)
    }

    private mutating func newLine(depth: Int) {
        guard indented else { return }
        bytes.append(0x0A)
        bytes.append(contentsOf: repeatElement(0x20, count: depth * 2))
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
