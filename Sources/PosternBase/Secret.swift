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

extension Secret: Equatable where Value: SecretBytes {
    /// Whether both hold the same bytes. It takes as long for a wrong first byte as for a wrong last one; only lengths may show.
    package static func == (left: Secret, right: Secret) -> Bool {
        let (left, right) = (left.revealed.secretBytes, right.revealed.secretBytes)
        guard left.count == right.count else { return false }
        var difference: UInt8 = 0
        for (left, right) in zip(left, right) { difference |= left ^ right }
        return difference == 0
    }
}

/// What a secret may be made of to be compared.
package protocol SecretBytes: Sendable {
    var secretBytes: [UInt8] { get }
}

extension Array: SecretBytes where Element == UInt8 {
    package var secretBytes: [UInt8] { self }
}

extension String: SecretBytes {
    package var secretBytes: [UInt8] { Array(utf8) }
}
