package import PosternBase

/// The name of an account, session, sign-up, mailed proof or mail: a UUID of version 7 (RFC 9562 §5.7), written in lower case and read
/// in either (§4).
///
/// The newest sort last, so that what is written at one time lies together in a store. A name is no secret.
package struct Identifier<Kind>: Sendable, Hashable, CustomStringConvertible {
    package static var byteCount: Int { 16 }

    /// Sixteen bytes.
    package let bytes: [UInt8]

    /// Made at `milliseconds` since 1970.
    package init(milliseconds: Int64, random: RandomSource) {
        let time = (0..<6).map { UInt8(truncatingIfNeeded: milliseconds >> (40 - 8 * Int64($0))) }
        var bytes = time + random.bytes(10)
        bytes[6] = 0x70 | bytes[6] & 0x0F
        bytes[8] = 0x80 | bytes[8] & 0x3F
        self.bytes = bytes
    }

    /// Made in that second as the `number`th of its kind, so that those of one second sort by their number too, as far as there is room
    /// for it: the milliseconds and the twelve bits behind the version (RFC 9562 §6.2, method 1).
    init(second: Int64, number: UInt32, random: RandomSource) {
        let made = Identifier(milliseconds: second * 1_000 + Int64(min(number >> 12, 999)), random: random)
        var bytes = made.bytes
        bytes[6] = 0x70 | UInt8(truncatingIfNeeded: number >> 8) & 0x0F
        bytes[7] = UInt8(truncatingIfNeeded: number)
        self.bytes = bytes
    }

    /// nil unless there are sixteen bytes.
    package init?(bytes: [UInt8]) {
        guard bytes.count == Self.byteCount else { return nil }
        self.bytes = bytes
    }

    /// Reads the usual form, 32 hex digits in five groups; nil for any other.
    package init?(_ text: String) {
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        guard text.utf8.count == 36, parts.map(\.utf8.count) == [8, 4, 4, 4, 12],
            let bytes = Hex.decode(parts.joined())
        else { return nil }
        self.init(bytes: bytes)
    }

    package var description: String {
        String(unsafeUninitializedCapacity: 36) { text in
            var place = 0
            for (index, byte) in bytes.enumerated() {
                if index == 4 || index == 6 || index == 8 || index == 10 {
                    text[place] = UInt8(ascii: "-")
                    place += 1
                }
                text[place] = Hex.digit(byte >> 4)
                text[place + 1] = Hex.digit(byte & 15)
                place += 2
            }
            return place
        }
    }
}

package enum AccountKind {}
package enum SessionKind {}
package enum SignUpKind {}
package enum MailedProofKind {}
package enum OutboxMailKind {}

package typealias AccountID = Identifier<AccountKind>
package typealias SessionID = Identifier<SessionKind>
package typealias SignUpID = Identifier<SignUpKind>
package typealias MailedProofID = Identifier<MailedProofKind>
package typealias OutboxMailID = Identifier<OutboxMailKind>
