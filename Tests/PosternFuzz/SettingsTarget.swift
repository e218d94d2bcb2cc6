import PosternBase

/// Settings are JSON with two liberties and no more: what they are is found out a second time, by looking at each byte
/// by itself, and the strict reader must then say the same.
enum SettingsTarget {
    static func run(_ input: Input) {
        let text = Array(input)
        let outcome = Outcome { () throws(JSONError) in try JSONDocument(settings: text) }
        let plain = Outcome { () throws(JSONError) in try JSONDocument(withoutLiberties(text)) }
        require(outcome == plain, "settings: the readers disagree")
        let strict = Outcome { () throws(JSONError) in try JSONDocument(text) }
        switch (strict, outcome) {
        case (.value, _): require(outcome == strict, "settings: strict JSON has another meaning here")
        case (.refused, .value): require(hasLiberty(text), "settings: taken without a liberty, but not strictly")
        case (.refused, .refused(let offset, _, let line, let column)):
            require(offset >= 0 && offset <= text.count, "settings: an error outside the text")
            require((line, column) == place(of: offset, in: text), "settings: an error at another place")
        }
    }

    private enum Outcome: Equatable {
        case value(String)
        case refused(offset: Int, reason: String, line: Int, column: Int)

        init(_ read: () throws(JSONError) -> JSONDocument) {
            do throws(JSONError) {
                self = .value(JSONOutput.value(try read().root).text())
            } catch {
                self = .refused(
                    offset: error.offset, reason: error.reason.rawValue, line: error.line, column: error.column)
            }
        }
    }

    private static func hasLiberty(_ text: [UInt8]) -> Bool { withoutLiberties(text) != text }

    /// Lines from 1, and columns from 1 in bytes or characters as the reader counts them.
    private static func place(of offset: Int, in text: [UInt8]) -> (Int, Int) {
        let before = text[..<offset]
        let start = before.lastIndex(of: 0x0A).map { $0 + 1 } ?? 0
        return (before.count { $0 == 0x0A } + 1, offset - start + 1)
    }

    // MARK: - The second opinion

    private enum Kind { case string, comment, space, other }

    /// The text with comments, and commas after a last value, overwritten with spaces.
    private static func withoutLiberties(_ text: [UInt8]) -> [UInt8] {
        let kinds = kinds(of: text)
        var result = text
        for comment in runs(of: .comment, in: kinds) where isUTF8(text[comment]) {
            for index in comment { result[index] = 0x20 }
        }
        let solid = text.indices.filter { kinds[$0] == .other || kinds[$0] == .string }
        for (before, (comma, after)) in zip(solid, zip(solid.dropFirst(), solid.dropFirst(2))) {
            guard kinds[comma] == .other, text[comma] == 0x2C, kinds[after] == .other,
                [0x5D, 0x7D].contains(text[after])
            else { continue }
            let isAfterValue = kinds[before] == .string || ![0x5B, 0x7B, 0x2C, 0x3A].contains(text[before])
            if isAfterValue { result[comma] = 0x20 }
        }
        return result
    }

    private static func isUTF8(_ bytes: ArraySlice<UInt8>) -> Bool {
        String(decoding: bytes, as: UTF8.self).utf8.elementsEqual(bytes)
    }

    private static func kinds(of text: [UInt8]) -> [Kind] {
        var kinds: [Kind] = []
        var isInString = false
        var isInComment = false
        var isEscaped = false
        for (index, byte) in text.enumerated() {
            if isInString {
                kinds.append(.string)
                isInString = isEscaped || byte != 0x22
                isEscaped = !isEscaped && byte == 0x5C
            } else if isInComment, byte != 0x0A {
                kinds.append(.comment)
            } else {
                isInComment = byte == 0x2F && index + 1 < text.count && text[index + 1] == 0x2F
                isInString = byte == 0x22
                let isSpace = [0x20, 0x09, 0x0A, 0x0D].contains(byte)
                kinds.append(isInComment ? .comment : isInString ? .string : isSpace ? .space : .other)
            }
        }
        return kinds
    }

    private static func runs(of kind: Kind, in kinds: [Kind]) -> [Range<Int>] {
        var runs: [Range<Int>] = []
        var start: Int?
        for index in 0...kinds.count {
            let isInside = index < kinds.count && kinds[index] == kind
            if isInside, start == nil { start = index }
            if !isInside, let first = start {
                runs.append(first..<index)
                start = nil
            }
        }
        return runs
    }
}
