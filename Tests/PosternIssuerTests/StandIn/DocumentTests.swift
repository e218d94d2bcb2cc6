import PosternBase
import PosternHTTP
import PosternJOSE
import PosternKeySets
import PosternTokens
import Testing

@testable import PosternIssuer

/// Discovery and keys, as the verifier's own source of keys sees them.
@Suite struct DocumentTests {
    private func mint(_ standIn: StandIn) async -> String {
        await standIn.post(json: #"{"nonce":"raw"}"#, "/mint").text
    }

    @Test func discoveryLeadsToTheKeys() async throws {
        let standIn = try StandIn()
        let provider = try Provider.oidc(
            issuer: StandIn.url, audiences: [Audience(StandIn.clientID, nonce: .hashed)])
        let keys = try RemoteKeySource(
            provider, client: StandInClient(standIn: standIn), allowsInsecureLoopback: true,
            clock: .standstill)
        await keys.warm()
        #expect(keys.status.usableKeys.count == 1)
        #expect(keys.status.lastFailure == nil)
        let document = try #require(await standIn.get("/.well-known/openid-configuration").json)
        #expect(document["issuer"]?.string == StandIn.url)
        #expect(document["jwks_uri"]?.string == StandIn.url + "/auth/keys")
        #expect(document["id_token_signing_alg_values_supported"]?.elements?.compactMap(\.string) == ["RS256"])
        // Every place that it names is there.
        for (name, method) in [("authorization_endpoint", "GET"), ("token_endpoint", "POST"), ("jwks_uri", "GET")] {
            let path = String(try #require(document[name]?.string).dropFirst(StandIn.url.count))
            #expect(await standIn.ask(method, path).status != 404)
        }
    }

    @Test func keysThatAreKnownAreNotSentAgain() async throws {
        let standIn = try StandIn()
        let first = await standIn.get("/auth/keys")
        let tag = try #require(first.fields.single("ETag"))
        #expect(try KeySet(first.body).usable.count == 1)
        let again = await standIn.get("/auth/keys", fields: [("If-None-Match", tag)])
        #expect(again.status == 304)
        #expect(again.body.isEmpty)
        #expect(again.fields.single("ETag") == tag)
        _ = await standIn.post(json: "", "/control/rotate")
        let rotated = await standIn.get("/auth/keys", fields: [("If-None-Match", tag)])
        #expect(rotated.status == 200)
        #expect(try KeySet(rotated.body).usable.count == 2)
    }

    /// A key that comes is found, and one that goes is refused once the set is fetched again.
    @Test func rotation() async throws {
        let standIn = try StandIn()
        let verifier = try FaultTests.verifier(standIn)
        let old = await mint(standIn)
        #expect(await FaultTests.outcome(verifier, old) == .accepted)
        let state = await standIn.post(json: #"{"keep_former":true}"#, "/control/rotate")
        #expect(state.json?["key_ids"]?.elements?.count == 2)
        let new = await mint(standIn)
        #expect(await FaultTests.outcome(verifier, new) == .accepted)
        #expect(await FaultTests.outcome(verifier, old) == .accepted)
        _ = await standIn.post(json: #"{"keep_former":false}"#, "/control/rotate")
        let fresh = try FaultTests.verifier(standIn)
        #expect(await FaultTests.outcome(fresh, new) == .refused(.keyNotFound))
        let newest = await mint(standIn)
        #expect(await FaultTests.outcome(fresh, newest) == .accepted)
    }

    @Test(arguments: [(#"{"keep_former":1}"#, "member_invalid"), (#"{"x":1}"#, "member_unknown")])
    func whatIsWrongIsSaid(body: String, code: String) async throws {
        #expect(try await StandIn().post(json: body, "/control/rotate").code == code)
    }

    /// The built-in Apple has its issuer and its place of the keys in the code: no token from here is one of its.
    @Test func appleIsNotThisOne() async throws {
        let standIn = try StandIn()
        let apple = try Provider.apple(audiences: [.app(StandIn.clientID, nonce: .hashed)])
        #expect(apple.keySetURL == "https://appleid.apple.com/auth/keys")
        let keys = try KeySet(await standIn.get("/auth/keys").body)
        let verifier = try TokenVerifier(apple, keys: StaticKeySource(keys), time: .fixed(StandIn.start))
        #expect(await FaultTests.outcome(verifier, await mint(standIn)) == .refused(.issuerMismatch))
        // Its keys are asked for at Apple's name, to which nothing here answers even if it leads here.
        let source = try RemoteKeySource(
            apple, client: StandInClient(standIn: standIn), allowsInsecureLoopback: true,
            clock: .standstill)
        let body = #"{"nonce":"raw","claims":{"iss":"https://appleid.apple.com"}}"#
        let forged = await standIn.post(json: body, "/mint").text
        let outcome = await FaultTests.outcome(
            try TokenVerifier(apple, keys: source, time: .fixed(StandIn.start)), forged)
        #expect(outcome == .fault("keys_unavailable bad_status"))
    }
}
