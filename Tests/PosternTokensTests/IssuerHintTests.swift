import PosternBase
import PosternJOSE
import PosternTestSupport
import PosternTokens
import Testing

@Suite struct IssuerHintTests {
    private static let tenant = "11111111-2222-3333-4444-555555555555"

    private func verifiers() throws -> [TokenVerifier] {
        let audiences = [Audience("a", nonce: .plain)]
        let providers = try [
            Provider.apple(audiences: audiences), .google(audiences: audiences),
            .microsoft(tenant: MicrosoftTenant(Self.tenant), audiences: audiences),
            .oidc(issuer: "https://a.example", audiences: audiences),
        ]
        let keys = StaticKeySource(KeySet(keys: []))
        return try providers.map { try TokenVerifier($0, keys: keys) }
    }

    private func choice(_ token: String) throws -> Int? {
        let verifiers = try verifiers()
        return Array(token.utf8).withUnsafeBufferPointer { IssuerHint.choose(among: verifiers, for: $0) }
    }

    private static func token(_ claims: String) -> String { "e30.\(Base64URL.encode(Array(claims.utf8))).x" }

    @Test(arguments: [
        (#"{"iss":"https://appleid.apple.com"}"#, 0), (#"{"iss":"accounts.google.com"}"#, 1),
        (#"{"iss":"https://accounts.google.com"}"#, 1), (#"{"iss":"https://a.example"}"#, 3),
        (#"{"\u0069ss":"https:\/\/a.example"}"#, 3), (#"{"iss":"https://a.example/"}"#, nil),
        (#"{"iss":["https://a.example"]}"#, nil),
        (#"{"iss":"https://login.microsoftonline.com/\#(tenant)/v2.0","tid":"\#(tenant)"}"#, 2),
        (#"{"iss":"https://login.microsoftonline.com/\#(tenant)/v2.0"}"#, nil),
        (#"{"iss":"https://login.microsoftonline.com/other/v2.0","tid":"other"}"#, nil),
        (#"{"iss":"https://a.example","iss":"https://appleid.apple.com"}"#, nil), ("{}", nil), ("[]", nil), ("", nil),
    ])
    func theIssuerSaysWhoIsAsked(claims: String, place: Int?) throws {
        #expect(try choice(Self.token(claims)) == place)
    }

    @Test(arguments: ["", ".", "..", "a", "a.b", ".=.", "e30.e30", "e30.e.x", String(repeating: ".", count: 20_000)])
    func whatIsNoTokenIsNobodys(token: String) throws {
        #expect(try choice(token) == nil)
    }

    @Test func whatIsTooLargeIsNotRead() throws {
        let claims = #"{"iss":"https://a.example","x":"\#(String(repeating: "y", count: 12_000))"}"#
        #expect(try choice(Self.token(claims)) == 3)
        let larger = #"{"iss":"https://a.example","x":"\#(String(repeating: "y", count: 13_000))"}"#
        #expect(try choice(Self.token(larger)) == nil)
    }
}
