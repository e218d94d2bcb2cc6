/// The bytes of a text that stays where it is: to look at it counts no reference, as looking at a `String` does, which two threads
/// that verify tokens at once would pay for.
///
/// Whoever makes it must keep it to itself and free it when nobody looks at it any more.
package struct FixedText: @unchecked Sendable {
    // @unchecked: written before anybody sees it, and never again.
    package let bytes: UnsafeBufferPointer<UInt8>

    package init(_ text: String) { self = Array(text.utf8).withUnsafeBufferPointer { FixedText($0) } }

    package init(_ text: UnsafeBufferPointer<UInt8>) {
        let bytes = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: text.count)
        _ = bytes.initialize(from: text)
        self.bytes = UnsafeBufferPointer(bytes)
    }

    package func free() { bytes.deallocate() }
}
