import PosternBase
import Testing

/// The decoder against another that works bit by bit, and inside the room that it is given.
@Suite struct Base64URLAgreementTests {
    private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)

    /// The text as a row of bits, cut in eights; what is left is zero and shorter than a letter.
    private func decodeByBits(_ text: [UInt8]) -> [UInt8]? {
        var bits: [UInt8] = []
        for character in text {
            guard let value = Self.alphabet.firstIndex(of: character) else { return nil }
            bits += [5, 4, 3, 2, 1, 0].map { UInt8(value >> $0 & 1) }
        }
        let whole = bits.count / 8 * 8
        guard bits.count - whole < 6, !bits[whole...].contains(1) else { return nil }
        return stride(from: 0, to: whole, by: 8).map { bits[$0..<$0 + 8].reduce(0) { $0 << 1 | $1 } }
    }

    /// All texts of two characters, and of three with few first ones: the last decide about unused bits.
    @Test func allShortTexts() {
        let tricky = Self.alphabet + Array("+/=. \n\u{0}@[`{^,".utf8) + [0x80, 0xC3, 0xFF]
        var wrong: [[UInt8]] = []
        for first in tricky {
            for second in tricky {
                let longer = "A_z0+\u{0}".utf8.contains(first) ? tricky.map { [first, second, $0] } : []
                for text in [[first, second]] + longer where Base64URL.decode(text) != decodeByBits(text) {
                    wrong.append(text)
                }
            }
        }
        #expect(wrong.isEmpty)
    }

    /// In the fast loop, in the last whole group and in the tail.
    @Test(arguments: ["AbC_AbC_AbC_", "AbC_AbC_AbC_AA", "AbC_AbC_AbC_AAA"])
    func everyByteAtEveryPlace(_ good: String) {
        var wrong: [[UInt8]] = []
        for place in 0..<good.utf8.count {
            for byte in UInt8.min ... .max {
                var text = Array(good.utf8)
                text[place] = byte
                if Base64URL.decode(text) != decodeByBits(text) { wrong.append(text) }
            }
        }
        #expect(wrong.isEmpty)
    }

    /// For recognising what is spelled wrongly.
    @Test(
        arguments: [
            ("", []), ("QUJD", [0x41, 0x42, 0x43]), ("QUI", [0x41, 0x42]), ("QUI=", [0x41, 0x42]),
            ("QUJ", [0x41, 0x42]),
            ("QQ==", [0x41]), ("QR", [0x41]), ("+/-_", [0xFB, 0xFF, 0xBF]), ("QUJDQ", [0x41, 0x42, 0x43]),
            ("Q!JD", nil),
            ("QU!", nil), ("!", []),
        ] as [(String, [UInt8]?)])
    func leniently(_ text: String, _ bytes: [UInt8]?) {
        #expect(Base64URL.decodeLeniently(Array(text.utf8)) == bytes)
    }

    @Test(arguments: [(0, 0), (1, nil), (2, 1), (3, 2), (4, 3), (5, nil), (6, 4), (7, 5), (8, 6), (9, nil)])
    func counts(_ encoded: Int, _ decoded: Int?) {
        #expect(Base64URL.decodedCount(of: encoded) == decoded)
    }

    /// Never a byte beyond the room that was promised, and nothing at all into less room than that.
    @Test func staysInsideItsRoom() {
        for count in 1...64 where count & 3 != 1 {
            let needed = Base64URL.decodedCount(of: count) ?? 0
            let exact = decode(lettersA: count, into: needed)
            #expect(exact.isDone)
            #expect(exact.room == [UInt8](repeating: 0, count: needed) + [UInt8](repeating: 0xEE, count: 8))
            #expect(!decode(lettersA: count, into: needed - 1).isDone)
        }
    }

    private func decode(lettersA count: Int, into roomCount: Int) -> (isDone: Bool, room: [UInt8]) {
        let text = [UInt8](repeating: 0x41, count: count)
        var room = [UInt8](repeating: 0xEE, count: roomCount + 8)
        let isDone = room.withUnsafeMutableBufferPointer { room in
            text.withUnsafeBufferPointer {
                Base64URL.decode($0, into: UnsafeMutableBufferPointer(rebasing: room[..<roomCount]))
            }
        }
        return (isDone, room)
    }

    /// A collection that has no storage in one piece.
    @Test func otherCollections() {
        #expect(
            Base64URL.decode(Array("oGVs".utf8).reversed() as ReversedCollection) == decodeByBits(Array("sVGo".utf8)))
        #expect(Base64URL.encode([1, 2, 3, 4].dropFirst()) == "AgME")
    }
}
