import PosternBase
import PosternIssuer
import Testing

@Suite struct TokenMembersTests {
    @Test func eachNameOnceInItsPlace() {
        var members = TokenMembers([("a", .integer(1)), ("b", .integer(2)), ("a", .integer(3))])
        #expect(members.json.text() == #"{"a":3,"b":2}"#)
        members["c"] = .null
        members["a"] = nil
        members["d"] = nil
        #expect(members.json.text() == #"{"b":2,"c":null}"#)
        members["a"] = .bool(true)
        #expect(members.json.text() == #"{"b":2,"c":null,"a":true}"#)
    }

    /// Two spellings of é are two names.
    @Test func namesAreBytes() {
        var members = TokenMembers([("\u{E9}", .integer(1)), ("e\u{301}", .integer(2))])
        members["\u{E9}"] = nil
        #expect(members["e\u{301}"] != nil)
        #expect(members["\u{E9}"] == nil)
    }
}
