import PosternBase
import Testing

@Suite struct JSONHintTests {
    private static let duplicates: [(text: String, found: String?)] = [
        (#"{"a":1,"a":2}"#, "a 1:2"), ("{\"b\":0,\n \"a\":\"a\",\n\"a\":2}", "a 2:2"),
        (#"{"x":{"a":1},"y":[{"a":1}],"a":1,"a":2}"#, "a 1:28"), (#"{"x":{"b":1,"b":2}}"#, "b 1:7"),
        (#"{"":1,"":2}"#, " 1:2"), (#"{"b":"\"a\":","a":1,"a":2}"#, "a 1:15"),
        // The same name in two spellings is told by its place alone.
        (#"{"a":1,"\u0061":2}"#, nil), (#"{"a":1"#, nil), ("", nil),
    ]

    @Test(arguments: duplicates.indices) func duplicatesAreNamed(_ index: Int) {
        let (text, found) = Self.duplicates[index]
        let bytes = Array(text.utf8)
        do throws(JSONError) {
            _ = try JSONDocument(bytes)
            Issue.record("taken")
        } catch {
            let hint = JSONHint.duplicate(error, in: bytes)
            #expect(hint.map { "\($0.name) \($0.first.line):\($0.first.column)" } == found)
        }
    }

    /// Many names are compared in another way.
    @Test func amongMany() throws {
        let names = (0..<40).map { "\"n\($0)\":{\"n7\":[\"n7\"]}" } + ["\"n7\":1"]
        let bytes = Array("{\(names.joined(separator: ",\n"))}".utf8)
        do throws(JSONError) {
            _ = try JSONDocument(bytes)
            Issue.record("taken")
        } catch {
            let hint = JSONHint.duplicate(error, in: bytes)
            #expect(hint?.name == "n7" && hint?.first.line == 8 && hint?.first.column == 1)
        }
    }

    @Test(arguments: [
        ("{", [1]), ("{\n[", []), ("{\"a\":\n[", [1, 2]), ("[[]\n,{\"a\":{}", [1, 2]), ("[\n\"a{", [1, 2]),
        ("[\"\\", [1, 1]),
    ]) func whatIsOpen(_ text: String, _ lines: [Int]) {
        let bytes = Array(text.utf8)
        do throws(JSONError) {
            _ = try JSONDocument(bytes)
            Issue.record("taken")
        } catch {
            let found = JSONHint.open(error, in: bytes).map { opening in
                switch opening {
                case .object(let place), .array(let place), .string(let place): place.line
                }
            }
            #expect(found == lines)
        }
    }

    private static let encodings: [(bytes: [UInt8], found: String?)] = [
        ([], nil), ([0x41, 0xC3, 0xA4], nil), ([0xF0, 0x9F, 0x94, 0x91, 0xEF, 0xBB, 0xBF], nil), ([0xE9], "1:1 233"),
        ([0x41, 0x0A, 0xC3, 0xA4, 0xFC, 0x41], "2:3 252"), ([0xC3], "1:1 195"), ([0xC3, 0x0A, 0xC3], "1:1 195"),
        ([0xC0, 0x80], "1:1 192"), ([0xED, 0xA0, 0x80], "1:1 237"), ([0xF4, 0x90, 0x80, 0x80], "1:1 244"),
        ([0x0A, 0x80], "2:1 128"),
    ]

    /// The first byte that is none of UTF-8, by line and column in bytes.
    @Test(arguments: encodings)
    func otherEncodings(_ bytes: [UInt8], _ found: String?) {
        #expect(JSONHint.notUTF8(bytes).map { "\($0.place.line):\($0.place.column) \($0.byte)" } == found)
        #expect((String(validating: bytes, as: UTF8.self) == nil) == (found != nil))
    }

    /// Whatever is handed in, even with the error of another text.
    @Test func nothingTraps() {
        let texts = [
            #"{"a":1,"a":2}"#, #"{"a":1,"b":{"#, "", "\"", "{\"", "}}}]", "\\", String(repeating: "[", count: 99),
        ]
        for text in texts {
            do throws(JSONError) {
                _ = try JSONDocument(Array(text.utf8))
            } catch {
                for other in texts {
                    _ = JSONHint.duplicate(error, in: Array(other.utf8))
                    _ = JSONHint.open(error, in: Array(other.utf8))
                }
            }
        }
    }
}
