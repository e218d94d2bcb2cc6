import PosternBase
import Testing

@Suite struct StrictJSONTests {
    @Test(arguments: [
        ("", JSONError.Reason.empty), (" ", .empty), ("\u{FEFF}{}", .byteOrderMark), ("{\"a\":1,}", .unexpectedByte),
        ("[1,]", .unexpectedByte), ("[,1]", .unexpectedByte), ("{,}", .unexpectedByte), ("{\"a\"}", .unexpectedByte),
        ("{\"a\":}", .unexpectedByte), ("{a:1}", .unexpectedByte), ("{'a':1}", .unexpectedByte),
        ("nul", .unexpectedEnd),
        ("nulL", .unexpectedByte), ("True", .unexpectedByte), ("NaN", .unexpectedByte), ("Infinity", .unexpectedByte),
        ("01", .invalidNumber), ("-", .invalidNumber), ("-a", .invalidNumber), ("1.", .invalidNumber),
        (".5", .unexpectedByte), ("+1", .unexpectedByte), ("1e", .invalidNumber), ("1e+", .invalidNumber),
        ("0x10", .trailingBytes), ("1 2", .trailingBytes), ("{} x", .trailingBytes), ("{}{}", .trailingBytes),
        ("// c\n1", .unexpectedByte), ("[1 2]", .unexpectedByte), ("{\"a\":1 \"b\":2}", .unexpectedByte),
        ("\"\\x\"", .invalidEscape), ("\"\\u12\"", .unexpectedEnd), ("\"\\u12g4\"", .invalidEscape),
        ("\"\\ud800\"", .loneSurrogate), ("\"\\udc00\"", .loneSurrogate), ("\"\\ud800\\u0041\"", .loneSurrogate),
        ("\"\\ud800\\ud800\"", .loneSurrogate), ("\"a", .unexpectedEnd), ("[", .unexpectedEnd), ("{", .unexpectedEnd),
        ("\"\\", .unexpectedEnd), ("\"\\u00", .unexpectedEnd), ("\u{0B}1", .unexpectedByte), ("]", .unexpectedByte),
        ("{\"a\":1,\"a\":2}", .duplicateName), ("{\"a\":1,\"\\u0061\":2}", .duplicateName),
        ("{\"\\u0061\":1,\"a\":2}", .duplicateName), ("{\"\":1,\"\":2}", .duplicateName),
        ("[{\"b\":{\"a\":1,\"a\":2}}]", .duplicateName), ("{\"x\":{\"a\":1},\"y\":1,\"x\":2}", .duplicateName),
    ])
    func refused(_ text: String, _ reason: JSONError.Reason) {
        do throws(JSONError) {
            _ = try JSONDocument(text)
            Issue.record("accepted: \(text)")
        } catch {
            #expect(error.reason == reason, "\(text)")
        }
    }

    @Test(arguments: [
        "0", "-0", "1.5", "1e300", "1E-5", "true", " null ", "\"\"", "\t\r\n[ ]", "{ }", "[[],{}]", "\"\\u0000\"",
        "\"\\ud83d\\ude00\"", "{\"a\":{\"a\":1},\"b\":[{\"a\":1},{\"a\":1}]}", "{\"A\":1,\"a\":2}", "\"\u{7F}\"",
    ])
    func accepted(_ text: String) throws {
        _ = try JSONDocument(text)
    }

    @Test(
        arguments: [
            [0x22, 0xC0, 0xAF, 0x22], [0x22, 0xE0, 0x80, 0xAF, 0x22], [0x22, 0xED, 0xA0, 0x80, 0x22],
            [0x22, 0xF0, 0x80, 0x80, 0x80, 0x22], [0x22, 0xF4, 0x90, 0x80, 0x80, 0x22], [0x22, 0xE2, 0x82, 0x22],
            [0x22, 0xC3, 0x22],
        ] as [[UInt8]])
    func notUTF8(_ bytes: [UInt8]) {
        #expect(throws: JSONError.self) { try JSONDocument(bytes) }
    }

    /// Names that differ only in normal form or case are different names.
    @Test func namesAreBytes() throws {
        let value = try JSONDocument("{\"caf\u{E9}\":1,\"cafe\u{301}\":2}").root
        #expect(value["caf\u{E9}"]?.integer == 1)
        #expect(value["cafe\u{301}"]?.integer == 2)
        #expect(try JSONDocument("{\"\u{212A}\":1}").root["K"] == nil)
    }

    @Test(arguments: 1...40)
    func duplicatesAmongMany(_ count: Int) {
        let members = (0..<count).map { "\"name\($0)\":\($0)" }
        #expect(throws: Never.self) { try JSONDocument("{\(members.joined(separator: ","))}") }
        for repeated in 0..<count {
            let text = "{\(members.joined(separator: ",")),\"name\(repeated)\":0}"
            #expect(throws: JSONError.self) { try JSONDocument(text) }
        }
    }

    @Test func errorsHaveAPlace() {
        do throws(JSONError) {
            _ = try JSONDocument("{\n  \"a\": 1,\n  \"b\": x\n}")
            Issue.record("accepted")
        } catch {
            #expect((error.line, error.column) == (3, 8))
            #expect(error.message.contains("line 3, column 8"))
        }
    }

    @Test(
        arguments: [
            ("0", 0), ("-0", 0), ("1e3", 1000), ("1000.0", 1000), ("1.5e1", 15), ("100e-2", 1), ("0e999999999999", 0),
            ("9223372036854775807", .max), ("-9223372036854775808", .min), ("0.00001e5", 1), ("12e0", 12),
        ] as [(String, Int64)])
    func exactNumbers(_ text: String, _ value: Int64) throws {
        #expect(try JSONDocument(text).root.integer == value)
    }

    @Test(arguments: [
        "9223372036854775808", "-9223372036854775809", "1e19", "1e300", "1e309", "1e999999999999", "0.5", "1e-3",
        "99999999999999999999999999999999999999999999999999", "-0.5", "1.0000000000000000000000001",
    ])
    func numbersThatAreNoInteger(_ text: String) throws {
        #expect(try JSONDocument(text).root.integer == nil)
    }

    @Test(
        arguments: [("1.9", 1), ("-0.5", -1), ("-1.0", -1), ("-1.1", -2), ("1790000600.999", 1_790_000_600)]
            as [(String, Int64)])
    func floors(_ text: String, _ value: Int64) throws {
        #expect(try JSONDocument(text).root.flooredNumber?.value == value)
    }

    @Test func writingEscapes() throws {
        let text = "\u{0}\u{1B}[31m\"\\\u{7F}\u{9B}\u{2028}é😀"
        let written = JSONOutput.object([
            ("k", .string(text)), ("n", .integer(-5)), ("l", .array([.null, .bool(true)])),
        ]).text()
        #expect(!written.unicodeScalars.contains { $0.value < 0x20 || (0x7F..<0xA0).contains($0.value) })
        let read = try JSONDocument(written).root
        #expect(read["k"]?.string == text)
        #expect(JSONOutput.value(read).text() == written)
    }
}
