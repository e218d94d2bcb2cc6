/// What somebody might take from their own address for a password: all of it, what stands before the @ with and without a tag, what stands behind.
struct EmailNames {
    private let names: [SecretText]

    init(_ email: String) throws(PasswordFault) {
        var parts = [email[...]]
        if let at = email.lastIndex(of: "@") {
            let local = email[..<at]
            parts += [local, email[email.index(after: at)...]]
            if let plus = local.firstIndex(of: "+") { parts.append(local[..<plus]) }
        }
        var names: [SecretText] = []
        for part in parts {
            let bytes = Array(part.utf8)
            guard !bytes.isEmpty else { continue }
            names.append(try Self.folded(bytes))
        }
        self.names = names
    }

    private static func folded(_ bytes: [UInt8]) throws(PasswordFault) -> SecretText {
        let source = bytes.withUnsafeBytes { SecretText($0) }
        return try source.withBytes { bytes throws(PasswordFault) in try UnicodeText.folded(bytes) }
    }

    /// Of a text that has been folded.
    func contains(_ folded: SecretText) -> Bool { names.contains { $0.isSameBytes(as: folded) } }
}
