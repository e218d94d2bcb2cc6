internal import Glibc
internal import PosternBase

/// The header that was read last from a token whose signature held: an issuer's tokens have the same one until it changes
/// keys, and to see that two texts are the same is cheaper than to read one. Each group of threads reads one for itself.
package final class HeaderMemo: Sendable {
    private final class Entry: Sendable {
        let text: [UInt8]
        let header: JOSEHeader

        init(_ text: [UInt8], _ header: JOSEHeader) {
            self.text = text
            self.header = header
        }
    }

    /// Longer ones than any issuer's are not kept.
    private static let maximumByteCount = 512

    private struct Last {
        var entry: Entry?
        let padding = ThreadGroup.Padding()
    }

    private let last = ThreadGroup.places { Lock(Last()) }

    package init() {}

    func header(of text: UnsafeBufferPointer<UInt8>) -> JOSEHeader? {
        guard let entry = last[ThreadGroup.current].withLock({ $0.entry }), entry.text.count == text.count,
            let bytes = text.baseAddress,
            entry.text.withUnsafeBytes({ kept in kept.baseAddress.map { memcmp($0, bytes, kept.count) == 0 } ?? false })
        else { return nil }
        return entry.header
    }

    /// Keeps the header of a token that was verified.
    package func keep(_ jws: borrowing UnverifiedJWS) {
        guard !jws.isHeaderKept, jws.headerText.count <= Self.maximumByteCount else { return }
        let entry = Entry(Array(jws.headerText), jws.header)
        last[ThreadGroup.current].withLock { $0.entry = entry }
    }
}
