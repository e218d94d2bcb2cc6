// Swift's String == is canonical equivalence: "é" in one code point equals "é" in two. Two different subjects would become
// one user, so identifiers are compared as bytes (RFC 7519 §7.3, RFC 8259 §8.3).

extension StringProtocol {
    /// Whether both texts are the same bytes in UTF-8.
    package func isSameBytes(as other: some StringProtocol) -> Bool {
        utf8.elementsEqual(other.utf8)
    }
}

extension Sequence where Element == String {
    /// Whether one of the texts is `text`, byte for byte.
    package func containsBytes(of text: String) -> Bool {
        contains { $0.isSameBytes(as: text) }
    }
}
