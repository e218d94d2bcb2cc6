import PosternBase
import Testing

@Suite struct JSONValueTests {
    private func value(_ text: String) throws -> JSONValue { try JSONDocument(text).root }

    /// A value answers to the question of its own kind alone.
    @Test(
        arguments: [
            ("{}", .object), ("[]", .array), ("\"\"", .string), ("0", .number), ("true", .bool), ("false", .bool),
            ("null", .null), ("\"true\"", .string), ("1", .number),
        ] as [(String, JSONValue.Kind)])
    func kinds(_ text: String, _ kind: JSONValue.Kind) throws {
        let value = try value(text)
        #expect(value.kind == kind)
        #expect((value.elements != nil) == (kind == .array))
        #expect((value.string != nil) == (kind == .string))
        #expect((value.stringBytes != nil) == (kind == .string))
        #expect((value.stringByteCount != nil) == (kind == .string))
        #expect((value.integer != nil) == (kind == .number))
        #expect(value.bool == (kind == .bool ? text == "true" : nil))
        #expect(value.members.isEmpty)
        #expect(value["a"] == nil)
        #expect(value.text == text)
    }

    @Test func members() throws {
        let value = try value(#"{"a":1,"b":{"a":2,"c":[{"a":3}]},"\u0064":4,"":5,"e\n":6}"#)
        #expect(value.members.map(\.name) == ["a", "b", "d", "", "e\n"])
        #expect(value["a"]?.integer == 1)
        #expect(value["b"]?["a"]?.integer == 2)
        #expect(value["b"]?["c"]?.elements?.first?["a"]?.integer == 3)
        #expect(value["d"]?.integer == 4)
        #expect(value[""]?.integer == 5)
        #expect(value["e\n"]?.integer == 6)
        for absent in ["c", "A", "a ", "\\u0064", "1", "a\u{0}"] { #expect(value[absent] == nil) }
        #expect(value["b"]?.text == #"{"a":2,"c":[{"a":3}]}"#)
        #expect(value.members.map(\.value.integer) == [1, nil, 4, 5, 6])
    }

    /// The value of a member is never taken for a name, nor the member of an inner object for one of the outer.
    @Test func valuesAreNoNames() throws {
        let value = try value(#"{"x":"alg","y":{"alg":"none"},"z":["alg","none"]}"#)
        #expect(value["alg"] == nil)
        #expect(value["none"] == nil)
    }

    @Test func namesAreBytes() throws {
        let value = try value("{\"caf\u{E9}\":1,\"cafe\u{301}\":2,\"\u{212A}\":3}")
        #expect(value["caf\u{E9}"]?.integer == 1)
        #expect(value["cafe\u{301}"]?.integer == 2)
        #expect(value["K"] == nil)
        #expect(try self.value("\"\u{212A}\"").stringEquals("\u{212A}"))
        #expect(try !self.value("\"\u{212A}\"").stringEquals("K"))
        #expect(try !self.value("\"e\\u0301\"").stringEquals("\u{E9}"))
    }

    @Test func elements() throws {
        let value = try value(#"[1,[2,[3]],{"a":[4]},"five",null]"#)
        #expect(value.elements?.map(\.text) == ["1", "[2,[3]]", #"{"a":[4]}"#, #""five""#, "null"])
        #expect(try self.value("[[[]]]").elements?.count == 1)
        for (limit, others) in [(0, 5), (1, 4), (4, 1), (5, 0), (6, 0)] {
            let part = try #require(value.elements(upTo: limit))
            #expect(part.first.map(\.text) == value.elements?.prefix(limit).map(\.text))
            #expect(part.others == others)
        }
        #expect(try self.value("{}").elements(upTo: 1) == nil)
    }

    @Test(arguments: [
        ("\"a\"", "a", true), ("\"a\"", "b", false), ("\"a\"", "", false), ("\"\"", "", true),
        ("\"\\u0061\"", "a", true), ("\"a\\u0000\"", "a", false), ("\"a\"", "a\u{0}", false), ("1", "1", false),
        ("null", "null", false), ("[\"a\"]", "a", false),
    ])
    func stringEquals(_ text: String, _ wanted: String, _ isEqual: Bool) throws {
        #expect(try value(text).stringEquals(wanted) == isEqual)
    }

    @Test func viewsOutliveTheirDocument() throws {
        func inner() throws -> JSONValue? { try JSONDocument(#"{"a":{"b":"kept \u0041"}}"#).root["a"]?["b"] }
        #expect(try inner()?.string == "kept A")
    }
}
