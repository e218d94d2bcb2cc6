import PosternBase
import PosternCrypto
import PosternIssuer
import PosternJOSE
import PosternTestSupport
import PosternTokens
import Testing

/// The verifier, which knows nothing of the mint, takes what it makes.
@Suite struct TokenMintTests {
    private static let now: Int64 = 1_790_000_000
    private static let clientID = "com.example.app"

    private func mint(_ algorithm: Algorithm = .rs256) throws -> TokenMint {
        guard algorithm == .rs256 else { return try TokenMint(algorithm) }
        return TokenMint(try MintingKey(TestKeys.rsa.get(), .rs256))
    }

    private func order(_ shape: TokenShape = .apple) -> TokenOrder {
        TokenOrder(shape, audiences: [Self.clientID], issuedAt: Self.now)
    }

    private func provider(
        _ shape: TokenShape,
        _ nonce: NonceRule,
        algorithms: [Algorithm] = [.rs256]
    ) throws -> Provider {
        let audiences = [Audience(Self.clientID, nonce: nonce)]
        return switch shape {
        case .apple: try .apple(audiences: audiences)
        case .google: try .google(audiences: audiences)
        case .microsoft: try .microsoft(tenant: .common, audiences: audiences)
        case .facebook: try .facebook(audiences: audiences)
        case .firebase: try .firebase(project: Self.clientID, nonce: nonce)
        case .oidc: try .oidc(issuer: "https://issuer.example", audiences: audiences, algorithms: algorithms)
        }
    }

    private func verifier(_ mint: TokenMint, _ provider: Provider) throws -> TokenVerifier {
        let keys = try KeySet(Array(mint.key.keySet().text().utf8))
        return try TokenVerifier(provider, keys: StaticKeySource(keys), time: .fixed(Self.now))
    }

    @Test(arguments: TokenShape.allCases)
    func everyShapeIsAccepted(_ shape: TokenShape) async throws {
        let mint = try mint()
        var order = order(shape)
        order.nonce = .hashed("raw")
        order.code = "a code"
        order.accessToken = "an access token"
        let verifier = try verifier(mint, provider(shape, .hashed))
        let identity = try await verifier.verify(
            mint.token(order),
            nonce: "raw",
            code: "a code",
            accessToken: "an access token"
        )
        #expect(identity.issuedAt == Self.now)
        #expect(identity.expiresAt == Self.now + (shape == .apple ? 86_400 : 3600))
        for (code, accessToken) in [("another", "an access token"), ("a code", "another")] {
            let verdict = try await verifier.check(
                mint.token(order), nonce: "raw", code: code, accessToken: accessToken)
            #expect(refusal(verdict) == .hashMismatch)
        }
    }

    private func refusal(_ verdict: Verdict) -> RefusalCode? {
        if case .refused(let refusal) = verdict.outcome { refusal.code } else { nil }
    }

    /// The hashes are of the token's own algorithm.
    @Test(arguments: Algorithm.all.map(\.name))
    func everyAlgorithmIsAccepted(_ name: String) async throws {
        let algorithm = try #require(Algorithm(named: name))
        let mint = try mint(algorithm)
        var order = order(.oidc)
        order.accessToken = "an access token"
        order.nonce = .plain("n")
        let verifier = try verifier(mint, provider(.oidc, .plain, algorithms: [algorithm]))
        _ = try await verifier.verify(mint.token(order), nonce: "n", accessToken: "an access token")
        #expect(mint.header(order).json.text().contains("\"alg\":\"\(name)\""))
    }

    @Test func everythingCanBeSaid() async throws {
        let mint = try mint()
        var order = order(.oidc)
        order.issuer = "https://id.example.com"
        order.subject = "somebody"
        order.audiences = [Self.clientID, "another"]
        order.lifetime = 7
        order.set(claim: "email", nil)
        order.set(claim: "name", .string("x"))
        order.set(claim: "name", .string("y"))
        order.set(header: "typ", nil)
        order.set(header: "x", .integer(1))
        #expect(
            try mint.claims(order).json.text() == """
                {"iss":"https://id.example.com","sub":"somebody","aud":["com.example.app","another"],"iat":1790000000,\
                "exp":1790000007,"email_verified":true,"name":"y"}
                """)
        let keyID = try #require(mint.key.keyID)
        #expect(mint.header(order).json.text() == "{\"alg\":\"RS256\",\"kid\":\"\(keyID)\",\"x\":1}")
        #expect(try mint.token(order).split(separator: ".").count == 3)
    }

    @Test func microsoftsTenant() async throws {
        let mint = try mint()
        var order = order(.microsoft)
        order.tenant = "11112222-3333-4444-5555-666677778888"
        let provider = try Provider.microsoft(
            tenant: MicrosoftTenant("11112222-3333-4444-5555-666677778888"),
            audiences: [Audience(Self.clientID, nonce: .unchecked)]
        )
        let identity = try await verifier(mint, provider).verify(mint.token(order), nonce: .unchecked)
        #expect(identity.tenantID == "11112222-3333-4444-5555-666677778888")
    }

    @Test(arguments: ["consent-revoked", "account-delete", "email-disabled", "email-enabled", "something-new"])
    func notifications(_ type: String) async throws {
        let mint = try mint()
        var order = order()
        order.notification = type
        order.subject = "somebody"
        let verifier = try verifier(mint, provider(.apple, .hashed))
        let token = try mint.token(order)
        let seen = try await verifier.verifyNotification(token)
        #expect(try await verifier.checkNotification(token).notification?.id == seen.id)
        #expect(seen.type == type)
        #expect(seen.subject?.description == "somebody")
        #expect(seen.eventTime == Self.now)
        #expect((seen.email != nil) == type.hasPrefix("email-"))
        #expect(seen.id != nil)
        #expect(refusal(try await verifier.check(token, nonce: "x")) == .notAnIdentityToken)
        let signIn = try mint.token(self.order())
        let refused = await #expect(throws: VerificationError.self) { try await verifier.verifyNotification(signIn) }
        guard case .refused(let why) = refused else {
            Issue.record("an identity token was taken for a notification")
            return
        }
        #expect(why.code == .notANotification)
    }

    /// No time that can be asked for ends the process.
    @Test func timesAtTheEnd() throws {
        let mint = try mint()
        var order = TokenOrder(.apple, audiences: [], issuedAt: .max)
        #expect(try mint.claims(order).json.text().contains("\"exp\":\(Int64.max)"))
        order.notification = "consent-revoked"
        _ = try mint.token(order)
    }
}
