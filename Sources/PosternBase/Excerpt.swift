/// Text from outside, made fit for a message: bounded and without characters that steer a terminal or hide others.
package enum Excerpt {
    package static let maximumCount = 120

    /// The text in double quotes.
    package static func quote(_ text: String) -> String { "\"\(plain(text))\"" }

    package static func plain(_ text: String, maximumCount: Int = maximumCount) -> String {
        var result = ""
        var count = 0
        for scalar in text.unicodeScalars {
            guard count < maximumCount else { return result + "…" }
            result += isSafe(scalar) ? String(scalar) : escape(scalar)
            count += 1
        }
        return result
    }

    /// Letters, digits, signs and spaces; no controls (C0, DEL, C1), no direction marks, no invisible ones.
    private static func isSafe(_ scalar: Unicode.Scalar) -> Bool {
        // Fillers and variation selectors are letters and marks by category, and show nothing.
        if scalar.properties.isDefaultIgnorableCodePoint { return false }
        return switch scalar.properties.generalCategory {
        case .control, .format, .surrogate, .privateUse, .unassigned, .lineSeparator, .paragraphSeparator: false
        default: true
        }
    }

    private static func escape(_ scalar: Unicode.Scalar) -> String {
        "\\u{\(String(scalar.value, radix: 16, uppercase: true))}"
    }
}
