package import PosternBase

/// What is said of an account as a JSON object: of little size, since each token and list may carry it.
package enum AccountData {
    package static let maximumByteCount = 4_096

    package enum Mistake: String, Error, Sendable, CaseIterable {
        case notAnObject = "it must be a JSON object"
        case tooLarge = "it has more than 4096 bytes as JSON without white space"
    }

    /// The text of `value`, written anew on one line.
    package static func text(of value: JSONValue) throws(Mistake) -> String {
        guard value.kind == .object else { throw .notAnObject }
        let text = JSONOutput.value(value).text()
        guard text.utf8.count <= maximumByteCount else { throw .tooLarge }
        return text
    }
}
