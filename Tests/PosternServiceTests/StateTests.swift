import Foundation
import PosternHTTP
import PosternJOSE
import PosternKeySets
import PosternService
import PosternTestSupport
import PosternTokens
import Testing

@Suite struct StateTests {
    private static func service(_ status: KeySetStatus) throws -> TestService {
        try TestService({ [try TestService.apple(keys: ScriptedKeys(status: status), nonces: $0)] })
    }

    private static func status(_ freshness: KeySetStatus.Freshness, freshFor: Int64? = nil) throws -> KeySetStatus {
        let failure = KeySetFailure(.badStatus, "The issuer answered 500.")
        let keys = freshness == .none ? [] : try TestKeys.rs256().keys.usable
        return KeySetStatus(
            freshness: freshness, usableKeys: keys, freshFor: freshFor, lastFailure: freshness == .fresh ? nil : failure
        )
    }

    @Test func livenessKnowsNothingOfKeys() async throws {
        let reply = try await Self.service(Self.status(.none)).send("GET", "/health/live", fields: [])
        #expect(reply.status == 200)
        #expect(reply.field("Content-Type") == "application/health+json")
        #expect(reply.text("status") == "pass")
    }

    @Test(
        arguments: [
            (KeySetStatus.Freshness.none, 503, "fail", "bad_status: The issuer answered 500."),
            (.fresh, 200, "pass", nil), (.stale, 200, "warn", "42 s past their time"),
            (.expired, 503, "fail", "bad_status"),
        ] as [(KeySetStatus.Freshness, Int, String, String?)])
    func readiness(freshness: KeySetStatus.Freshness, status: Int, word: String, output: String?) async throws {
        let reply = try await Self.service(Self.status(freshness, freshFor: -42)).send(
            "GET", "/health/ready", fields: [])
        #expect(reply.status == status)
        #expect(reply.field("Content-Type") == "application/health+json")
        #expect(reply.text("status") == word)
        let checks = try #require(reply.json["checks"] as? [String: [[String: Any]]])
        let check = try #require(checks["apple:keys"]?.first)
        #expect(check["status"] as? String == word)
        #expect(check["observedValue"] as? String == freshness.rawValue)
        let seen = check["output"] as? String
        #expect(output == nil ? seen == nil : seen?.contains(output ?? "") == true)
    }

    @Test func beforeTheFirstFetchIsAnsweredItSaysSo() async throws {
        let reply = try await Self.service(KeySetStatus(freshness: .none, usableKeys: [])).send("GET", "/health/ready")
        #expect(reply.status == 503)
        #expect(reply.body.contains("No keys have come yet."))
        #expect(reply.field("Retry-After") == "1")
    }

    /// One provider without keys is enough not to be ready.
    @Test func theWorstDecides() async throws {
        let service = try TestService({
            [
                try TestService.oidc("https://a.example", name: "a", nonces: $0),
                try TestService.apple(keys: ScriptedKeys(), nonces: $0),
            ]
        })
        let reply = try await service.send("GET", "/health/ready")
        #expect(reply.status == 503)
        #expect((reply.json["checks"] as? [String: Any])?.keys.sorted() == ["a:keys", "apple:keys"])
    }

    @Test func theKeysAreShown() async throws {
        let reply = try await TestService().send("GET", "/v1/keys", fields: [])
        #expect(reply.status == 200)
        let providers = try #require(reply.json["providers"] as? [[String: Any]])
        let apple = try #require(providers.first)
        #expect(
            apple.keys.sorted() == [
                "fresh_for", "freshness", "is_fetching", "issuers", "last_failure", "last_success", "next_refresh",
                "provider", "skipped", "usable",
            ])
        #expect(apple["provider"] as? String == "apple")
        #expect(apple["issuers"] as? [String] == ["https://appleid.apple.com"])
        let usable = try #require(apple["usable"] as? [[String: Any]])
        #expect(usable.first?["kid"] as? String == "test-key")
    }

    @Test func failuresAreShown() async throws {
        let reply = try await Self.service(Self.status(.stale, freshFor: -1)).send("GET", "/v1/keys")
        let providers = try #require(reply.json["providers"] as? [[String: Any]])
        let failure = try #require(providers.first?["last_failure"] as? [String: Any])
        #expect(failure["code"] as? String == "bad_status")
        #expect(providers.first?["fresh_for"] as? Int == -1)
    }

    // MARK: - Set-up

    @Test func namesAreUnique() throws {
        let twice = #expect(throws: ConfigurationError.self) {
            try TestService({ [try TestService.apple(nonces: $0), try TestService.apple(nonces: $0)] })
        }
        #expect(twice?.message.contains("apple") == true)
        #expect(throws: ConfigurationError.self) { try TestService({ _ in [] }) }
    }
}
