/// Why a text is not the JSON that Postern reads, and where.
package struct JSONError: Error, Equatable {
    package enum Reason: String, Sendable {
        case tooLarge = "larger than the limit"
        case empty = "empty text"
        case byteOrderMark = "a byte-order mark"
        case unexpectedByte = "an unexpected character"
        case unexpectedEnd = "the text ends too early"
        case trailingBytes = "something after the value"
        case tooDeep = "nested too deep"
        case invalidUTF8 = "not UTF-8"
        case controlCharacter = "a control character in a string"
        case invalidEscape = "an unknown escape in a string"
        case loneSurrogate = "half of a surrogate pair"
        case invalidNumber = "not a JSON number"
        case duplicateName = "a member name given twice"
        case tooManyMembers = "more members than an object may have here"
        /// Mostly no fault of the text: the reader starts over with more room.
        case tapeFull = "too many values"
    }

    /// What may stand at a place, for people.
    enum Expected: String {
        case next = "a comma or the end of the object, }"
        case nextElement = "a comma or the end of the array, ]"
        case name = "a name in double quotes"
        case colon = "a colon"
        case value = "a value: a text in double quotes, a number, true, false, null, { or ["
        case word = "true, false or null"
    }

    // In this order all of it fits four registers, in which an error is thrown.
    package let reason: Reason
    private let expected: Expected?
    /// What stands there; of a text that may be a secret it is not told.
    private let found: Unicode.Scalar?
    /// Bytes from the start.
    package let offset: Int
    /// From 1; lines end with LF.
    package let line: Int
    /// From 1, in bytes.
    package let column: Int

    init(
        _ reason: Reason,
        at offset: Int,
        in bytes: UnsafeBufferPointer<UInt8>,
        expecting expected: Expected? = nil
    ) {
        self.reason = reason
        self.offset = offset
        self.expected = expected
        let character = bytes.dropFirst(max(0, offset)).prefix(4)
        found = String(decoding: character, as: UTF8.self).unicodeScalars.first
        (line, column) = Self.place(of: offset, in: bytes)
    }

    static func place(of offset: Int, in bytes: UnsafeBufferPointer<UInt8>) -> (line: Int, column: Int) {
        var line = 1
        var lineStart = 0
        for index in 0..<min(offset, bytes.count) where bytes[index] == 0x0A {
            line += 1
            lineStart = index + 1
        }
        return (line, offset - lineStart + 1)
    }

    /// The same everywhere, since the place does not matter.
    static let tapeFull = JSONError(.tapeFull, at: 0, in: UnsafeBufferPointer(start: nil, count: 0))

    /// For the text of somebody who may see it: what is wrong, what stands there, and what should.
    package var explanation: String {
        let character = found.map { Excerpt.quote(String($0)) }
        return switch reason {
        case .unexpectedByte:
            reason.rawValue + (character.map { ": \($0)" } ?? "")
                + (expected.map { " instead of \($0.rawValue)" } ?? "")
        case .trailingBytes, .controlCharacter: reason.rawValue + (character.map { ": \($0)" } ?? "")
        default: reason.rawValue
        }
    }

    package var message: String { "\(reason.rawValue) (line \(line), column \(column))" }
}
