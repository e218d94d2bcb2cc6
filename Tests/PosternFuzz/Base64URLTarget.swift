import PosternBase

/// Every text has one meaning and every meaning one text, and a decoder written without haste agrees.
enum Base64URLTarget {
    static func run(_ input: Input) {
        let decoded = Base64URL.decode(input)
        require(decoded == slowlyDecoded(input), "base64url: two decoders disagree")
        require(decoded == Base64URL.decode(Array(input)), "base64url: array and buffer disagree")
        if let decoded {
            require(Base64URL.encode(decoded).utf8.elementsEqual(input), "base64url: another text for the same bytes")
        }
        let text = Base64URL.encode(Array(input))
        let back = Base64URL.decode(text)
        require(back.map { $0.elementsEqual(input) } ?? false, "base64url: what was written is not read back")
    }

    private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)

    private static let values: [UInt32?] = (0..<256).map { byte in
        alphabet.firstIndex(of: UInt8(byte)).map { UInt32($0) }
    }

    /// Bit by bit, as RFC 4648 §5 describes it.
    private static func slowlyDecoded(_ input: Input) -> [UInt8]? {
        var bits: UInt32 = 0
        var bitCount = 0
        var result: [UInt8] = []
        for character in input {
            guard let value = values[Int(character)] else { return nil }
            bits = bits << 6 | value
            bitCount += 6
            guard bitCount >= 8 else { continue }
            bitCount -= 8
            result.append(UInt8(bits >> UInt32(bitCount)))
            bits &= (1 << UInt32(bitCount)) - 1
        }
        // Six bits left over are a character that completes no byte; others must be zero.
        return bitCount < 6 && bits == 0 ? result : nil
    }
}
