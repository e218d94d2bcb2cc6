import PosternBase
import Testing

@Suite struct RelaxedJSONTests {
    @Test(arguments: [
        ("{}", "{}"), ("[1,]", "[1]"), (#"{"a":1,}"#, #"{"a":1}"#), ("[[1,],[{},],]", "[[1],[{}]]"),
        ("// comment\n{}", "{}"), ("{}// comment", "{}"), ("{} // é 😀\n", "{}"), ("[1 // ]\n, // ,\n]", "[1]"),
        (#"["//",]"#, #"["//"]"#), (#"["\"//",1]"#, #"["\"//",1]"#), (#"[",]"]"#, #"[",]"]"#),
        (#"["\\",]"#, #"["\\"]"#),
        ("[true,\n\n]", "[true]"), ("[\"a\", // x\n \"b\", // y\n]", #"["a","b"]"#), ("//\n[]", "[]"), ("[]//", "[]"),
    ])
    func whatPeopleWriteIsRead(text: String, meaning: String) throws {
        #expect(JSONOutput.value(try JSONDocument(settings: Array(text.utf8)).root).text() == meaning)
    }

    /// No other reader of JSON takes them.
    @Test(arguments: ["[1,]", #"{"a":1,}"#, "// x\n{}", "{}//"])
    func everyOtherTextIsStrict(text: String) {
        #expect(throws: JSONError.self) { try JSONDocument(text) }
    }

    @Test(arguments: [
        "[,]", "{,}", "[1,,]", "[,1]", #"{"a":,}"#, #"{"a",}"#, "/* x */ {}", "/ / x\n{}", "[1]/", "# x\n{}", "[1],",
        ",[1]",
        "[1,}", "{\"a\":1,]", "// only a comment", "'a'", "{a:1}", #"{"a":1,"a":2}"#, "\u{FEFF}{}", "[01]", "[1 2]",
        #"["a"#,
        "[\"\\", "// x\r{}", #"{"a":1,"//":2,"//":3}"#,
    ])
    func allElseIsRefused(text: String) {
        #expect(throws: JSONError.self) { try JSONDocument(settings: Array(text.utf8)) }
    }

    @Test func commentsAreText() {
        #expect(throws: JSONError.self) {
            try JSONDocument(settings: Array("// ".utf8) + [0xFF, 0x0A] + Array("{}".utf8))
        }
    }

    /// The place of a mistake is that of the file.
    @Test func placesStay() throws {
        let text = "// one\n{\n  \"a\": 1, // two\n  \"a\": 2,\n}\n"
        let error = #expect(throws: JSONError.self) { try JSONDocument(settings: Array(text.utf8)) }
        #expect(error?.reason == .duplicateName)
        #expect(error?.line == 4)
        #expect(error?.column == 3)
        let root = try JSONDocument(settings: Array("// é\n{ \"a\": [1, // x\n  \"b\",] }".utf8)).root
        let element = try #require(root["a"]?.elements?.last)
        #expect(element.place == (3, 3))
        #expect(root.namedMembers.first?.name.place ?? (0, 0) == (2, 3))
        #expect(root.place == (2, 1))
    }
}
