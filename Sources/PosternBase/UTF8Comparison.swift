internal import Glibc

// Swift's String == is canonical equivalence: "é" in one code point equals "é" in two. Two different subjects would become
// one user, so identifiers are compared as bytes (RFC 7519 §7.3, RFC 8259 §8.3).

extension String {
    /// Whether both texts are the same bytes in UTF-8.
    package func isSameBytes(as other: String) -> Bool {
        utf8Span.span.withUnsafeBufferPointer { left in
            other.utf8Span.span.withUnsafeBufferPointer { right in left.isSameBytes(as: right) }
        }
    }
}

extension UnsafeBufferPointer<UInt8> {
    package func isSameBytes(as other: UnsafeBufferPointer<UInt8>) -> Bool {
        guard count == other.count else { return false }
        guard let left = baseAddress, let right = other.baseAddress else { return true }
        return memcmp(left, right, count) == 0
    }
}

extension [String] {
    /// Whether one of the texts is `text`, byte for byte.
    package func containsBytes(of text: String) -> Bool {
        contains { $0.isSameBytes(as: text) }
    }
}
