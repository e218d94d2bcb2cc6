internal import Glibc

/// An absolute http or https URL in so narrow a form that no two readers can differ about its host (RFC 3986).
package struct TargetURL: Sendable, Equatable {
    package enum Scheme: String, Sendable {
        case http
        case https
    }

    /// Why a text is not taken; never holds the text.
    package struct Fault: Error, Equatable {
        package let message: String
    }

    package static let maximumCount = 8_192

    package let text: String
    package let scheme: Scheme
    /// As it stands in the URL, an IPv6 address with its brackets.
    package let host: String
    package let port: Int?
    /// Path and query, as they stand; empty when the URL ends with the authority.
    package let path: String
    /// Whether the host is a literal of 127.0.0.0/8 or `[::1]`; a name is none, whatever it resolves to.
    package let isLoopbackLiteral: Bool

    package init(_ text: String) throws(Fault) {
        guard text.utf8.count <= Self.maximumCount else {
            throw Fault(message: "it has more than \(Self.maximumCount) bytes")
        }
        guard text.utf8.allSatisfy(Self.isAllowed) else {
            throw Fault(message: "it holds a character that must be percent-encoded, or a fragment")
        }
        let rest: Substring
        if text.hasPrefix("https://") {
            scheme = .https
            rest = text.dropFirst(8)
        } else if text.hasPrefix("http://") {
            scheme = .http
            rest = text.dropFirst(7)
        } else {
            throw Fault(message: "it does not begin with https:// in lower case")
        }
        let authority = rest.prefix { $0 != "/" && $0 != "?" }
        guard !authority.contains("@") else { throw Fault(message: "it holds a user name or a password") }
        (host, port) = try Self.split(authority)
        isLoopbackLiteral = try Self.isLoopback(host)
        path = String(rest[authority.endIndex...])
        self.text = text
    }

    /// Visible ASCII without those that RFC 3986 leaves out, and without the fragment's sign: a fragment is never sent.
    private static func isAllowed(_ byte: UInt8) -> Bool {
        (0x21...0x7E).contains(byte) && !"\"#<>\\^`{|}".utf8.contains(byte)
    }

    private static func split(_ authority: Substring) throws(Fault) -> (host: String, port: Int?) {
        let hostEnd: Substring.Index
        if authority.first == "[" {
            guard let bracket = authority.firstIndex(of: "]") else {
                throw Fault(message: "the bracket before its host is not closed")
            }
            hostEnd = authority.index(after: bracket)
        } else {
            hostEnd = authority.firstIndex(of: ":") ?? authority.endIndex
        }
        let host = String(authority[..<hostEnd])
        let rest = authority[hostEnd...]
        guard !rest.isEmpty else { return (host, nil) }
        let digits = rest.dropFirst()
        guard rest.first == ":", (1...5).contains(digits.utf8.count),
            digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }), digits.first != "0",
            let port = Int(digits), port <= 65_535
        else { throw Fault(message: "its port is no number from 1 to 65535") }
        return (host, port)
    }

    private static func isLoopback(_ host: String) throws(Fault) -> Bool {
        if host.first == "[" {
            var address = in6_addr()
            guard inet_pton(AF_INET6, String(host.dropFirst().dropLast()), &address) == 1 else {
                throw Fault(message: "its host is no IPv6 address")
            }
            let bytes = withUnsafeBytes(of: &address) { Array($0) }
            return bytes == [UInt8](repeating: 0, count: 15) + [1]
        }
        let labels = host.split(separator: ".", omittingEmptySubsequences: false)
        guard host.utf8.count <= 253, labels.allSatisfy(isLabel) else {
            throw Fault(message: "its host is no name of letters, digits, hyphens and dots")
        }
        // What ends in a number is an address to most readers, and "127.1" or "0x7f.1" to some: only four numbers pass.
        guard labels.last.map(isNumber) == true else { return false }
        var address = in_addr()
        guard inet_pton(AF_INET, host, &address) == 1 else {
            throw Fault(message: "its host ends in a number and is no IPv4 address")
        }
        return UInt32(bigEndian: address.s_addr) >> 24 == 127
    }

    private static func isNumber(_ label: Substring) -> Bool {
        let isHexadecimal = label.hasPrefix("0x") || label.hasPrefix("0X")
        return isHexadecimal ? label.dropFirst(2).allSatisfy(\.isHexDigit) : label.allSatisfy(\.isNumber)
    }

    private static func isLabel(_ label: Substring) -> Bool {
        (1...63).contains(label.utf8.count) && label.first != "-" && label.last != "-"
            && label.utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                    UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "-"), UInt8(ascii: "_"):
                    true
                default: false
                }
            }
    }
}
