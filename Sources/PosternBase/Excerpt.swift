/// Text from outside, made fit for a message: bounded and without characters that steer a terminal or hide others.
package enum Excerpt {
    package static let maximumCount = 120

    /// The text in double quotes.
    package static func quote(_ text: String) -> String { quote(text, maximumCount: maximumCount) }

    /// The beginning of a text that stands where a short word should, in double quotes: it may be a secret gone astray.
    package static func word(_ text: String) -> String { quote(text, maximumCount: 16) }

    /// The beginning of it, of so many characters.
    package static func quote(_ text: String, maximumCount: Int) -> String {
        // A text must not end its own quotation.
        var escaped = ""
        for scalar in text.unicodeScalars {
            if scalar == "\"" || scalar == "\\" { escaped += "\\" }
            escaped.unicodeScalars.append(scalar)
        }
        return "\"\(plain(escaped, maximumCount: maximumCount))\""
    }

    /// One byte in double quotes: as a character of ASCII, or in hexadecimal.
    package static func quote(byte: UInt8) -> String {
        byte < 0x80 ? quote(String(Unicode.Scalar(byte))) : "\"\\x\(String(byte, radix: 16, uppercase: true))\""
    }

    package static func plain(_ text: String, maximumCount: Int = maximumCount) -> String {
        var result = ""
        var count = 0
        for scalar in text.unicodeScalars {
            guard count < maximumCount else { return result + "…" }
            result += scalar.isPlain ? String(scalar) : escape(scalar)
            count += 1
        }
        return result
    }

    private static func escape(_ scalar: Unicode.Scalar) -> String {
        "\\u{\(String(scalar.value, radix: 16, uppercase: true))}"
    }
}

extension Unicode.Scalar {
    /// Letters, digits, signs and spaces; no controls (C0, DEL, C1), no direction marks, no invisible ones.
    var isPlain: Bool {
        if isASCII { return value >= 0x20 && value != 0x7F }
        // Fillers and variation selectors are letters and marks by category, and show nothing.
        if properties.isDefaultIgnorableCodePoint { return false }
        return switch properties.generalCategory {
        case .control, .format, .surrogate, .privateUse, .unassigned, .lineSeparator, .paragraphSeparator: false
        default: true
        }
    }
}
