package import PosternBase

/// What is said of an account as a JSON object: of little size, since each token and list may carry it.
package enum AccountData {
    package static let maximumByteCount = 4_096

    package enum Mistake: String, Error, Sendable, CaseIterable {
        case notAnObject = "it must be a JSON object"
        case tooLarge = "it has more than 4096 bytes as JSON without white space"
        case endlessNumber = "it has a number beyond those of a double, such as 1e999"
    }

    /// The text of `value`, written anew on one line.
    package static func text(of value: JSONValue) throws(Mistake) -> String {
        guard value.kind == .object else { throw .notAnObject }
        let text = JSONOutput.value(value).text()
        guard text.utf8.count <= maximumByteCount else { throw .tooLarge }
        // Many readers of JSON refuse the whole document then: one person's data would hide the list that they are in.
        guard hasFiniteNumbers(value) else { throw .endlessNumber }
        return text
    }

    private static func hasFiniteNumbers(_ value: JSONValue) -> Bool {
        switch value.kind {
        case .number: Double(value.text)?.isFinite ?? false
        case .array: (value.elements ?? []).allSatisfy(hasFiniteNumbers)
        case .object: value.members.allSatisfy { hasFiniteNumbers($0.value) }
        case .string, .bool, .null: true
        }
    }
}
