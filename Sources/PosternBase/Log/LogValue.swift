/// What may stand in a line of the log: words of our own, numbers, codes. A text that is only known when the program runs is none
/// of these; who wants it in the log has to say where it comes from.
package struct LogValue: Sendable {
    let output: JSONOutput

    private init(_ output: JSONOutput) { self.output = output }

    /// Where a text comes from that may be told.
    package enum Origin: Sendable {
        /// The operator's own settings.
        case settings
        /// The operating system: errors, addresses of our sockets.
        case system
        /// Put together by us, out of nothing that a caller or a token said, or with an excerpt that was made for messages.
        case ownWords
        /// A caller, by an interface that is documented to be logged.
        case documented
    }

    package static func text(_ text: String, from origin: Origin) -> LogValue { LogValue(.string(text)) }

    package static func number(_ number: some BinaryInteger) -> LogValue { LogValue(.integer(Int64(clamping: number))) }

    package static func flag(_ flag: Bool) -> LogValue { LogValue(.bool(flag)) }

    package static func list(_ values: [LogValue]) -> LogValue { LogValue(.array(values.map(\.output))) }
}

// A literal is written in the source, so it holds no secret. It is a `StaticString`, so no interpolation is one.
extension LogValue: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral {
    package init(stringLiteral value: StaticString) { self.init(.string("\(value)")) }
    package init(integerLiteral value: Int64) { self.init(.integer(value)) }
}

/// A type whose values are words of our own.
package protocol LogWord: Sendable {
    var rawValue: String { get }
}

extension LogValue {
    package static func word(_ word: some LogWord) -> LogValue { LogValue(.string(word.rawValue)) }
}
