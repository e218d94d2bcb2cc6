/// Something that nobody may read by accident: whatever way it is printed, what comes out is a mask.
///
/// Who needs what is inside asks for it by name, which is easy to find in the source.
package struct Secret<Value: Sendable>: Sendable {
    /// What is inside. To be handed on to what needs it, and to be written to nobody else.
    package let revealed: Value

    @inlinable
    package init(_ value: Value) { revealed = value }
}

/// What stands in place of something that may not be printed.
package enum Mask {
    package static let text = "(secret)"

    /// A reflection without anything to look into, for `dump` and debuggers.
    package static func mirror(of value: Any) -> Mirror { Mirror(value, children: []) }
}

extension Secret: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    package var description: String { Mask.text }
    package var debugDescription: String { Mask.text }
    package var customMirror: Mirror { Mask.mirror(of: self) }
}
