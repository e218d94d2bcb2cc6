internal import Glibc
internal import PosternBase

/// The header that was read last from a token whose signature held: an issuer's tokens have the same one until it changes
/// keys, and to see that two texts are the same is cheaper than to read one. Each group of threads reads one for itself.
package final class HeaderMemo: Sendable {
    private final class Entry: Sendable {
        let text: FixedText
        let header: JOSEHeader

        init(_ text: UnsafeBufferPointer<UInt8>, _ header: JOSEHeader) {
            self.text = FixedText(text)
            self.header = header
        }

        deinit { text.free() }
    }

    /// Longer ones than any issuer's are not kept.
    private static let maximumByteCount = 512

    private final class Last: @unchecked Sendable {
        let turn = Turn()
        @exclusivity(unchecked) var entry: Entry?
        let padding = ThreadGroup.Padding()
    }

    private let last = ThreadGroup.places { Last() }

    package init() {}

    func header(of text: UnsafeBufferPointer<UInt8>) -> JOSEHeader? {
        let last = last[ThreadGroup.current]
        guard last.turn.take() else { return nil }
        defer { last.turn.giveBack() }
        guard let entry = last.entry, entry.text.bytes.isSameBytes(as: text) else { return nil }
        return entry.header
    }

    /// Keeps the header of a token that was verified.
    package func keep(_ jws: borrowing UnverifiedJWS) {
        guard !jws.isHeaderKept, jws.headerText.count <= Self.maximumByteCount else { return }
        let last = last[ThreadGroup.current]
        guard last.turn.take() else { return }
        defer { last.turn.giveBack() }
        last.entry = Entry(jws.headerText, jws.header)
    }
}
