import Foundation
import PosternBase
import PosternHTTP
import PosternService
import PosternTestSupport
import PosternTokens
import Testing

/// A service that is replaced while it serves.
@Suite struct CurrentServiceTests {
    private static let issuer = "https://issuer.test"

    /// Two that differ in the name of their provider, over the same nonces.
    private static func pair() throws -> (one: TestService, two: TestService, nonces: IssuedNonces) {
        let nonces = try IssuedNonces(capacity: 100, time: .fixed(TestService.now))
        func service(_ name: String) throws -> TestService {
            try TestService { _ in [try TestService.oidc(issuer, name: name, nonces: nonces)] }
        }
        return (try service("one"), try service("two"), nonces)
    }

    private static func request(_ path: String, _ body: String) -> ReceivedRequest {
        var fields = HTTP.Fields()
        fields.append("Content-Type", "application/json")
        return ReceivedRequest(
            method: "POST", path: path, query: nil, fields: ReceivedFields(fields), body: Array(body.utf8),
            peer: TestService.peer, listener: 0)
    }

    private static func token() throws -> String {
        try TestToken().with("iss", .string(issuer)).with("aud", .string("web")).with("nonce", .string("n")).signed()
    }

    /// The providers that the verdicts of an answer name.
    private static func names(_ response: HTTP.Response) -> [String] {
        let verdicts = TestReply(response).json["verdicts"] as? [[String: Any]] ?? []
        return verdicts.compactMap { ($0["identity"] as? [String: Any])?["provider"] as? String }
    }

    @Test func whatIsAskedAfterwardsIsAskedOfTheNewOne() async throws {
        let (one, two, _) = try Self.pair()
        let current = CurrentService(one.service)
        let body = #"{"tokens":[{"token":"\#(try Self.token())","nonce":"n"}]}"#
        for (service, name) in [(one, "one"), (two, "two"), (one, "one")] {
            current.replace(with: service.service)
            #expect(await Self.names(current.respond(to: Self.request("/v1/verify", body))) == [name])
        }
    }

    /// What was replaced is held by nothing, the service that follows it included.
    @Test func theOldOneIsFreed() throws {
        let nonces = try IssuedNonces(capacity: 100, time: .fixed(TestService.now))
        func service(after former: Service?) throws -> Service {
            try Service(
                providers: [TestService.oidc(Self.issuer, name: "one", nonces: nonces)], nonces: nonces,
                listeners: [ListenerRules(doors: [.native])], limit: CallerLimiter.Rate(perSecond: 1, burst: 1),
                after: former)
        }
        var former: Service? = try service(after: nil)
        weak let freed = former
        let current = try CurrentService(#require(former))
        current.replace(with: try service(after: former))
        #expect(freed != nil)
        former = nil
        #expect(freed == nil)
    }

    /// A list of tokens gives way to others in between; all of it is judged under the settings that it began with.
    @Test func noAnswerIsMixed() async throws {
        let rounds = ProcessInfo.processInfo.environment["POSTERN_RACE_ROUNDS"].flatMap { Int($0) } ?? 20
        let (one, two, _) = try Self.pair()
        let current = CurrentService(one.service)
        let token = #"{"token":"\#(try Self.token())","nonce":"n"}"#
        let body = #"{"tokens":[\#(Array(repeating: token, count: 32).joined(separator: ","))]}"#
        let isOver = Lock(false)
        let seen = await withTaskGroup(of: [Set<String>].self) { group in
            for _ in 0..<4 {
                group.addTask {
                    var seen: [Set<String>] = []
                    for _ in 0..<rounds {
                        let names = Self.names(await current.respond(to: Self.request("/v1/verify", body)))
                        // Fewer would be refusals.
                        seen.append(names.count == 32 ? Set(names) : [])
                    }
                    return seen
                }
            }
            let swapper = Task {
                var swaps = 0
                while !isOver.withLock({ $0 }) {
                    current.replace(with: swaps.isMultiple(of: 2) ? two.service : one.service)
                    swaps += 1
                    await Task.yield()
                }
                return swaps
            }
            var all: [Set<String>] = []
            for await part in group { all += part }
            isOver.withLock { $0 = true }
            #expect(await swapper.value > 1)
            return all
        }
        #expect(seen.count == 4 * rounds)
        #expect(seen.allSatisfy { $0 == ["one"] || $0 == ["two"] })
    }

    /// Replaced from several threads at once it still is one service on all threads afterwards.
    @Test func severalMayReplaceIt() async throws {
        let (one, two, _) = try Self.pair()
        let current = CurrentService(one.service)
        await withTaskGroup(of: Void.self) { group in
            for number in 0..<8 {
                group.addTask {
                    for _ in 0..<200 { current.replace(with: number.isMultiple(of: 2) ? one.service : two.service) }
                }
            }
        }
        let body = #"{"tokens":[{"token":"\#(try Self.token())","nonce":"n"}]}"#
        let names = await withTaskGroup(of: [String].self) { group in
            for _ in 0..<32 {
                group.addTask { Self.names(await current.respond(to: Self.request("/v1/verify", body))) }
            }
            return await group.reduce(into: Set<String>()) { $0.formUnion($1) }
        }
        #expect(names.count == 1)
    }

    /// Limits go on where neither they nor the keys have changed, and begin anew otherwise.
    @Test func callersGoOnWhereTheyWere() async throws {
        let clock = MonotonicTimeSource(now: { .seconds(100) }, sleepUntil: { _ in })
        let nonces = try IssuedNonces(capacity: 100, time: .fixed(TestService.now))
        func service(_ burst: Int64, _ keys: APIKeys = APIKeys(), after former: Service? = nil) throws -> Service {
            try Service(
                providers: [TestService.apple(nonces: nonces)], nonces: nonces,
                listeners: [ListenerRules(doors: [.native])], keys: keys,
                limit: CallerLimiter.Rate(perSecond: 1, burst: burst), after: former, clock: clock)
        }
        let first = try service(2)
        func status(_ service: Service) async -> Int {
            await service.respond(to: Self.request("/v1/nonces", "{}")).status
        }
        for expected in [201, 201, 429] { #expect(await status(first) == expected) }
        #expect(try await status(service(2, after: first)) == 429)
        #expect(try await status(service(3, after: first)) == 201)
        #expect(try await status(service(2, TestService.keys, after: first)) == 201)
        #expect(try await status(service(2)) == 201)
    }
}
