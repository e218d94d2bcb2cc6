import PosternBase
import Testing

@Suite struct JSONWriterTests {
    @Test func commasAreWhereTheyBelong() {
        var writer = JSONWriter()
        writer.object { writer in
            writer.member("a", "x" as String?)
            writer.member("b", nil as String?)
            writer.member("c", 5 as Int64?)
            writer.member("d", nil as Int64?)
            writer.member("e", true)
            writer.name("f")
            writer.array { writer in
                writer.integer(1)
                writer.object { _ in }
                writer.array { _ in }
                writer.string("")
                writer.null()
            }
            writer.name(dynamic: "g\n")
            writer.bool(false)
            writer.member("h", .object([("i", .array([.null, .integer(2)]))]))
            writer.member("j", .written { $0.array { $0.integer(3) } })
            writer.member("k", .string("last"))
        }
        #expect(
            writer.text
                == #"{"a":"x","b":null,"c":5,"d":null,"e":true,"f":[1,{},[],"",null],"g\n":false,"h":{"i":[null,2]},"#
                + #""j":[3],"k":"last"}"#
        )
    }

    @Test(arguments: [0, 1, -1, 9, 10, -10, 99, 100, 1_790_000_000, .max, .min] as [Int64])
    func integersAreWrittenWhole(number: Int64) {
        var writer = JSONWriter()
        writer.integer(number)
        #expect(writer.text == String(number))
    }

    @Test(arguments: [0, 1, 7, 64, 100])
    func theRoomAtTheStartChangesNothing(capacity: Int) {
        let texts = (0..<40).map { String(repeating: "x", count: $0) }
        var writer = JSONWriter(capacity: capacity)
        writer.array { writer in for text in texts { writer.string(text) } }
        let expected = "[" + texts.map { "\"\($0)\"" }.joined(separator: ",") + "]"
        #expect(writer.text == expected)
        #expect(writer.count == expected.utf8.count)
        #expect(writer.finish() == Array(expected.utf8))
    }

    @Test func whatIsBegunBitByBitIsTheSame() {
        var writer = JSONWriter()
        writer.beginObject()
        writer.name("none")
        writer.beginArray()
        writer.endArray()
        writer.name("two")
        writer.beginArray()
        writer.object { $0.member("a", 1) }
        writer.null()
        writer.endArray()
        writer.member("word", word: "accepted")
        writer.endObject()
        #expect(writer.text == #"{"none":[],"two":[{"a":1},null],"word":"accepted"}"#)
    }

    @Test func textsAreCopiedFromDocuments() throws {
        let document = try JSONDocument(#"{"a":"x","b":"\u0061\n","c":1,"d":""}"#)
        var writer = JSONWriter()
        writer.object { writer in
            for name in ["a", "b", "c", "d"] as [StaticString] {
                writer.member(name, textAt: document.place(of: name), in: document)
            }
            writer.member("e", textAt: document.place(of: "e"), in: document)
        }
        #expect(writer.text == #"{"a":"x","b":"a\n","c":null,"d":"","e":null}"#)
    }

    /// Each byte that must not come through is found at each place of a text of each length, whatever stands around it.
    @Test(arguments: 0..<26)
    func oddBytesAreFoundEverywhere(count: Int) throws {
        for place in 0..<count {
            for byte in UInt8(0)...0x7F {
                var bytes = [UInt8](repeating: 0x61, count: count)
                bytes[place] = byte
                let text = String(decoding: bytes, as: UTF8.self)
                let written = JSONOutput.string(text).text()
                #expect(!written.utf8.contains { $0 < 0x20 || $0 == 0x7F })
                #expect(try JSONDocument(written).root.stringBytes == bytes)
                // The same inside a value that was read.
                let array = "[\(written)]"
                #expect(JSONOutput.value(try JSONDocument(array).root).text() == array)
            }
        }
    }

    /// What is copied whole is what would be written anew.
    @Test(arguments: [
        #"{"a":[1,{"b":"c"}],"d":null}"#, #"[]"#, #"{"a":"b c"}"#, #"{"a":"\u0041"}"#, #"{"a" : 1}"#, "[\n1]",
        #"{"é":"ü"}"#,
        "[\"\u{7F}\u{2028}\"]", #"{"aaaaaaa\"aaaaaaaaaa":"\\"}"#, #"{"a":1e400,"b":-0.0}"#,
    ])
    func readValues(text: String) throws {
        func tree(_ value: JSONValue) -> JSONOutput {
            switch value.kind {
            case .object: .object(value.members.map { ($0.name, tree($0.value)) })
            case .array: .array((value.elements ?? []).map(tree))
            case .string: .optional(value.string)
            default: .value(value)
            }
        }
        let root = try JSONDocument(text).root
        #expect(JSONOutput.value(root).text() == tree(root).text())
    }
}
