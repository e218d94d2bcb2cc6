/// Base64 of the standard alphabet (RFC 4648 §4), as files with stored passwords have it; canonical form only.
package enum Base64 {
    package enum Padding: Sendable { case required, absent, optional }

    /// The bytes, or nil for another letter, stray bits, or padding other than it should be.
    package static func decode(_ text: some StringProtocol, padding: Padding) -> [UInt8]? {
        var letters = Array(text.utf8)
        let isWhole = letters.count.isMultiple(of: 4)
        if padding != .absent, isWhole {
            for _ in 0..<2 where letters.last == UInt8(ascii: "=") { letters.removeLast() }
        }
        guard padding != .required || isWhole else { return nil }
        for index in letters.indices {
            switch letters[index] {
            case UInt8(ascii: "+"): letters[index] = UInt8(ascii: "-")
            case UInt8(ascii: "/"): letters[index] = UInt8(ascii: "_")
            case UInt8(ascii: "-"), UInt8(ascii: "_"): return nil
            default: break
            }
        }
        return Base64URL.decode(letters)
    }

    /// The text of `bytes`, with padding.
    package static func encode(_ bytes: [UInt8]) -> String {
        var letters = Base64URL.encode(bytes).utf8.map { letter -> UInt8 in
            switch letter {
            case UInt8(ascii: "-"): UInt8(ascii: "+")
            case UInt8(ascii: "_"): UInt8(ascii: "/")
            default: letter
            }
        }
        while !letters.count.isMultiple(of: 4) { letters.append(UInt8(ascii: "=")) }
        return String(decoding: letters, as: UTF8.self)
    }
}
