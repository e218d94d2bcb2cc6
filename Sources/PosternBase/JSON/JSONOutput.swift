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
    /// A value that has been written.
    case written(JSONWriter)

    /// The text, on one line.
    package func text() -> String {
        var writer = JSONWriter()
        writer.write(self)
        return writer.text
    }
}

extension JSONOutput {
    package static func optional(_ text: String?) -> JSONOutput { text.map { .string($0) } ?? .null }
    package static func optional(_ number: Int64?) -> JSONOutput { number.map { .integer($0) } ?? .null }
    package static func strings(_ texts: [String]) -> JSONOutput { .array(texts.map { .string($0) }) }

    /// What `body` writes as one value.
    package static func written(_ body: (inout JSONWriter) -> Void) -> JSONOutput {
        var writer = JSONWriter()
        body(&writer)
        return .written(writer)
    }
}
