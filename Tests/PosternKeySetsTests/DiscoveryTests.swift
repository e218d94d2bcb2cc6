import PosternBase
import PosternHTTP
import PosternJOSE
import PosternKeySets
import PosternTestSupport
import PosternTokens
import Testing

@Suite struct DiscoveryTests {
    private static let issuer = "https://id.example.com/tenant"
    private static let documentURL = issuer + "/.well-known/openid-configuration"
    private static let keysURL = "https://keys.example.com/jwks"

    private func provider(_ issuer: String = issuer, keySetURL: String? = nil) throws -> Provider {
        try .oidc(
            issuer: issuer,
            audiences: [Audience(TestToken.clientID, nonce: .hashed)],
            maximumAge: nil,
            keySetURL: keySetURL
        )
    }

    private static func document(_ issuer: String = issuer, _ url: JSONOutput = .string(keysURL)) -> String {
        JSONOutput.object([
            ("issuer", .string(issuer)), ("jwks_uri", url),
            ("authorization_endpoint", .string("https://elsewhere.example.com/")),
        ]).text()
    }

    private static func bench(
        _ provider: Provider,
        document: ScriptedClient.Answer,
        keys: ScriptedClient.Answer,
        insecure: Bool = false
    ) throws -> Bench {
        let bench = try Bench(.down, provider: provider, allowsInsecureLoopback: insecure)
        bench.client.set { $0.url.hasSuffix("/.well-known/openid-configuration") ? document : keys }
        return bench
    }

    private func token(_ issuer: String = issuer) throws -> String {
        try TestToken().with("iss", .string(issuer)).signed(SigningKey(TestKeys.rsa.get(), .rs256, keyID: "one"))
    }

    @Test func theDocumentSaysWhereTheKeysAre() async throws {
        let bench = try Self.bench(
            provider(), document: .ok(Self.document(), "Cache-Control: max-age=600"), keys: .ok(TestSet.rsa("one")))
        #expect(await bench.outcome(try token()) == "accepted")
        #expect(bench.client.requests.map(\.url) == [Self.documentURL, Self.keysURL])
        // An unknown key asks for the keys alone, as long as the document is fresh.
        #expect(await bench.outcome(try token2()) == "key_not_found")
        #expect(bench.client.requests.map(\.url) == [Self.documentURL, Self.keysURL, Self.keysURL])
        bench.clock.advance(by: .seconds(600))
        #expect(await bench.outcome(try token2()) == "key_not_found")
        #expect(bench.client.requests.map(\.url).suffix(2) == [Self.documentURL, Self.keysURL])
        #expect(bench.fetches == 5)
    }

    private func token2() throws -> String {
        try TestToken().with("iss", .string(Self.issuer)).signed(
            SigningKey(TestKeys.rsa.get(), .rs256, keyID: "two"))
    }

    /// A slash at the end of the issuer is no part of the place (Discovery 1.0 §4.1), but of the name.
    @Test func aSlashAtTheEnd() async throws {
        let issuer = "https://id.example.com/"
        let bench = try Self.bench(
            provider(issuer), document: .ok(Self.document(issuer)), keys: .ok(TestSet.rsa("one")))
        #expect(await bench.outcome(try token(issuer)) == "accepted")
        #expect(bench.client.requests.first?.url == "https://id.example.com/.well-known/openid-configuration")
        #expect(await bench.outcome(try token("https://id.example.com")) == "issuer_mismatch")
    }

    /// Nothing else is learned from the document: not even an issuer that it names is accepted.
    @Test(
        arguments: [
            .status(500), .status(304), .status(301, "", ["Location: https://x.example.com"]), .down, .ok("<html>"),
            .ok(""), .ok("{}"), .ok("[]"), .ok("{\"jwks_uri\":\"https://keys.example.com/jwks\"}"),
            .ok("{\"issuer\":\"\(issuer)\"}"), .ok(document(issuer + "/")),
            .ok(document("https://ID.example.com/tenant")),
            .ok(document("https://evil.example.com")), .ok(document(issuer, .null)), .ok(document(issuer, .integer(1))),
            .ok(document(issuer, .string(""))), .ok(document(issuer, .string("http://keys.example.com/jwks"))),
            .ok(document(issuer, .string("http://127.0.0.1/jwks"))),
            .ok(document(issuer, .string("file:///etc/passwd"))),
            .ok(document(issuer, .string("https://user@keys.example.com/"))),
            .ok(document(issuer, .string("/jwks"))), .ok(document() + String(repeating: " ", count: 262_144)),
            .ok("{\"issuer\":\"\(issuer)\",\"issuer\":\"\(issuer)\",\"jwks_uri\":\"\(keysURL)\"}"),
        ] as [ScriptedClient.Answer])
    func aBadDocumentIsAFailedFlight(_ answer: ScriptedClient.Answer) async throws {
        let bench = try Self.bench(provider(), document: answer, keys: .ok(TestSet.rsa("one")))
        #expect(await bench.outcome(try token()) == "keys_unavailable")
        #expect(bench.client.requests.map(\.url) == [Self.documentURL])
        #expect(await bench.reportedFailures().count == 1)
        #expect(await bench.outcome(try token()) == "keys_unavailable")
        #expect(bench.fetches == 1)
    }

    @Test func theKeysServeOnWhileTheDocumentIsAway() async throws {
        let bench = try Self.bench(provider(), document: .ok(Self.document()), keys: .ok(TestSet.rsa("one")))
        await bench.source.warm()
        bench.client.set(.down)
        bench.clock.advance(by: .seconds(3600))
        #expect(await bench.outcome(try token()) == "accepted")
        #expect(bench.client.requests.last?.url == Self.documentURL)
    }

    /// The tag of one place means nothing at another.
    @Test func theKeysMayMove() async throws {
        let good = ScriptedClient.Answer.ok(try TestSet.rsa("one"), "ETag: \"1\"")
        let bench = try Self.bench(provider(), document: .ok(Self.document()), keys: good)
        await bench.source.warm()
        let moved = "https://new.example.com/jwks"
        bench.client.set { request in
            switch request.url {
            case Self.documentURL: .ok(Self.document(Self.issuer, .string(moved)))
            case moved: good
            default: .status(410)
            }
        }
        // The document is fresh still, so the old place is asked, in vain; after that the document is.
        bench.clock.advance(by: .seconds(3000))
        await until { bench.failures == ["bad_status"] }
        bench.clock.advance(by: .seconds(600))
        #expect(await bench.outcome(try token()) == "accepted")
        await until { bench.client.requests.last?.url == moved }
        #expect(bench.client.requests.last?.fields.single("If-None-Match") == nil)
    }

    @Test func anExplicitPlaceNeedsNoDocument() async throws {
        let bench = try Bench(.ok(TestSet.rsa("one")), provider: provider(keySetURL: Self.keysURL))
        #expect(await bench.outcome(try token()) == "accepted")
        #expect(bench.client.requests.map(\.url) == [Self.keysURL])
    }

    @Test func insecurePlacesMustBeAllowed() async throws {
        let loopback = "http://127.0.0.1:8080/jwks"
        #expect(throws: ConfigurationError.self) { try Bench(.down, provider: provider(keySetURL: loopback)) }
        #expect(throws: ConfigurationError.self) { try Bench(.down, provider: provider("http://id.example.com")) }
        #expect(throws: ConfigurationError.self) { try Bench(.down, provider: provider("id")) }
        #expect(throws: ConfigurationError.self) { try Bench(.down, provider: provider(keySetURL: "")) }
        let pinned = try Bench(
            .ok(TestSet.rsa("one")), provider: provider(keySetURL: loopback), allowsInsecureLoopback: true)
        #expect(await pinned.outcome(try token()) == "accepted")
        let found = try Self.bench(
            provider(),
            document: .ok(Self.document(Self.issuer, .string(loopback))),
            keys: .ok(TestSet.rsa("one")),
            insecure: true
        )
        #expect(await found.outcome(try token()) == "accepted")
    }
}
