import Foundation
import PosternHTTP
import PosternService
import PosternTestSupport
import PosternTokens
import Testing

/// `Docs/Errors.md` lists each problem once with its status, and each can be had.
@Suite struct ProblemListTests {
    @Test func theListIsWhole() throws {
        let text = try String(contentsOf: TestPaths.package.appending(path: "Docs/Errors.md"), encoding: .utf8)
        let section = try #require(text.components(separatedBy: "\n## ").first { $0.hasPrefix("Problems") })
        let rows = section.components(separatedBy: "\n").filter { $0.hasPrefix("| `") }
        let listed = rows.map { row in
            let cells = row.components(separatedBy: "|").map { $0.trimmingCharacters(in: .whitespaces) }
            return "\(cells[1].trimmingCharacters(in: ["`"])) \(cells[2])"
        }
        #expect(listed.sorted() == ProblemCode.allCases.map { "\($0.rawValue) \($0.status.code)" }.sorted())
    }

    private typealias Call = @Sendable () async throws -> TestReply

    private static func post(_ body: String, to path: String = "/v1/verify") -> Call {
        { try await TestService().send("POST", path, body) }
    }

    private static func calls() -> [ProblemCode: Call] {
        [
            .bodyMalformed: post("{"), .memberUnknown: post(#"{"token":"a","x":1}"#), .memberMissing: post("{}"),
            .memberInvalid: post(#"{"token":1}"#),
            .queryUnexpected: { try await TestService().send("GET", "/v1/keys", query: "a") },
            .providerUnknown: post(#"{"token":"a","provider":"b"}"#),
            .audienceUnknown: post(#"{"token":"a","audience":"b"}"#),
            .audienceNeeded: {
                try await TestService({
                    [
                        try TestService.apple(nonces: $0),
                        try TestService.oidc("https://a.example", name: "a", nonces: $0),
                    ]
                }).send("POST", "/v1/nonces", "{}")
            },
            .apiKeyMissing: { try await TestService().send("GET", "/v1/keys", peer: TestService.address) },
            .apiKeyUnknown: {
                try await TestService(keys: TestService.keys)
                    .send("GET", "/v1/keys", fields: [("Authorization", "Bearer x")], peer: TestService.address)
            },
            .peerNotAllowed: {
                try await TestService(listeners: [ListenerRules(doors: [], users: [7])]).send("GET", "/health/live")
            },
            .pathUnknown: { try await TestService().send("GET", "/") },
            .methodNotAllowed: { try await TestService().send("PUT", "/v1/keys") },
            .tooManyTokens: post("{\"tokens\":[\(Array(repeating: "{}", count: 257).joined(separator: ","))]}"),
            .mediaTypeUnsupported: { try await TestService().send("POST", "/v1/verify", "{}", fields: []) },
            .tooManyRequests: {
                let service = try TestService(limit: CallerLimiter.Rate(perSecond: 1, burst: 1))
                _ = try await service.send("GET", "/v1/keys")
                return try await service.send("GET", "/v1/keys")
            },
            .keysUnavailable: {
                try await TestService({ [try TestService.apple(keys: ScriptedKeys(), nonces: $0)] })
                    .verify(["token": TestToken().signed()])
            },
            .noncesFull: {
                let service = try TestService(capacity: 1)
                _ = try await service.nonce()
                return try await service.send("POST", "/v1/nonces", "{}")
            },
        ]
    }

    @Test(arguments: ProblemCode.allCases)
    func eachCanBeHad(code: ProblemCode) async throws {
        let call = try #require(Self.calls()[code] ?? AccountProblems.calls()[code])
        let reply = try await call()
        #expect(reply.code == code.rawValue)
        #expect(reply.status == code.status.code)
        #expect(reply.json["status"] as? Int == code.status.code)
        #expect(reply.text("title") == code.status.title)
        #expect(reply.text("type") == "about:blank")
        #expect(reply.text("request_id") == reply.field("X-Request-Id"))
        #expect(reply.text("detail")?.isEmpty == false)
        #expect(reply.field("Content-Type") == "application/problem+json")
        #expect(reply.field("Cache-Control") == "no-store")
        #expect((reply.field("WWW-Authenticate") != nil) == (reply.status == 401))
        #expect((reply.field("Retry-After") != nil) == [429, 503].contains(reply.status))
        #expect((reply.field("Allow") != nil) == (reply.status == 405))
    }
}
