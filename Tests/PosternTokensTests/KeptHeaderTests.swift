import PosternBase
import PosternJOSE
import PosternTestSupport
import PosternTokens
import Testing

/// A verifier keeps the header of the token that it verified last; that must decide nothing.
@Suite struct KeptHeaderTests {
    private let good: String
    private let payload: [UInt8]

    init() throws {
        good = try TestToken().signed()
        payload = Array(JSONOutput.object(TestToken().claims).text().utf8)
    }

    private func code(_ verifier: TokenVerifier, _ token: String) async throws -> String {
        try await verifier.check(token, nonce: TestToken.rawNonce).refusal?.code.rawValue ?? "accepted"
    }

    @Test func theSignatureIsCheckedAllTheSame() async throws {
        let verifier = try TokenVerifier.test()
        let other = try TestToken().with("sub", .string("001234.other")).signed()
        let signature = try #require(good.split(separator: ".").last)
        let forged = other.split(separator: ".").dropLast().joined(separator: ".") + "." + signature
        for token in [forged, good, forged, good, forged] {
            #expect(try await code(verifier, token) == (token == good ? "accepted" : "signature_invalid"))
        }
    }

    /// What a verifier without a rule has kept, one with the rule does not take; nor does it after a good token.
    @Test(arguments: [
        (VerifierRule.critical, #"{"alg":"RS256","kid":"test-key","crit":["exp"]}"#, "critical_header_unsupported"),
        (.type, #"{"alg":"RS256","kid":"test-key","typ":"secevent+jwt"}"#, "not_an_identity_token"),
    ])
    func theHeaderIsCheckedAllTheSame(_ rule: VerifierRule, _ header: String, _ refusal: String) async throws {
        let bad = try TestKeys.rs256().signer.sign(header: Array(header.utf8), payload: payload)
        let lax = try TokenVerifier(
            .apple(audiences: [Audience(TestToken.clientID, nonce: .hashed)]),
            keys: StaticKeySource(try TestKeys.rs256().keys),
            time: .fixed(TestToken.issuedAt + 1),
            testOnlyDisabled: [rule]
        )
        let strict = try TokenVerifier.test()
        for _ in 0..<2 {
            #expect(try await code(lax, bad) == "accepted")
            #expect(try await code(strict, bad) == refusal)
            #expect(try await code(strict, good) == "accepted")
            #expect(try await code(strict, bad) == refusal)
        }
    }
}
