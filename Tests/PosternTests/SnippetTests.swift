import Postern
import PosternTestSupport
import Testing

/// What a user writes, with the one import of a user.
@Suite struct SnippetTests {
    @Test func theFirstLinesOfTheReadme() async throws {
        let verifier = try TokenVerifier(
            .apple(audiences: [.app("com.example.app", nonce: .hashed), .web("com.example.web", nonce: .plain)])
        )
        // The first check that fails comes before any key is needed, so nobody is asked.
        let (token, rawNonce) = ("not a token", "a raw nonce")
        await #expect(throws: VerificationError.self) { try await verifier.verify(token, nonce: rawNonce) }
        let verdict = try await verifier.check(token, nonce: rawNonce)
        #expect(verdict.refusal?.code == .tokenMalformed)
        #expect(verdict.checks.count == Check.Name.all.count)
    }

    @Test func anAppAndAWebsiteKeepTheirOwnNonceRules() async throws {
        let audiences: [Audience] = [
            .app(TestToken.clientID, nonce: .hashed), .web("com.example.web", nonce: .plain),
        ]
        let verifier = try TokenVerifier.test(audiences)
        let app = TestToken()
        let web = app.with("aud", .string("com.example.web")).with("nonce", .string(TestToken.rawNonce))
        for token in [app, web] {
            let identity = try await verifier.verify(token.signed(), nonce: TestToken.rawNonce)
            #expect(identity.subject == Subject(Array("001234.0123456789abcdef0123456789abcdef.0123".utf8)))
        }
        let swapped = web.with("aud", .string(TestToken.clientID))
        let verdict = try await verifier.check(swapped.signed(), nonce: TestToken.rawNonce)
        #expect(verdict.refusal?.code == .nonceMismatch)
    }
}
