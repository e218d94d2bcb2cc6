/// One value or member name on the tape that the reader writes: a place in the text, no copy of it.
struct JSONToken: Sendable {
    enum Kind: UInt8, Sendable {
        case object, array, string, number, yes, no, null
    }

    var kind: Kind
    /// For strings: whether the text holds a backslash and must be unescaped before use.
    var hasEscapes = false
    /// First byte: of a string's content, a number's text, a container's bracket.
    var start: UInt32
    /// One past the last byte.
    var end: UInt32
    /// Index of the first token after this value and all that is in it.
    var next: UInt32
}
