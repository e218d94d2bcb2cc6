/// What no issuer gives out as a client ID: it came along when the right one was copied, and would match no token. Nor does anybody
/// expect it as the audience of ours.
enum ClientID {
    private static let longest = 512

    /// For a sentence that the name of the setting begins.
    static func fault(_ text: String) -> String? {
        guard text.utf8.count <= longest else { return "is longer than \(longest) bytes" }
        let scalars = text.unicodeScalars
        guard scalars.first?.properties.isWhitespace != true, scalars.last?.properties.isWhitespace != true else {
            return "begins or ends with a space: tokens have it byte for byte"
        }
        guard !scalars.contains(where: { isUnseen($0) }) else {
            return "holds a character that is not seen, such as a control character: tokens have it byte for byte"
        }
        return nil
    }

    private static func isUnseen(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator: true
        default: false
        }
    }
}
