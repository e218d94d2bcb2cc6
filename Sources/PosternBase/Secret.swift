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

/// What prints its name alone, unless it says something else. A type of the library product has to say all of it itself: what is
/// public must be written publicly.
package protocol Masked: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {}

extension Masked {
    package var description: String { "\(Self.self)(\(Mask.text))" }
    package var debugDescription: String { description }
    package var customMirror: Mirror { Mask.mirror(of: self) }
}

extension Secret: Masked {
    package var description: String { Mask.text }
}
