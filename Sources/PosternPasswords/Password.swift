internal import PosternBase

/// What a person typed, byte for byte: well-formed UTF-8 of at most 4096 bytes. Printed it is a mask, and it is overwritten at its end; not
/// so the request that it came in.
package final class Password: Sendable {
    /// More than any password that a policy allows, so that what is longer is refused before it costs anything.
    package static let maximumByteCount = 4096

    let text: SecretText

    /// Nil for more than `maximumByteCount` bytes.
    package convenience init?(_ text: String) {
        var text = text
        guard let secret = text.withUTF8({ Self.secret(UnsafeRawBufferPointer($0)) }) else { return nil }
        self.init(secret)
    }

    /// Nil for more than `maximumByteCount` bytes, and for bytes that are not UTF-8.
    package convenience init?(utf8: [UInt8]) {
        guard let secret = utf8.withUnsafeBytes({ Self.secret($0) }) else { return nil }
        self.init(secret)
    }

    private init(_ text: SecretText) { self.text = text }

    private static func secret(_ bytes: UnsafeRawBufferPointer) -> SecretText? {
        guard bytes.count <= maximumByteCount, UnicodeText.isWellFormed(bytes) else { return nil }
        return SecretText(bytes)
    }

    /// In Normalization Form C, as passwords of our own are hashed: what looks the same is the same on every keyboard.
    package func normalized() throws(PasswordFault) -> NormalizedPassword {
        NormalizedPassword(
            try text.withBytes { (bytes) throws(PasswordFault) in try UnicodeText.normalized(bytes) }
        )
    }
}

/// A password in Normalization Form C, as it is hashed. It need not keep to any policy.
package final class NormalizedPassword: Sendable {
    let text: SecretText

    init(_ text: SecretText) { self.text = text }

    /// Its length as policies count it: in Unicode scalars.
    package var scalarCount: Int { text.withBytes { UnicodeText.scalarCount($0) } }
}

extension Password: Masked {}

extension NormalizedPassword: Masked {}
