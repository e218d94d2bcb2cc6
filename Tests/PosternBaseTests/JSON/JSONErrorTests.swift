import PosternBase
import Testing

@Suite struct JSONErrorTests {
    @Test(arguments: [
        ("", 0, 1, 1), ("x", 0, 1, 1), ("  x", 2, 1, 3), ("\n\nx", 2, 3, 1), ("{\n  \"a\": x\n}", 9, 2, 8),
        ("\r\nx", 2, 2, 1),
        ("\rx", 1, 1, 2), ("{\"a\":1,\n\"a\":2}", 8, 2, 1), ("[1,\n01]", 4, 2, 1), ("{}\n\nx", 4, 3, 1),
        ("[\n", 2, 2, 1),
        ("\"é\" x", 5, 1, 6), ("[\"\n\"]", 2, 1, 3), ("[trux]", 4, 1, 5),
    ])
    func places(_ text: String, _ offset: Int, _ line: Int, _ column: Int) throws {
        let error = try #require(throws: JSONError.self) { try JSONDocument(text) }
        #expect(error.offset == offset)
        #expect(error.line == line)
        #expect(error.column == column)
        #expect(error.message == "\(error.reason.rawValue) (line \(line), column \(column))")
    }

    /// A duplicate that is only found when its object ends is still reported where it stands.
    @Test func placeOfAnEscapedDuplicate() throws {
        let error = try #require(throws: JSONError.self) { try JSONDocument("{\"a\":1,\n \"\\u0061\":2,\n\"b\":3}") }
        #expect(error.reason == .duplicateName)
        #expect(error.line == 2)
        #expect(error.column == 2)
    }

    /// Nothing of the text itself is in a message: it may be a secret.
    @Test(arguments: ["\"SECRET", "[SECRET]", "{\"SECRET\":1,\"SECRET\":2}", "\"\\SECRET\"", "1SECRET"])
    func messagesShowNothing(_ text: String) throws {
        let error = try #require(throws: JSONError.self) { try JSONDocument(text) }
        #expect(!error.message.contains("SECRET"))
    }
}
