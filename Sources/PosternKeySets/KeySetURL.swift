internal import PosternBase

/// The URLs that keys may come from: `https`, and `http` to this machine where that is allowed.
package enum KeySetURL {
    static let maximumByteCount = 2048

    /// What is wrong with `url`, or nil when it may be asked.
    package static func fault(of url: String, allowsInsecureLoopback: Bool) -> String? {
        let bytes = Array(url.utf8)
        guard (1...maximumByteCount).contains(bytes.count) else { return "it is empty or longer than 2048 bytes" }
        guard bytes.allSatisfy({ (0x21...0x7E).contains($0) }) else { return "it has a character that no URL has" }
        let isSecure = url.utf8.starts(with: "https://".utf8)
        guard isSecure || url.utf8.starts(with: "http://".utf8) else { return "it does not begin with https://" }
        let rest = bytes.dropFirst(isSecure ? 8 : 7)
        let authority = rest.prefix { !"/?#\\".utf8.contains($0) }
        guard !authority.contains(UInt8(ascii: "@")) else { return "it has a user name" }
        guard !bytes.contains(UInt8(ascii: "#")), !bytes.contains(UInt8(ascii: "\\")) else {
            return "it has a fragment or a backslash"
        }
        guard let host = host(of: authority) else { return "its host or port cannot be read" }
        if isSecure { return nil }
        guard isLoopback(host) else { return "it is not https" }
        return allowsInsecureLoopback ? nil : "it is not https, and http to this machine is not allowed"
    }

    /// The host without its port, brackets included.
    private static func host(of authority: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
        var host = authority
        var port = authority.suffix(0)
        if authority.first == UInt8(ascii: "[") {
            guard let end = authority.firstIndex(of: UInt8(ascii: "]")) else { return nil }
            host = authority[...end]
            port = authority[(end + 1)...]
        } else if let colon = authority.firstIndex(of: UInt8(ascii: ":")) {
            host = authority[..<colon]
            port = authority[colon...]
        }
        guard !host.isEmpty else { return nil }
        guard !port.isEmpty else { return host }
        guard port.first == UInt8(ascii: ":"),
            let number = DecimalDigits.value(of: String(decoding: port.dropFirst(), as: UTF8.self)),
            (1...65_535).contains(number)
        else { return nil }
        return host
    }

    /// 127.0.0.0/8 and ::1, as literals: a name could be made to mean another machine.
    private static func isLoopback(_ host: ArraySlice<UInt8>) -> Bool {
        if host.elementsEqual("[::1]".utf8) { return true }
        let parts = host.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        let numbers = parts.map { part -> Int64? in
            // A leading zero means octal to some readers.
            guard part.count <= 3, part.count == 1 || part.first != UInt8(ascii: "0") else { return nil }
            return DecimalDigits.value(of: String(decoding: part, as: UTF8.self))
        }
        return numbers.count == 4 && numbers.first == 127
            && numbers.allSatisfy { number in number.map { $0 <= 255 } ?? false }
    }
}
