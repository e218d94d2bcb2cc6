import PosternBase
import Testing

@Suite struct UTF8ComparisonTests {
    @Test(arguments: [
        "", "a", "https://appleid.apple.com", "\u{E9}", "e\u{301}", "\u{212A}", "\u{0}", "a\u{0}b",
        String(repeating: "long ", count: 1000),
    ])
    func sameBytes(_ text: String) {
        #expect(text.isSameBytes(as: String(decoding: Array(text.utf8), as: UTF8.self)))
        #expect(!text.isSameBytes(as: text + "\u{0}"))
        #expect(!(text + "x").isSameBytes(as: text + "y"))
        #expect(["", "other", text].containsBytes(of: text))
    }

    /// Swift calls these equal; as identifiers they are two.
    @Test(arguments: [
        ("\u{E9}", "e\u{301}"), ("\u{212A}", "K"), ("\u{212B}", "\u{C5}"), ("A\u{30A}", "\u{C5}"),
        ("\u{2126}", "\u{3A9}"),
        ("\u{37E}", ";"), ("\u{1100}\u{1161}", "\u{AC00}"), ("a\u{323}\u{302}", "a\u{302}\u{323}"),
    ])
    func canonicalEquivalents(_ left: String, _ right: String) {
        #expect(left == right)
        #expect(!left.isSameBytes(as: right))
        #expect(!right.isSameBytes(as: left))
        #expect(![left].containsBytes(of: right))
    }

    @Test(arguments: [("a", "A"), ("a", "ab"), ("ab", "a"), ("ab", "bb"), ("", "a"), ("a", "\u{430}")])
    func different(_ left: String, _ right: String) {
        #expect(!left.isSameBytes(as: right))
        #expect(![left, left + "?"].containsBytes(of: right))
    }

    @Test func buffers() {
        let empty = UnsafeBufferPointer<UInt8>(start: nil, count: 0)
        #expect(empty.isSameBytes(as: empty))
        [UInt8(1), 2, 3].withUnsafeBufferPointer { bytes in
            #expect(bytes.isSameBytes(as: bytes))
            #expect(!bytes.isSameBytes(as: empty))
            #expect(!bytes.isSameBytes(as: UnsafeBufferPointer(rebasing: bytes[..<2])))
        }
        #expect(!([] as [String]).containsBytes(of: ""))
    }
}
