import PosternBase
import Testing

@Suite struct ExcerptTests {
    /// Nothing that steers a terminal, turns the direction of text or shows nothing comes through as it is.
    @Test(arguments: [
        0x00, 0x0A, 0x1B, 0x7F, 0x85, 0x9B, 0xAD, 0x34F, 0x61C, 0x115F, 0x1160, 0x17B4, 0x180B, 0x200B, 0x200D, 0x200E,
        0x2028, 0x2029, 0x202E, 0x2060, 0x2066, 0x2069, 0x3164, 0xE000, 0xFE00, 0xFE0F, 0xFEFF, 0xFFA0, 0xFFFF,
        0xE0001, 0xE0041, 0xE0100, 0xE01EF, 0x10FFFF,
    ])
    func escaped(_ value: UInt32) throws {
        let scalar = try #require(Unicode.Scalar(value))
        let expected = "a\\u{\(String(value, radix: 16, uppercase: true))}b"
        #expect(Excerpt.plain("a\(scalar)b").isSameBytes(as: expected))
    }

    @Test(arguments: ["", "com.example.app", "é", "e\u{301}", "ключ", "鍵", "😀", "a b"])
    func kept(_ text: String) {
        #expect(Excerpt.plain(text).isSameBytes(as: text))
        #expect(Excerpt.quote(text).isSameBytes(as: "\"\(text)\""))
    }

    /// A quotation ends where it seems to end.
    @Test(arguments: [
        ("a\" or \"b", #""a\" or \"b""#), (#"\"#, #""\\""#), ("\n", #""\u{A}""#), ("", #""""#),
    ])
    func quoted(_ text: String, _ expected: String) {
        #expect(Excerpt.quote(text) == expected)
    }

    @Test(arguments: [(0x41, #""A""#), (0x22, #""\"""#), (0x0A, #""\u{A}""#), (0x80, #""\x80""#), (0xFF, #""\xFF""#)])
    func bytes(_ byte: UInt8, _ expected: String) {
        #expect(Excerpt.quote(byte: byte) == expected)
    }

    @Test func bounded() {
        let most = String(repeating: "x", count: Excerpt.maximumCount)
        #expect(Excerpt.plain(most) == most)
        #expect(Excerpt.plain(most + "x") == most + "…")
    }
}
