import PosternBase
import Testing

/// The reason for which `bytes` are refused, nil when they are read.
func refusal(of bytes: [UInt8]) -> JSONError.Reason? {
    do throws(JSONError) {
        _ = try JSONDocument(bytes)
        return nil
    } catch {
        return error.reason
    }
}

func refusal(of text: String) -> JSONError.Reason? { refusal(of: Array(text.utf8)) }

/// What a whole text may be: RFC 8259 and the stricter rules of ours.
@Suite struct JSONReaderTests {
    @Test(arguments: [
        "{}", "[]", "\"\"", "0", "true", "false", "null", " \t\r\n{ \t\r\n} \t\r\n", "[[],{}]", "[1,2,3]", "[ 1 , 2 ]",
        #"{"a":1}"#, #"{ "a" : 1 , "b" : [ ] }"#, #"{"":0}"#, #"{"a":{"a":{"a":{}}}}"#, #"[{"a":1},{"a":2}]"#,
        #"{"a":[{"a":1}],"b":{"a":2}}"#, #"{"a":1,"A":2,"a ":3," a":4,"\u0000":5,"\u00e9":6,"e\u0301":7}"#, #"["\/"]"#,
    ])
    func accepted(_ text: String) {
        #expect(refusal(of: text) == nil)
    }

    @Test(
        arguments: [
            ("", .empty), (" ", .empty), ("\n\n", .empty),
            ("{", .unexpectedEnd), ("[", .unexpectedEnd), ("[1", .unexpectedEnd), ("[1,", .unexpectedEnd),
            (#"{"a"#, .unexpectedEnd), (#"{"a""#, .unexpectedEnd), (#"{"a":"#, .unexpectedEnd),
            (#"{"a":1"#, .unexpectedEnd),
            (#"{"a":1,"#, .unexpectedEnd), ("t", .unexpectedEnd), ("tru", .unexpectedEnd), ("nul", .unexpectedEnd),
            ("]", .unexpectedByte), ("}", .unexpectedByte), (",", .unexpectedByte), (":", .unexpectedByte),
            ("[1,]", .unexpectedByte), ("[,1]", .unexpectedByte), ("[1,,2]", .unexpectedByte),
            ("[1 2]", .unexpectedByte),
            ("[1}", .unexpectedByte), (#"{"a":1]"#, .unexpectedByte), (#"{"a":1,}"#, .unexpectedByte),
            (#"{,"a":1}"#, .unexpectedByte), (#"{"a" 1}"#, .unexpectedByte), (#"{"a",1}"#, .unexpectedByte),
            (#"{"a":}"#, .unexpectedByte), (#"{"a":1 "b":2}"#, .unexpectedByte), (#"{"a"::1}"#, .unexpectedByte),
            ("{a:1}", .unexpectedByte), ("{'a':1}", .unexpectedByte), ("{1:1}", .unexpectedByte),
            ("{null:1}", .unexpectedByte),
            ("['a']", .unexpectedByte), ("{[]}", .unexpectedByte), ("[:]", .unexpectedByte), ("{{}}", .unexpectedByte),
            ("True", .unexpectedByte), ("NULL", .unexpectedByte), ("nulL", .unexpectedByte), ("trux", .unexpectedByte),
            ("NaN", .unexpectedByte), ("Infinity", .unexpectedByte), ("undefined", .unexpectedByte),
            ("\u{0}", .unexpectedByte),
            ("// c\n1", .unexpectedByte), ("/* c */1", .unexpectedByte), ("[1/**/]", .unexpectedByte),
            ("#\n1", .unexpectedByte),
            ("\u{A0}1", .unexpectedByte), ("\u{B}1", .unexpectedByte), ("\u{C}1", .unexpectedByte),
            ("\u{2028}1", .unexpectedByte),
            ("{}{}", .trailingBytes), ("{} x", .trailingBytes), ("1 2", .trailingBytes), ("[]]", .trailingBytes),
            ("{},", .trailingBytes), ("nullx", .trailingBytes), ("truetrue", .trailingBytes),
            ("{}\u{0}", .trailingBytes),
            ("\"a\"\"b\"", .trailingBytes), ("{}\u{FEFF}", .trailingBytes), ("{}//", .trailingBytes),
            ("\u{FEFF}{}", .byteOrderMark), ("\u{FEFF}", .byteOrderMark), (" \u{FEFF}{}", .unexpectedByte),
        ] as [(String, JSONError.Reason)])
    func refused(_ text: String, _ reason: JSONError.Reason) {
        #expect(refusal(of: text) == reason)
    }

    @Test func otherEncodings() {
        let units = Array(#"{"a":1}"#.utf16)
        let little = units.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }
        let big = units.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xFF)] }
        let utf32 = #"{"a":1}"#.utf8.flatMap { [$0, 0, 0, 0] as [UInt8] }
        let texts: [[UInt8]] = [little, big, [0xFF, 0xFE] + little, [0xFE, 0xFF] + big, utf32]
        for bytes in texts {
            #expect(refusal(of: bytes) == .unexpectedByte)
        }
        #expect(refusal(of: [0xEF, 0xBB]) == .unexpectedByte)
    }

    // MARK: - Depth

    @Test(arguments: [(1, nil), (31, nil), (32, nil), (33, .tooDeep), (100, .tooDeep)] as [(Int, JSONError.Reason?)])
    func depth(_ depth: Int, _ reason: JSONError.Reason?) {
        let arrays = String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
        let objects = String(repeating: #"{"a":"#, count: depth) + "1" + String(repeating: "}", count: depth)
        #expect(refusal(of: arrays) == reason)
        #expect(refusal(of: objects) == reason)
        // What is closed again does not count.
        #expect(refusal(of: "[[[]],\(arrays.dropFirst().dropLast())]") == reason || depth == 1)
    }

    @Test(arguments: ["[", #"{"a":"#, "[{\"a\":"])
    func endlessOpening(_ opening: String) {
        #expect(refusal(of: String(repeating: opening, count: 100_000)) == .tooDeep)
    }

    // MARK: - Room for the tape

    /// Texts with as many values as their length allows, which the first, shorter tape cannot hold.
    @Test(arguments: [0, 1, 2, 7, 8, 9, 63, 64, 65, 1000, 100_000])
    func denseTexts(_ count: Int) throws {
        let ones = Array(repeating: "1", count: count)
        let array = try JSONDocument("[" + ones.joined(separator: ",") + "]")
        #expect(array.root.elements?.count == count)
        let lists = try JSONDocument("[" + ones.map { _ in "[]" }.joined(separator: ",") + "]")
        #expect(lists.root.elements?.count == count)
        let texts = try JSONDocument("[" + ones.map { _ in "\"\"" }.joined(separator: ",") + "]")
        #expect(texts.root.elements?.allSatisfy { $0.stringEquals("") } == true)
    }

    @Test(arguments: 0...40)
    func denseTextsBehindOpenBrackets(_ count: Int) throws {
        let ones = Array(repeating: "1", count: count + 1).joined(separator: ",")
        for depth in [1, 2, 31, 32] {
            let text = String(repeating: "[", count: depth) + ones + String(repeating: "]", count: depth)
            var value = try JSONDocument(text).root
            for _ in 1..<depth { value = try #require(value.elements?.first) }
            #expect(value.elements?.count == count + 1)
            // Open brackets alone are the densest of all: no end, no separator.
            #expect(refusal(of: String(repeating: "[", count: depth) + ones) == .unexpectedEnd)
            #expect(refusal(of: String(repeating: "[", count: depth)) == .unexpectedEnd)
        }
    }

    /// A fault behind the point where the short tape is full is found with its own reason and place.
    @Test func faultBehindTheShortTape() throws {
        let text = "[" + String(repeating: "1,", count: 5000) + "x]"
        let error = try #require(throws: JSONError.self) { try JSONDocument(text) }
        #expect(error.reason == .unexpectedByte)
        #expect(error.offset == 10_001)
    }
}
