/// A piece of HTML. Texts that are put into it are escaped, so none can end the element or attribute that it stands in.
///
/// Attributes must stand in double quotes; there is no escaping for scripts and styles, so put nothing into those.
package struct HTML: Sendable, Equatable, ExpressibleByStringInterpolation {
    package private(set) var source: String

    package init(stringLiteral source: String) { self.source = source }
    package init(stringInterpolation pieces: Interpolation) { source = pieces.source }
    private init(source: String) { self.source = source }

    /// One after the other.
    package static func joined(_ pieces: [HTML]) -> HTML { HTML(source: pieces.map(\.source).joined()) }

    package struct Interpolation: StringInterpolationProtocol {
        fileprivate var source = ""

        package init(literalCapacity: Int, interpolationCount: Int) { source.reserveCapacity(literalCapacity) }

        package mutating func appendLiteral(_ literal: String) { source += literal }
        package mutating func appendInterpolation(_ text: String) { source += HTML.escape(text) }
        package mutating func appendInterpolation(_ piece: HTML) { source += piece.source }
        /// Nothing where there is no piece.
        package mutating func appendInterpolation(_ piece: HTML?) { source += piece?.source ?? "" }
    }

    /// The text as it can stand in an element or in an attribute in double or single quotes.
    ///
    /// Readers of HTML change line ends, so these become references; other control characters may not stand in HTML at all and
    /// become the replacement character.
    package static func escape(_ text: String) -> String {
        var result = ""
        result.reserveCapacity(text.utf8.count)
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": result += "&amp;"
            case "<": result += "&lt;"
            case ">": result += "&gt;"
            case "\"": result += "&quot;"
            case "'": result += "&#39;"
            // An old browser takes it for a quote around an attribute.
            case "`": result += "&#96;"
            case "\t", "\n", "\r": result += "&#\(scalar.value);"
            case _ where scalar.value < 0x20 || (0x7F...0x9F).contains(scalar.value): result += "\u{FFFD}"
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result
    }
}
