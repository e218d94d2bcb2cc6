import PosternHTTP
import PosternService
import PosternTestSupport
import Testing

/// What is behind the door `auth`.
@Suite struct PublishedTests {
    private static let paths = ["/.well-known/jwks.json", "/.well-known/openid-configuration"]

    @Test func theKeysArePublicAndMayBeKept() async throws {
        let service = try await AccountService()
        for path in Self.paths {
            for method in ["GET", "HEAD"] {
                let reply = try await service.http.send(method, path, fields: [], peer: TestService.address)
                #expect(reply.status == 200)
                #expect(reply.response.fields.values("Cache-Control") == ["public, max-age=600"])
                #expect(reply.field("Content-Type") == "application/json")
            }
            #expect(try await service.send("GET", path, query: "a=b").code == "query_unexpected")
            #expect(try await service.send("POST", path).field("Allow") == "GET, HEAD")
        }
    }

    @Test func theKeySignedTheTokens() async throws {
        let service = try await AccountService()
        let keys = try await service.send("GET", "/.well-known/jwks.json").list("keys")
        // The one that signs and the one that will.
        #expect(keys.count == 2)
        for key in keys {
            #expect(key["kty"] as? String == "EC")
            #expect(key["alg"] as? String == "ES256")
            #expect(key["d"] == nil)
        }
        let discovery = try await service.send("GET", "/.well-known/openid-configuration")
        #expect(discovery.text("issuer") == AccountService.issuer)
        #expect(discovery.text("jwks_uri") == AccountService.issuer + "/.well-known/jwks.json")
    }

    /// Nobody is to keep an empty set.
    @Test func withoutKeysThereIsNothingToKeep() async throws {
        let service = try await AccountService.with { $0.hasKeys = false }
        let reply = try await service.send("GET", "/.well-known/jwks.json")
        #expect(reply.status == 503)
        #expect(reply.code == "signing_keys_unavailable")
        #expect(reply.field("Cache-Control") == "no-store")
        // And nobody gets a session that no token could be given for.
        #expect(try await service.signInWithApple().code == "signing_keys_unavailable")
        #expect(try await service.send("GET", "/v1/accounts").list("accounts").isEmpty)
    }

    @Test func thatDoorAlone() async throws {
        let rules = [ListenerRules(doors: [.auth]), ListenerRules(doors: [.native, .operations])]
        let service = try await AccountService.with { $0.listeners = rules }
        for path in Self.paths {
            #expect(try await service.http.send("GET", path, listener: 0).status == 200)
            #expect(try await service.http.send("GET", path, listener: 1).status == 404)
        }
        for path in ["/v1/accounts", "/v1/sessions", "/v1/verify", "/metrics"] {
            #expect(try await service.http.send("GET", path, listener: 0).code == "path_unknown")
        }
    }
}
