/// JSON as people write it into settings: with comments (`//` to the end of the line) and a comma after the last value.
///
/// Both are overwritten with spaces, and the strict reader does the rest: it has no second mode, and the lines and columns
/// of its errors are those of the file.
enum RelaxedJSON {
    static func strict(_ text: [UInt8]) -> [UInt8] {
        var text = text
        var position = 0
        /// The last byte that is neither space nor comment, and where it stands.
        var last: (byte: UInt8, place: Int)?
        /// What stands before `last`; a comma needs a value before it to be one too many.
        var before: UInt8?
        while position < text.count {
            let byte = text[position]
            switch byte {
            case 0x20, 0x09, 0x0A, 0x0D: position += 1
            case 0x2F where position + 1 < text.count && text[position + 1] == 0x2F:
                position = blankComment(&text, from: position)
            default:
                if byte == 0x7D || byte == 0x5D, let comma = last, comma.byte == 0x2C, endsValue(before) {
                    text[comma.place] = 0x20
                }
                before = last?.byte
                last = (byte, position)
                position = byte == 0x22 ? endOfString(text, from: position) : position + 1
            }
        }
        return text
    }

    private static func endsValue(_ byte: UInt8?) -> Bool {
        guard let byte else { return false }
        return !"[{,:".utf8.contains(byte)
    }

    /// A comment that is not UTF-8 stays, and the reader refuses it.
    private static func blankComment(_ text: inout [UInt8], from start: Int) -> Int {
        let end = text[start...].firstIndex(of: 0x0A) ?? text.count
        let isText = String(validating: text[start..<end], as: UTF8.self) != nil
        if isText { for index in start..<end { text[index] = 0x20 } }
        return end
    }

    /// One past the closing quote.
    private static func endOfString(_ text: [UInt8], from start: Int) -> Int {
        var position = start + 1
        while position < text.count {
            if text[position] == 0x22 { return position + 1 }
            position += text[position] == 0x5C ? 2 : 1
        }
        return text.count
    }
}

extension JSONDocument {
    /// Reads settings: one JSON value as strictly as all others, but for comments (`//`) and a comma after the last value
    /// of an array or object.
    ///
    /// Settings are held against each other in many ways, so a text with more than `mostSettings` names and values is refused.
    package init(settings bytes: [UInt8]) throws(JSONError) {
        self = try JSONText(RelaxedJSON.strict(bytes), maximumValues: Self.mostSettings)
            .read(maximumMembers: .max, maximumValues: Self.mostSettings)
    }

    /// Names and values: a hundred providers have two thousand.
    package static let mostSettings = 4_096
}
