import PosternAccounts
import PosternBase
import PosternCrypto
import PosternJOSE
import PosternTestSupport
import PosternTokens

/// The issuers whose tokens a fixture mints and takes.
enum TestProvider: String, CaseIterable, Sendable {
    case apple, google, oidc

    var issuer: String {
        switch self {
        case .apple: "https://appleid.apple.com"
        case .google: "https://accounts.google.com"
        case .oidc: "https://id.example"
        }
    }
}

/// The clients of ours, by their nonce rule.
enum TestClient: String, CaseIterable, Sendable {
    case hashed, issued, plain, unchecked
    /// Their tokens buy as many sessions as anybody likes.
    case hashedOften = "hashed-often"
    case issuedOften = "issued-often"

    var rule: NonceRule {
        switch self {
        case .hashed, .hashedOften: .hashed
        case .issued, .issuedOften: .issued
        case .plain: .plain
        case .unchecked: .unchecked
        }
    }

    var audience: Audience {
        Audience(
            rawValue, nonce: rule, acceptsUnsupportedNonce: false,
            isSingleUse: self != .hashedOften && self != .issuedOften)
    }
}

/// A token and what is handed in with it.
struct TestSignIn: Sendable {
    var provider = TestProvider.apple
    var client = TestClient.hashed
    var subject = "001234.person"
    var email: String?
    var isVerified: JSONOutput? = .bool(true)
    /// Claims besides, or instead.
    var claims: [(String, JSONOutput)] = []
    /// nil for one that is made for it.
    var nonce: String?
}

/// A token with its raw nonce.
struct TestProof: Sendable {
    var token: String
    var nonce: String?
    var audience: String?
    var provider: TestProvider
}

extension AccountsFixture {
    private static let ec = Result { try PrivateKey.generateEC(.p256) }

    /// ES256 for `oidc`, so that its signatures have two forms.
    func signer(_ provider: TestProvider) throws -> SigningKey {
        try provider == .oidc
            ? SigningKey(Self.ec.get(), .es256, keyID: "ec-key") : TestKeys.rs256().signer
    }

    func verifier(_ provider: TestProvider) throws -> TokenVerifier {
        let clients = TestClient.allCases.map(\.audience)
        let settings: Provider
        let keys: KeySet
        switch provider {
        case .apple: (settings, keys) = (try .apple(audiences: clients), try TestKeys.rs256().keys)
        case .google: (settings, keys) = (try .google(audiences: clients), try TestKeys.rs256().keys)
        case .oidc:
            settings = try .oidc(
                issuer: provider.issuer, audiences: clients, algorithms: [.es256], keySetURL: "https://id.example/k")
            keys = KeySet(keys: [
                try VerificationKey(Self.ec.get().publicKey, keyID: "ec-key", declaredAlgorithm: .es256)
            ])
        }
        return try TokenVerifier(settings, keys: StaticKeySource(keys), issuedNonces: nonces, time: clock.source)
    }

    /// A new token of a provider, made now.
    func proof(_ wish: TestSignIn = TestSignIn()) throws -> TestProof {
        var nonce = wish.nonce
        if nonce == nil {
            switch wish.client.rule {
            case .issued: nonce = try nonces.issue(audience: wish.client.rawValue)?.nonce
            case .unchecked: nonce = nil
            default: nonce = Nonce.random(random)
            }
        }
        let claim = wish.client.rule == .plain ? nonce : nonce.map { Nonce.sha256Hex(of: $0) }
        var claims: [(String, JSONOutput)] = [
            ("iss", .string(wish.provider.issuer)), ("aud", .string(wish.client.rawValue)),
            ("sub", .string(wish.subject)), ("iat", .integer(clock.now)), ("exp", .integer(clock.now + 3_600)),
            // Two tokens of one second differ.
            ("jti", .string(Base64URL.encode(random.bytes(9)))),
        ]
        if let claim { claims.append(("nonce", .string(claim))) }
        if let email = wish.email { claims.append(("email", .string(email))) }
        if let email = wish.email { addresses.withLock { _ = $0.insert(email) } }
        if wish.email != nil, let isVerified = wish.isVerified { claims.append(("email_verified", isVerified)) }
        for (name, value) in wish.claims {
            claims.removeAll { $0.0 == name }
            claims.append((name, value))
        }
        let token = try signer(wish.provider).sign(Array(JSONOutput.object(claims).text().utf8))
        keep([token, nonce])
        if let claim { addresses.withLock { _ = $0.insert(claim) } }
        return TestProof(token: token, nonce: nonce, audience: nil, provider: wish.provider)
    }

    func keep(_ texts: [String?]) { secrets.withLock { $0.formUnion(texts.compactMap { $0 }) } }

    @discardableResult
    func exchange(
        _ proof: TestProof,
        linkTo: Grant? = nil,
        visitor: Visitor = Visitor(caller: "backend", userAgent: "Agent/1")
    ) async throws -> Grant {
        let grant = try await accounts.exchange(
            proof.token, nonce: proof.nonce, audience: proof.audience, linkTo: linkTo?.accessToken.revealed,
            verifier: verifier(proof.provider), visitor: visitor)
        return kept(grant)
    }

    /// A session for a new token.
    @discardableResult
    func signIn(_ wish: TestSignIn = TestSignIn(), linkTo: Grant? = nil) async throws -> Grant {
        try await exchange(proof(wish), linkTo: linkTo)
    }

    func kept(_ grant: Grant) -> Grant {
        keep([grant.accessToken.revealed, grant.refreshToken.revealed])
        return grant
    }

    @discardableResult
    func refresh(_ grant: Grant) async throws -> Grant {
        kept(try await accounts.refresh(grant.refreshToken.revealed, visitor: Visitor(caller: "backend")))
    }

    @discardableResult
    func unlink(
        _ name: String,
        from account: AccountID,
        providers: [TestProvider] = TestProvider.allCases
    ) async throws -> Person {
        try await accounts.unlink(
            identity: name, from: account, providers: providers.map(\.rawValue), caller: "test")
    }

    func isActive(_ token: Secret<String>) async throws -> Bool {
        if case .inactive = try await accounts.introspect(token.revealed) { return false }
        return true
    }
}
