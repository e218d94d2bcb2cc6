import PosternBase
import Testing

@Suite struct JSONDocumentTests {
    private func rootMembers(_ text: String) throws -> [String] {
        let document = try JSONDocument(text)
        var members: [String] = []
        document.forEachRootMember { name, head, place in
            #expect(head == name.prefix(8).reduce(0) { $0 << 8 | UInt64($1) })
            members.append(String(decoding: name, as: UTF8.self) + "=" + document.value(at: place).text)
        }
        return members
    }

    @Test(arguments: [
        ("{}", []), ("[1]", []), ("\"a\"", []), ("1", []), (#"{"a":1}"#, ["a=1"]), (#"{"":{}}"#, ["={}"]),
        (#"{"\u0061\n":{"x":[1,2]},"b":"c"}"#, ["a\n={\"x\":[1,2]}", "b=\"c\""]),
        (#"{"1234567":1,"12345678":2,"123456789":3}"#, ["1234567=1", "12345678=2", "123456789=3"]),
        (#"{"\u0031234567":1,"\u00312345678":2,"\u003123456789":3}"#, ["1234567=1", "12345678=2", "123456789=3"]),
    ])
    func members(_ text: String, _ expected: [String]) throws {
        #expect(try rootMembers(text) == expected)
        #expect(try JSONDocument(text).rootIsObject == text.hasPrefix("{"))
    }

    @Test func stringsAtTheirPlaces() throws {
        let document = try JSONDocument(#"["plain","\u0061\n",1,[],"caf\u00e9"]"#)
        var seen: [String?] = []
        for place in 1...5 {
            document.withStringBytes(at: place) { seen.append($0.map { String(decoding: $0, as: UTF8.self) }) }
        }
        #expect(seen == ["plain", "a\n", nil, nil, "café"])
        #expect((1...5).map { document.stringByteCount(at: $0) } == [5, 2, nil, nil, 5])
        #expect((1...5).map { document.isString(at: $0) } == [true, true, false, false, true])
        #expect(document.isString(at: 1, equalTo: "plain"))
        #expect(!document.isString(at: 1, equalTo: "plaim"))
        #expect(!document.isString(at: 1, equalTo: "plain "))
        #expect(document.isString(at: 2, equalTo: "a\n"))
        #expect(!document.isString(at: 3, equalTo: "1"))
        #expect(document.isString(at: 5, equalTo: "caf\u{E9}"))
        #expect(!document.isString(at: 5, equalTo: "cafe\u{301}"))
        #expect(document.flooredNumber(at: 3)?.value == 1)
        #expect(document.flooredNumber(at: 1) == nil)
    }
}
