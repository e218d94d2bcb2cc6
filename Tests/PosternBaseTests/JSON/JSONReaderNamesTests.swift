import PosternBase
import Testing

/// Member names that are given twice, on each of the ways by which the reader finds them.
@Suite struct JSONReaderNamesTests {
    @Test(arguments: [
        #"{"a":1,"a":1}"#, #"{"a":1,"b":2,"a":3}"#, #"{"":1,"":2}"#, #"{"a":1,"\u0061":2}"#, #"{"\u0061":1,"a":2}"#,
        #"{"\u0061":1,"\u0061":2}"#, #"{"/":1,"\/":2}"#, #"{"\n":1,"\u000a":2}"#, #"{"\u000A":1,"\u000a":2}"#,
        #"{"😀":1,"\ud83d\ude00":2}"#, #"{"é":1,"\u00E9":2}"#, #"{"alg":"RS256","alg":"none"}"#,
        #"{"alg":"RS256","\u0061lg":"none"}"#, #"[{"a":{"b":[{"c":1,"c":2}]}}]"#, #"{"x":{"a":1,"a":2}}"#,
        #"{"x":[{"a":1,"\u0061":2}],"y":1}"#, #"{"a":{"a":1},"a":2}"#, #"{"a":[1,2,3],"b":{"c":{}},"a":null}"#,
    ])
    func duplicates(_ text: String) {
        #expect(refusal(of: text) == .duplicateName)
    }

    @Test(arguments: [
        #"{"a":1,"A":2}"#, #"{"a":"a","b":"a"}"#, #"{"a":{"a":1},"b":{"a":1}}"#, "{\"\u{E9}\":1,\"e\u{301}\":2}",
        "{\"K\":1,\"\u{212A}\":2}", #"{"a":1,"a\u0000":2}"#, #"{"\\u0061":1,"a":2}"#,
        #"{"ab":1,"ba":2,"aab":3,"abb":4}"#,
        #"{"a":"b","b":"a"}"#, #"{"x":["y","z"],"y":1,"z":2}"#,
    ])
    func differentNames(_ text: String) {
        #expect(refusal(of: text) == nil)
    }

    /// Around the number of members up to which names are compared one by one, the last one being the copy of each.
    @Test(arguments: [1, 2, 14, 15, 16, 17, 18, 40, 300])
    func copyOfEachName(_ count: Int) {
        let names = (0..<count).map { "n\($0)" }
        let members = names.map { "\"\($0)\":{\"v\":[1]}" }.joined(separator: ",")
        #expect(refusal(of: "{\(members)}") == nil)
        for name in names {
            let escaped = "\\u006e" + name.dropFirst()
            #expect(refusal(of: "{\(members),\"\(name)\":0}") == .duplicateName)
            #expect(refusal(of: "{\"\(escaped)\":0,\(members)}") == .duplicateName)
            #expect(refusal(of: "{\"x\\n\":0,\(members),\"\(escaped)\":0}") == .duplicateName)
            #expect(refusal(of: "{\(members),\"\(name)x\":0}") == nil)
        }
    }

    /// Names of one length with the same ends, which the quick filter cannot tell apart.
    @Test func namesThatTheFilterConfuses() {
        let names = (0..<12).map { "a\(UnicodeScalar(UInt8(0x61 + $0)))z" }
        let members = names.map { "\"\($0)\":0" }.joined(separator: ",")
        #expect(refusal(of: "{\(members)}") == nil)
        for name in names { #expect(refusal(of: "{\(members),\"\(name)\":0}") == .duplicateName) }
    }

    /// Every pair of short names: refused exactly when they are the same.
    @Test func everyPair() {
        let letters = ["", "a", "b", "Z", "0", "_", "é"]
        let names = letters.flatMap { first in letters.map { first + $0 } }
        for first in names {
            for second in names {
                let reason = refusal(of: "{\"\(first)\":0,\"\(second)\":0}")
                if (reason == .duplicateName) != first.isSameBytes(as: second) { Issue.record("\(first) \(second)") }
            }
        }
    }

    /// What a member holds is passed over in one step when the names around it are compared.
    @Test func membersThatHoldMuch() {
        let members = (0..<16).map { "\"n\($0)\":[\(String(repeating: "{\"a\":0},", count: 500))0]" }
        let text = members.joined(separator: ",")
        #expect(refusal(of: "{\(text)}") == nil)
        #expect(refusal(of: "{\(text),\"n15\":0}") == .duplicateName)
        #expect(refusal(of: "{\(text),\"a\":0}") == nil)
    }
}
