import PosternBase

/// Accepted text is the text that its bytes are written as, and a slow decoder takes and refuses the same texts.
enum Base64URLTarget {
    @Sendable static func run(_ input: UnsafeBufferPointer<UInt8>) {
        let decoded = Base64URL.decode(input)
        FuzzDriver.expect(decoded == slowlyDecoded(input), "two decoders disagree")
        if let decoded {
            FuzzDriver.expect(Base64URL.encode(decoded).utf8.elementsEqual(input), "another text for the same bytes")
        }
        // Every input is also bytes to be written and read.
        FuzzDriver.expect(Base64URL.decode(Base64URL.encode(input))?.elementsEqual(input) == true, "no round trip")
    }

    /// One bit after the other.
    private static func slowlyDecoded(_ text: UnsafeBufferPointer<UInt8>) -> [UInt8]? {
        var bits: [Bool] = []
        for character in text {
            guard let value = alphabet.firstIndex(of: character) else { return nil }
            for place in (0..<6).reversed() { bits.append(value >> place & 1 == 1) }
        }
        let unused = bits.count % 8
        guard unused < 6, !bits.suffix(unused).contains(true) else { return nil }
        return stride(from: 0, to: bits.count - unused, by: 8).map { start in
            bits[start..<start + 8].reduce(0) { $0 << 1 | ($1 ? 1 : 0) }
        }
    }

    private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)
}
