import Foundation
import PosternBase
import PosternCrypto
import PosternHTTP
import PosternJOSE
import PosternKeySets
import PosternService
import PosternTestSupport
import PosternTokens
import Testing

/// The service over a real source of keys whose issuer comes and goes, by a clock that is pushed. The daemon shows the same
/// by the system's clock, and takes half a minute for it.
@Suite struct OutageTests {
    /// An issuer that answers what it is told.
    private final class Issuer: HTTP.Client {
        private let state = Lock((answer: HTTP.Response(status: 500), count: 0))

        var count: Int { state.withLock { $0.count } }

        func set(_ answer: HTTP.Response) { state.withLock { $0.answer = answer } }

        func send(_ request: HTTP.Request) async throws(HTTP.ClientError) -> HTTP.Response {
            state.withLock { state in
                state.count += 1
                return state.answer
            }
        }
    }

    /// A clock that stands until it is pushed; who sleeps by it looks again and again.
    private final class PushedClock: Sendable {
        private let moment = Lock(Duration.seconds(1_000_000))

        func advance(by span: Duration) { moment.withLock { $0 += span } }

        var source: MonotonicTimeSource {
            MonotonicTimeSource(now: { self.moment.withLock { $0 } }) { end in
                while !Task.isCancelled, self.moment.withLock({ $0 }) < end {
                    try? await Task.sleep(for: .milliseconds(5))
                }
            }
        }
    }

    private let issuer = Issuer()
    private let clock = PushedClock()
    private let source: RemoteKeySource
    private let service: TestService

    init() throws {
        let audiences = [Audience(TestService.issued, nonce: .issued)]
        let source = try RemoteKeySource(.apple(audiences: audiences), client: issuer, clock: clock.source)
        self.source = source
        service = try TestService({
            let verifier = try TokenVerifier(
                .apple(audiences: audiences), keys: source, issuedNonces: $0, time: .fixed(TestService.now))
            return [ServedProvider(verifier, keys: source)]
        })
    }

    private static func good() throws -> HTTP.Response {
        let key = try TestKeys.rsa.get().publicKey
        let members = try Thumbprint.members(of: key).map { ($0.0, JSONOutput.string($0.1)) }
        let member = JSONOutput.object(members + [("kid", .string("test-key")), ("alg", .string("RS256"))])
        var fields = HTTP.Fields()
        fields.append("Cache-Control", "max-age=600")
        return HTTP.Response(
            status: 200, fields: fields, body: Array(JSONOutput.object([("keys", .array([member]))]).text().utf8))
    }

    /// Waits for what happens by itself; false when it has not within two minutes.
    private func until(_ condition: () -> Bool) async throws -> Bool {
        for _ in 0..<24_000 where !condition() { try await Task.sleep(for: .milliseconds(5)) }
        return condition()
    }

    @Test func keysThatAreAwayComeByThemselves() async throws {
        await source.warm()
        let nonce = try await service.nonce()
        let request: [String: Any] = try ["token": TestToken.issued(nonce), "nonce": nonce]
        let ready = try await service.send("GET", "/health/ready")
        #expect(ready.status == 503)
        #expect(ready.body.contains("bad_status"))
        // However often somebody asks, the issuer is left alone for a second after the first failure.
        clock.advance(by: .milliseconds(999))
        let away = try await service.verify(request)
        #expect(away.status == 503)
        #expect(away.code == "keys_unavailable")
        #expect(away.field("Retry-After") == "30")
        #expect(issuer.count == 1)
        // Then it is asked by itself.
        issuer.set(try Self.good())
        clock.advance(by: .milliseconds(1))
        #expect(try await until { source.status.freshness == .fresh })
        #expect(issuer.count == 2)
        #expect(try await service.send("GET", "/health/ready").status == 200)
        // The fault has used up nothing.
        #expect(try await service.verify(request).verdict == "accepted")
    }

    @Test func keysThatAreKnownServeOn() async throws {
        issuer.set(try Self.good())
        await source.warm()
        #expect(try await service.send("GET", "/health/ready").text("status") == "pass")
        issuer.set(HTTP.Response(status: 500))
        clock.advance(by: .seconds(4200))
        #expect(try await until { source.status.lastFailure != nil })
        let nonce = try await service.nonce()
        #expect(
            try await service.verify(["token": TestToken.issued(nonce), "nonce": nonce]).verdict == "accepted")
        let ready = try await service.send("GET", "/health/ready")
        #expect(ready.status == 200)
        #expect(ready.text("status") == "warn")
        #expect(ready.body.contains("3600 s past their time"))
        // A day past their time they serve no more.
        clock.advance(by: .seconds(86_400))
        #expect(try await service.send("GET", "/health/ready").status == 503)
    }
}
