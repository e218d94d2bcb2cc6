import PosternHTTP
import Testing

@Suite struct HTTPFieldsTests {
    @Test func namesIgnoreCaseAndOrderStays() {
        var fields = HTTP.Fields()
        fields.append("ETag", "\"a\"")
        fields.append("x-list", "1")
        fields.append("X-List", "2")
        #expect(fields.single("etag") == "\"a\"")
        #expect(fields.values("X-LIST") == ["1", "2"])
        #expect(fields.single("x-list") == nil)
        #expect(fields.values("absent") == [])
        #expect(fields.single("absent") == nil)
        #expect(fields.lines.map(\.name) == ["ETag", "x-list", "X-List"])
    }

    /// The Kelvin sign is no k, and nothing that could end a line gets in.
    @Test(arguments: [
        ("", "a"), ("a b", "c"), ("a:", "b"), ("a\r", "b"), ("a\n", "b"), ("\u{212A}", "a"), ("a", "b\r\nc: d"),
        ("a", "b\nc"), ("a", "b\u{0}"), ("a", "b\u{7F}"), ("a", "\u{1}"), ("é", "a"), ("a(", "b"),
    ])
    func badFieldsStayOut(name: String, value: String) {
        var fields = HTTP.Fields()
        let isIn = fields.append(name, value)
        #expect(!isIn)
        #expect(fields.lines.isEmpty)
    }

    @Test(arguments: [
        (" a ", "a"), ("\t a\t", "a"), ("a b", "a b"), ("", ""), ("  ", ""), ("a\tb", "a\tb"), ("é", "é"),
    ])
    func valuesLoseBlanksAtTheirEnds(value: String, kept: String) {
        #expect(HTTP.Fields.Field("Name", value)?.value == kept)
    }

    @Test func everyTokenCharacterIsAllowedInNames() {
        let token = "!#$%&'*+-.^_`|~0189AZaz"
        #expect(HTTP.Fields.Field(token, "")?.name == token)
    }
}
