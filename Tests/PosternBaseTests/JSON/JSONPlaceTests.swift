import PosternBase
import Testing

/// Looking things up by where they stand, without a view.
@Suite struct JSONPlaceTests {
    @Test func membersByName() throws {
        let document = try JSONDocument(#"{"a":1,"\u0062b":{"a":2,"c":true},"":[3],"ab":1.0}"#)
        #expect(document.place(of: "a").flatMap(document.integer) == 1)
        #expect(document.place(of: "bb").map { document.value(at: $0).memberCount } == 2)
        let inner = try #require(document.place(of: "bb"))
        #expect(document.place(of: "a", in: inner).flatMap(document.integer) == 2)
        #expect(document.place(of: "c", in: inner).flatMap(document.bool) == true)
        #expect(document.place(of: "").map { document.value(at: $0).elements?.count } == 1)
        #expect(document.place(of: "ab").flatMap(document.integer) == 1)
        for name in ["b", "c", "A", "a ", "abc"] as [StaticString] { #expect(document.place(of: name) == nil) }
        #expect(document.root.member("a")?.integer == 1)
        #expect(document.root.member("c") == nil)
        #expect(document.root.memberCount == 4)
    }

    @Test(arguments: ["[]", "1", #""a""#, "{}", "null"])
    func nothingHasNoMembers(text: String) throws {
        let document = try JSONDocument(text)
        #expect(document.place(of: "a") == nil)
        #expect(document.root.memberCount == 0)
        #expect(document.root.namedMembers.isEmpty)
    }

    @Test func typesAreExact() throws {
        let document = try JSONDocument(#"{"a":"true","b":"1","c":1.5,"d":false}"#)
        let places = (["a", "b", "c", "d"] as [StaticString]).compactMap { document.place(of: $0) }
        #expect(places.map { document.bool(at: $0) } == [nil, nil, nil, false])
        #expect(places.map { document.integer(at: $0) } == [nil, nil, nil, nil])
    }
}
