import PosternBase
import PosternTestSupport
import PosternTokens
import Testing

@Suite struct ExchangeableTokenTests {
    private static let often = Audience("often", nonce: .hashed, acceptsUnsupportedNonce: false, isSingleUse: false)
    private static let once = Audience("once", nonce: .hashed)

    private func request(_ audience: String? = nil) -> VerificationRequest {
        VerificationRequest(nonce: TestToken.rawNonce, audience: audience)
    }

    private func code(_ body: () async throws -> Void) async -> String {
        do { try await body() } catch VerificationError.refused(let refusal) { return refusal.code.rawValue } catch {
            return "\(error)"
        }
        return "done"
    }

    /// Nothing is used up by looking.
    @Test func anIssuedNonceIsLeft() async throws {
        let nonces = try IssuedNonces(time: .fixed(TestToken.issuedAt))
        let verifier = try TokenVerifier.test(
            [Audience(TestToken.clientID, nonce: .issued)], issuedNonces: nonces, at: TestToken.issuedAt)
        let nonce = try #require(try nonces.issue(audience: TestToken.clientID))
        let token = try TestToken().with("nonce", .string(nonce.sha256Hex)).signed()
        for _ in 0..<3 {
            let found = try await verifier.exchangeable(token, VerificationRequest(nonce: nonce.nonce))
            #expect(found.nonce?.expiresAt == nonce.expiresAt)
            #expect(found.nonce.map { Hex.encode($0.name) } == nonce.sha256Hex)
        }
        _ = try await verifier.identity(token, VerificationRequest(nonce: nonce.nonce))
        #expect(
            await code { _ = try await verifier.identity(token, VerificationRequest(nonce: nonce.nonce)) }
                == "nonce_used")
    }

    /// The name is that of issuer, header and payload; every byte of these counts, and none of the signature.
    @Test func theName() async throws {
        let verifier = try TokenVerifier.test()
        let token = try TestToken().signed()
        let name = try await verifier.exchangeable(token, request()).name
        #expect(name.count == 32)
        #expect(try await verifier.exchangeable(token, request()).name == name)
        let other = try TestToken().with("jti", .string("1")).signed()
        #expect(try await verifier.exchangeable(other, request()).name != name)
        let typed = try TestToken().signed(TestKeys.rs256().signer, type: "JWT")
        #expect(try await verifier.exchangeable(typed, request()).name != name)
    }

    /// What is refused is refused here as well.
    @Test func everyCheckIsMade() async throws {
        let verifier = try TokenVerifier.test()
        let tokens: [(String, TestToken)] = [
            ("issuer_mismatch", TestToken().with("iss", .string("https://a.example"))),
            ("audience_mismatch", TestToken().with("aud", .string("other"))),
            ("token_expired", TestToken().with("exp", .integer(TestToken.issuedAt - 60))),
            ("nonce_mismatch", TestToken().with("nonce", .string(TestToken.rawNonce))),
            ("subject_missing", TestToken().with("sub", .string(""))),
        ]
        for (wanted, token) in tokens {
            let text = try token.signed()
            #expect(await code { _ = try await verifier.exchangeable(text, request()) } == wanted)
        }
        let text = try TestToken().signed()
        #expect(await code { _ = try await verifier.exchangeable(text + "A", request()) } != "done")
        #expect(await code { _ = try await verifier.exchangeable(text, VerificationRequest()) } == "nonce_missing")
    }

    /// A token for two of ours of which one takes it once and the other as often as it comes: it is neither's.
    @Test func audiencesThatDisagreeAboutSingleUse() async throws {
        let verifier = try TokenVerifier.test([Self.once, Self.often])
        for order in [["once", "often"], ["often", "once"]] {
            let token = try TestToken().with("aud", .strings(order)).signed()
            for audience in [nil, "once", "often"] {
                let word = await code { _ = try await verifier.exchangeable(token, request(audience)) }
                #expect(word == "audience_mismatch", "\(order) \(audience ?? "-")")
            }
        }
        let plain = try TestToken().with("aud", .strings(["often"])).signed()
        #expect(try await !verifier.exchangeable(plain, request()).identity.audienceRules.isSingleUse)
        let single = try TestToken().with("aud", .string("once")).signed()
        #expect(try await verifier.exchangeable(single, request()).identity.audienceRules.isSingleUse)
    }
}
