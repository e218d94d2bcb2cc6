import PosternBase
import PosternHTTP
import PosternService
import PosternTestSupport
import Testing

@Suite struct LimitTests {
    private static func service(burst: Int64) throws -> TestService {
        let clock = MonotonicTimeSource(now: { .seconds(100) }, sleepUntil: { _ in })
        return try TestService(
            keys: TestService.keys, limit: CallerLimiter.Rate(perSecond: 1, burst: burst), clock: clock)
    }

    @Test func tooManyRequestsAreToldWhenToComeBack() async throws {
        let service = try Self.service(burst: 2)
        for _ in 0..<2 { #expect(try await service.send("GET", "/v1/keys").status == 200) }
        for (method, path) in [("GET", "/v1/keys"), ("POST", "/v1/verify"), ("POST", "/v1/nonces")] {
            let reply = try await service.send(method, path)
            #expect(reply.status == 429)
            #expect(reply.code == "too_many_requests")
            #expect(reply.field("Retry-After") == "1")
        }
        // Others, and who asks for health, are not held up.
        #expect(try await service.send("GET", "/v1/keys", peer: .process(user: 7, group: 7, process: 7)).status == 200)
        #expect(try await service.send("GET", "/health/live").status == 200)
        #expect(try await service.send("GET", "/health/ready").status == 200)
        let field = ("Authorization", "Bearer \(TestService.key)")
        #expect(try await service.send("GET", "/v1/keys", fields: [field], peer: TestService.address).status == 200)
    }

    @Test func eachTokenCounts() async throws {
        let service = try Self.service(burst: 10)
        let token = ["token": "x"]
        #expect(try await service.verify(["tokens": Array(repeating: token, count: 10)]).status == 200)
        #expect(try await service.verify(["token": "x"]).status == 429)
    }

    /// A long body costs as much as the tokens that it has room for, whatever it holds.
    @Test func lengthCounts() async throws {
        for (length, left) in [(16_383, 4), (16_384, 3), (49_151, 2), (65_536, 0)] {
            let service = try Self.service(burst: 5)
            let body = String(repeating: " ", count: length)
            #expect(try await service.send("POST", "/v1/verify", body).code == "body_malformed")
            for _ in 0..<left { #expect(try await service.send("GET", "/v1/keys").status == 200) }
            #expect(try await service.send("GET", "/v1/keys").status == 429)
            let nonces = try Self.service(burst: 5)
            _ = try await nonces.send("POST", "/v1/nonces", body)
            for _ in 0..<left { #expect(try await nonces.send("GET", "/v1/keys").status == 200) }
            #expect(try await nonces.send("GET", "/v1/keys").status == 429)
        }
        // Not besides the tokens of a list.
        for length in [8_000, 15_000] {
            let service = try Self.service(burst: 10)
            let padded = ["token": String(repeating: "x", count: length)]
            #expect(try await service.verify(["tokens": Array(repeating: padded, count: 9)]).status == 200)
            #expect(try await service.send("GET", "/v1/keys").status == 200)
            #expect(try await service.send("GET", "/v1/keys").status == 429)
        }
    }

    /// Who is not let in uses up nothing.
    @Test func strangersCostNothing() async throws {
        let service = try Self.service(burst: 1)
        for _ in 0..<5 {
            #expect(try await service.send("GET", "/v1/keys", peer: TestService.address).status == 401)
        }
        let field = ("Authorization", "Bearer \(TestService.key)")
        #expect(try await service.send("GET", "/v1/keys", fields: [field], peer: TestService.address).status == 200)
    }
}
