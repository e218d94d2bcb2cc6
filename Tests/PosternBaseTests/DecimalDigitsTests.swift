import PosternBase
import Testing

@Suite struct DecimalDigitsTests {
    @Test(
        arguments: [
            ("0", 0), ("7", 7), ("007", 7), ("60", 60), ("999999999999999999", 999_999_999_999_999_999),
            ("000000000000000001", 1),
        ] as [(String, Int64)])
    func accepted(_ text: String, _ value: Int64) {
        #expect(DecimalDigits.value(of: text) == value)
    }

    @Test(arguments: [
        "", "+1", "-1", " 1", "1 ", "1\n", "1.0", "1e3", "1_000", "0x1", "a", "/", ":", "\u{663}", "\u{FF11}",
        "1\u{301}",
        "1000000000000000000", "0000000000000000001", String(repeating: "9", count: 100_000),
    ])
    func refused(_ text: String) {
        #expect(DecimalDigits.value(of: text) == nil)
    }
}
