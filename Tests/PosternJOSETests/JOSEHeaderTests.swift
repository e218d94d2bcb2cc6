import PosternBase
import PosternJOSE
import PosternTestSupport
import Testing

/// Names that pack to the same number as a name that matters are other names.
@Suite struct JOSEHeaderTests {
    private func outcome<Result>(_ header: String, _ read: (JOSEHeader) -> Result) throws -> Result? {
        var result: Result?
        try Array("\(Base64URL.encode(Array(header.utf8))).e30.AA".utf8).parsed { result = read($0.header) }
        return result
    }

    @Test func aLeadingNulMakesAnotherName() throws {
        #expect(try outcome(#"{"alg":"RS256","\u0000alg":"ES256"}"#) { $0.algorithmName } == "RS256")
        #expect(try outcome(#"{"\u0000alg":"ES256","alg":"RS256"}"#) { $0.algorithmName } == "RS256")
        #expect(try outcome(#"{"alg":"RS256","kid":"a","\u0000kid":"b"}"#) { $0.keyID } == "a")
        #expect(try outcome(#"{"alg":"RS256","\u0000kid":"b"}"#) { $0.hasKeyID } == false)
        #expect(try outcome(#"{"alg":"RS256","\u0000typ":"at+jwt"}"#) { $0.type == nil } == true)
        for name in ["b64", "zip", "enc", "cty"] {
            #expect(try outcome("{\"alg\":\"RS256\",\"\\u0000\(name)\":1}") { $0.criticalMember == nil } == true)
        }
    }

    @Test func algAloneUnderAnotherNameIsMissing() {
        #expect(throws: JWSFault.self) { try outcome(#"{"\u0000alg":"RS256"}"#) { $0.algorithmName } }
    }

    @Test func criticalMembers() throws {
        for name in ["crit", "b64", "zip"] {
            #expect(try outcome("{\"alg\":\"RS256\",\"\(name)\":null}") { $0.criticalMember?.rawValue } == .some(name))
        }
    }
}
