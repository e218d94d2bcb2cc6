import PosternAccounts
import Testing

@Suite struct VisitorTests {
    /// At most 256 bytes, whole characters, and never more than was said.
    @Test(arguments: ["a", "\u{E9}", "\u{20AC}", "\u{1F600}", "e\u{301}", "a\r\n"])
    func userAgentsAreCutBetweenCharacters(unit: String) {
        for padding in 0..<5 {
            let text = String(repeating: "x", count: padding) + String(repeating: unit, count: 300)
            let cut = Visitor(userAgent: text).userAgent ?? ""
            #expect((253...256).contains(cut.utf8.count))
            #expect(text.utf8.starts(with: cut.utf8))
        }
        #expect(Visitor(userAgent: "").userAgent == "")
        #expect(Visitor().userAgent == nil)
        for count in [255, 256, 257] {
            let cut = Visitor(userAgent: String(repeating: "a", count: count)).userAgent
            #expect(cut?.utf8.count == min(count, 256))
        }
    }
}
