internal import PosternBase

/// The `typ` header parameter (RFC 7515 §4.1.9).
package enum MediaType {
    /// Whether `type` is one of the lower-case names, in any case, with or without `application/` before it.
    package static func isOne(_ type: String, of names: [String]) -> Bool {
        var folded = type.utf8.map { ASCIICase.folded($0) }
        let prefix = Array("application/".utf8)
        if folded.starts(with: prefix) { folded.removeFirst(prefix.count) }
        return names.contains { folded.elementsEqual($0.utf8) }
    }
}
