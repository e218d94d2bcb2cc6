internal import Glibc

/// Who stands behind a request, as far as the caller says.
package struct Visitor: Sendable {
    /// Who asked us: a user ID of the system, the name of an API key, `command`.
    package let caller: String?
    /// What the person's client calls itself; cut at 256 bytes.
    package let userAgent: String?
    /// The person's own address; counted, and kept only without its last part.
    package let address: NetworkAddress?

    package init(caller: String? = nil, userAgent: String? = nil, address: NetworkAddress? = nil) {
        self.caller = caller
        self.userAgent = userAgent.map { Self.cut($0) }
        self.address = address
    }

    /// At a border of characters, since half of one would be made good by a whole one of three bytes.
    private static func cut(_ text: String) -> String {
        var end = text.utf8.index(text.startIndex, offsetBy: 256, limitedBy: text.endIndex) ?? text.endIndex
        while end > text.startIndex, end.samePosition(in: text.unicodeScalars) == nil {
            end = text.utf8.index(before: end)
        }
        return String(text[..<end])
    }
}

/// An address of IPv4 or IPv6.
package struct NetworkAddress: Sendable, Equatable {
    /// Four or sixteen.
    private let bytes: [UInt8]

    /// Reads `203.0.113.9` or `2001:db8::1`; an IPv4 address in an IPv6 one (RFC 4291 §2.5.5.2) is that of IPv4.
    package init?(_ text: String) {
        var four = in_addr()
        var six = in6_addr()
        guard text.utf8.count < 64, !text.utf8.contains(0) else { return nil }
        if inet_pton(AF_INET, text, &four) == 1 {
            bytes = withUnsafeBytes(of: four) { Array($0) }
        } else if inet_pton(AF_INET6, text, &six) == 1 {
            let all = withUnsafeBytes(of: six) { Array($0) }
            bytes = all[..<12].elementsEqual([0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF]) ? Array(all[12...]) : all
        } else {
            return nil
        }
    }

    /// Without what tells one neighbour from the other: `203.0.113.0/24`, `2001:db8:1::/48`.
    package var masked: String {
        guard bytes.count == 16 else { return "\(bytes[0]).\(bytes[1]).\(bytes[2]).0/24" }
        let groups = [0, 2, 4].map { String(Int(bytes[$0]) << 8 | Int(bytes[$0 + 1]), radix: 16) }
        return "\(groups.joined(separator: ":"))::/48"
    }

    /// What attempts are counted by: who has one address of IPv6 has the 2⁶⁴ beside it as well.
    var counted: [UInt8] { bytes.count == 16 ? Array(bytes[..<8]) : bytes }
}
