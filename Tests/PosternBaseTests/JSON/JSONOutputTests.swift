import PosternBase
import Testing

@Suite struct JSONOutputTests {
    @Test(
        arguments: [
            (.null, "null"), (.bool(true), "true"), (.bool(false), "false"), (.integer(0), "0"),
            (.integer(.max), "9223372036854775807"),
            (.integer(.min), "-9223372036854775808"), (.string(""), #""""#), (.array([]), "[]"), (.object([]), "{}"),
            (.array([.integer(1), .array([.null])]), "[1,[null]]"), (.optional(nil as String?), "null"),
            (.optional("x"), #""x""#),
            (.optional(nil as Int64?), "null"), (.optional(5 as Int64), "5"), (.strings(["a", "b"]), #"["a","b"]"#),
            (.object([("a", .integer(1)), ("b\n", .object([("", .null)]))]), #"{"a":1,"b\n":{"":null}}"#),
        ] as [(JSONOutput, String)])
    func texts(_ output: JSONOutput, _ text: String) {
        #expect(output.text() == text)
    }

    @Test(arguments: [
        ("\"", #"\""#), ("\\", #"\\"#), ("/", "/"), ("\n\r\t", #"\n\r\t"#),
        ("\u{0}\u{8}\u{C}\u{1F}", #"\u0000\u0008\u000c\u001f"#),
        ("\u{1B}[2J", #"\u001b[2J"#), ("\u{7F}\u{80}\u{9B}\u{9F}\u{A0}", #"\u007f\u0080\u009b\u009f"# + "\u{A0}"),
        ("\u{2028}\u{2029}", #"\u2028\u2029"#), ("é語😀", "é語😀"), ("</script>", "</script>"), ("\r\n", #"\r\n"#),
        ("e\u{301}", "e\u{301}"),
    ])
    func escapes(_ text: String, _ expected: String) {
        #expect(Array(JSONOutput.string(text).text().utf8) == Array("\"\(expected)\"".utf8))
        #expect(Array(JSONOutput.object([(text, .null)]).text().utf8) == Array("{\"\(expected)\":null}".utf8))
    }

    /// Whatever is written is read back as the same bytes, and holds no raw control.
    @Test func everyScalarComesBack() throws {
        for plane in UInt32(0)...16 {
            let scalars = (plane << 16...plane << 16 | 0xFFFF).compactMap { Unicode.Scalar($0) }
            var text = ""
            text.unicodeScalars.append(contentsOf: scalars)
            let written = JSONOutput.string(text).text()
            #expect(try JSONDocument(written).root.stringBytes == Array(text.utf8))
            #expect(!written.utf8.contains { $0 < 0x20 || $0 == 0x7F })
            #expect(!written.unicodeScalars.contains { $0.properties.generalCategory == .control })
        }
    }

    /// Written anew, not copied: escapes that were not needed go, those that are needed come.
    @Test(arguments: [
        (#" { "a" : [ 1 , -0.50E+1 , 1e400 ] } "#, #"{"a":[1,-0.50E+1,1e400]}"#),
        (#""\u0061\/\u001b\u009b""#, #""a/\u001b\u009b""#),
        ("\"\u{9B}\u{2028}\u{7F}\"", #""\u009b\u2028\u007f""#), (#""\ud83d\ude00""#, #""😀""#), ("true", "true"),
        (#"{"\u0000":{"b":[null,false,{}]}}"#, #"{"\u0000":{"b":[null,false,{}]}}"#),
    ])
    func valuesThatWereRead(_ text: String, _ expected: String) throws {
        let written = JSONOutput.value(try JSONDocument(text).root).text()
        #expect(written == expected)
        #expect(JSONOutput.value(try JSONDocument(written).root).text() == written)
    }
}
