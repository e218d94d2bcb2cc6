import PosternJOSE
import Testing

@Suite struct JSONWebKeyTests {
    /// What a key set says comes into messages shortened and without what steers a terminal.
    @Test(arguments: [
        #"{"kty":"@"}"#, #"{"kty":"EC","crv":"@"}"#, #"{"kty":"RSA","use":"@"}"#, #"{"kty":"RSA","alg":"@"}"#,
    ])
    func detailsAreExcerpts(_ member: String) throws {
        let hostile = #"\u001b[2J"# + String(repeating: "x", count: 100_000)
        let json = #"{"keys":["# + member.replacing("@", with: hostile) + "]}"
        let detail = try #require(try KeySet(Array(json.utf8)).skipped.first?.detail)
        #expect(detail.utf8.count < 250)
        #expect(!detail.unicodeScalars.contains("\u{1B}"))
        #expect(detail.contains(#"\u{1B}[2Jxxx"#))
    }
}
