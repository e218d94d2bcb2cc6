import Foundation
import PosternBase
import Testing

@Suite struct Base64URLTests {
    private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)

    @Test func roundTripsAgreeWithFoundation() throws {
        for count in 0...300 {
            let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 167 &+ count) }
            let text = Base64URL.encode(bytes)
            let foundation = Data(bytes).base64EncodedString()
                .replacingOccurrences(of: "+", with: "-")
                .replacingOccurrences(of: "/", with: "_")
                .replacingOccurrences(of: "=", with: "")
            #expect(text == foundation)
            #expect(Base64URL.decode(text) == bytes)
        }
    }

    /// Of all texts of two and three characters just those are read that encoding makes.
    @Test func canonicalOnly() {
        for first in Self.alphabet {
            for second in Self.alphabet {
                let text = [first, second]
                let decoded = Base64URL.decode(text)
                #expect((decoded != nil) == (Self.alphabet.firstIndex(of: second).map { $0 % 16 == 0 } ?? false))
                if let decoded { #expect(Array(Base64URL.encode(decoded).utf8) == text) }
                for third in [
                    Self.alphabet[0], Self.alphabet[1], Self.alphabet[3], Self.alphabet[4], Self.alphabet[60],
                ] {
                    let text = text + [third]
                    guard let decoded = Base64URL.decode(text) else { continue }
                    #expect(Array(Base64URL.encode(decoded).utf8) == text)
                }
            }
        }
    }

    @Test(arguments: 0...20)
    func everyOtherByteIsRefusedAtEveryPlace(_ count: Int) {
        let good = [UInt8](repeating: 0x41, count: count)
        for place in good.indices {
            for byte in UInt8.min ... .max where !Self.alphabet.contains(byte) {
                var bad = good
                bad[place] = byte
                #expect(Base64URL.decode(bad) == nil)
            }
        }
        #expect((Base64URL.decode(good) == nil) == (count % 4 == 1))
    }

    @Test(arguments: ["QQ==", "QQ=", "QUI=", " QUI", "QUI ", "QU\nI", "Q", "QUJDR", "Q+8", "Q/8", "QÜ"])
    func refused(_ text: String) {
        #expect(Base64URL.decode(text) == nil)
    }

    @Test func hex() {
        #expect(Hex.encode([0x00, 0x9A, 0xFF]) == "009aff")
        #expect(Hex.decode("009AfF") == [0x00, 0x9A, 0xFF])
        for bad in ["0", "0g", " 0", "é"] { #expect(Hex.decode(bad) == nil) }
    }

    @Test(arguments: [
        "\u{1B}[2J", "\u{0}", "\u{7F}", "\u{9B}31m", "\u{202E}abc", "\u{200B}", "\u{FEFF}", "a\nb", "\u{2028}",
    ])
    func excerptsHoldNothingThatSteers(_ text: String) {
        let shown = Excerpt.plain(text)
        #expect(shown.unicodeScalars.allSatisfy { !$0.properties.isDefaultIgnorableCodePoint && $0.value >= 0x20 })
        #expect(!shown.unicodeScalars.contains { (0x7F..<0xA0).contains($0.value) || $0.value == 0x2028 })
        #expect(Excerpt.plain(String(repeating: "x", count: 500)).count == Excerpt.maximumCount + 1)
    }

    @Test func bytesAreCompared() {
        #expect(!"caf\u{E9}".isSameBytes(as: "cafe\u{301}"))
        #expect(!"\u{212A}".isSameBytes(as: "K"))
        #expect("K".isSameBytes(as: "K"))
        #expect(!["a", "\u{212B}"].containsBytes(of: "\u{C5}"))
    }
}
