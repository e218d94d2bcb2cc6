import PosternBase
import PosternHTTP
import PosternJOSE
import PosternKeySets
import PosternTestSupport
import PosternTokens
import Testing

@Suite struct FetchedKeySetTests {
    private static let url = "https://keys.example.com/jwks"

    private func fetch(_ client: ScriptedClient) async -> Result<FetchedKeySet, KeySetFailure> {
        await FetchedKeySet.fetch(from: Self.url, client: client, time: .fixed(Bench.second))
    }

    @Test(arguments: [
        ("max-age=600", 600), ("max-age=1", 300), ("no-store", 300), ("max-age=99999999", 86_400), ("private", 3600),
    ])
    func theSetAsItCame(_ control: String, _ timeToLive: Int64) async throws {
        let body = try TestSet.rsa("one") + "\n "
        let client = ScriptedClient(.ok(body, "Cache-Control: \(control)", "ETag: \"v1\""))
        let set = try await fetch(client).get()
        #expect(set.url == Self.url)
        #expect(set.body == Array(body.utf8))
        #expect(set.keys.usable.map(\.keyID) == ["one"])
        #expect(set.fetchedAt == Bench.second)
        #expect(set.timeToLive == timeToLive)
        #expect(client.requests == [client.requests[0]])
        #expect(client.requests.first?.fields.values("If-None-Match").isEmpty == true)
    }

    /// It is for looking at: why nothing is usable is seen in the set.
    @Test func aSetWithoutUsableKey() async throws {
        let set = try await fetch(ScriptedClient(.ok(#"{"keys":[7]}"#))).get()
        #expect(set.keys.usable.isEmpty)
        #expect(set.keys.skipped.count == 1)
    }

    @Test func ofAProvider() async throws {
        let client = try ScriptedClient(.ok(TestSet.rsa("one")))
        let audiences = [Audience("a", nonce: .unchecked)]
        let set = try await FetchedKeySet.fetch(of: .apple(audiences: audiences), client: client).get()
        #expect(set.url == Bench.keysURL)
    }

    @Test func ofAnIssuerByDiscovery() async throws {
        let client = try ScriptedClient(.ok(TestSet.rsa("one")))
        let set = TestSet.set([try TestSet.member("two")])
        let document = #"{"issuer":"https://id.example.com","jwks_uri":"\#(Self.url)"}"#
        client.set { $0.url.hasSuffix("openid-configuration") ? .ok(document) : .ok(set) }
        let audiences = [Audience("a", nonce: .unchecked)]
        let provider = try Provider.oidc(issuer: "https://id.example.com", audiences: audiences)
        let fetched = try await FetchedKeySet.fetch(of: provider, client: client).get()
        #expect(fetched.url == Self.url)
        #expect(fetched.keys.usable.map(\.keyID) == ["two"])
        await #expect(throws: ConfigurationError.self) {
            try await FetchedKeySet.fetch(
                of: .oidc(issuer: "http://id.example.com", audiences: audiences), client: client)
        }
    }

    @Test(arguments: [
        (ScriptedClient.Answer.down, "not_connected"), (.status(500), "bad_status"), (.status(302), "redirected"),
        // Nothing was asked that 304 could answer.
        (.status(304), "bad_status"), (.ok("<html>"), "not_a_key_set"), (.ok("{}"), "not_a_key_set"),
        (.ok(String(repeating: " ", count: 262_145)), "too_large"),
    ])
    func whatIsNoSet(_ answer: ScriptedClient.Answer, _ code: String) async throws {
        let client = ScriptedClient(answer)
        guard case .failure(let failure) = await fetch(client) else {
            Issue.record("a set")
            return
        }
        #expect(failure.code.rawValue == code)
        #expect(client.requests.count == 1)
    }
}
