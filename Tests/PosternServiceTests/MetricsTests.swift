import Foundation
import PosternBase
import PosternHTTP
import PosternJOSE
import PosternKeySets
import PosternService
import PosternTestSupport
import PosternTokens
import Testing

/// `GET /metrics`, read by a strict reader of the format.
@Suite struct MetricsTests {
    private static func page(_ service: TestService) async throws -> Exposition {
        try Exposition(try await service.send("GET", "/metrics").body)
    }

    private static func good() throws -> [String: Any] {
        try ["token": TestToken().signed(), "nonce": TestToken.rawNonce]
    }

    @Test func theAnswer() async throws {
        let service = try TestService()
        let reply = try await service.send("GET", "/metrics", fields: [], peer: TestService.address)
        #expect(reply.status == 200)
        #expect(reply.field("Content-Type") == "text/plain; version=0.0.4; charset=utf-8")
        #expect(reply.field("Cache-Control") == "no-store")
        #expect(try await service.send("HEAD", "/metrics").status == 200)
        #expect(try await service.send("POST", "/metrics").status == 405)
        #expect(try await service.send("GET", "/metrics", query: "a").code == "query_unexpected")
        for doors in [[], [Door.native]] {
            let shut = try TestService(listeners: [ListenerRules(doors: Set(doors))])
            #expect(try await shut.send("GET", "/metrics").status == 404)
        }
        #expect(!(try Exposition(reply.body)).families.isEmpty)
    }

    /// It is not counted against the limit of a caller.
    @Test func itHasNoLimit() async throws {
        let service = try TestService(limit: CallerLimiter.Rate(perSecond: 1, burst: 1))
        for _ in 0..<5 { #expect(try await service.send("GET", "/metrics").status == 200) }
    }

    /// Counters go on, whoever is left out of the settings meanwhile.
    @Test func nothingFallsWhenAProviderGoes() async throws {
        let metrics = ServiceMetrics()
        let nonces = try IssuedNonces(capacity: 100, time: .fixed(TestService.now))
        func service(_ names: [String]) throws -> Service {
            try Service(
                providers: names.map { try TestService.oidc("https://\($0).test", name: $0, nonces: nonces) },
                nonces: nonces, listeners: [ListenerRules(doors: [.native, .operations])], metrics: metrics,
                time: .fixed(TestService.now))
        }
        let both = try TestService(service(["one", "two"]))
        let token = try TestToken().with("iss", .string("https://two.test")).with("aud", .string("web")).signed()
        #expect(try await both.verify(["token": token, "nonce": "other"]).code == "nonce_mismatch")
        for left in [["one", "two"], ["one"], ["two"]] {
            let page = try await Self.page(TestService(service(left)))
            #expect(page.sum("postern_nonces_refused_total", ["code": "nonce_mismatch"]) == 1, "\(left)")
        }
    }

    @Test func verdictsAreCountedByProviderAndCode() async throws {
        let service = try TestService({ nonces in
            [
                try TestService.apple(nonces: nonces),
                try TestService.oidc("https://one.test", name: "staff", nonces: nonces),
            ]
        })
        let before = try await Self.page(service)
        #expect(before.samples("postern_verdicts_total").allSatisfy { $0.value == 0 })
        // Each provider, and tokens of none, with what is watched for its first time.
        #expect(before.samples("postern_verdicts_total").count == 3 * 2)
        #expect(Set(before.samples("postern_verdicts_total").map { $0.label("verdict") }) == ["accepted", "fault"])
        #expect(before.samples("postern_verification_duration_seconds_bucket").isEmpty)
        let good = try Self.good()
        #expect(try await service.verify(good).verdict == "accepted")
        #expect(try await service.verify(good.merging(["explain": true]) { $1 }).verdict == "accepted")
        #expect(try await service.verify(good.merging(["nonce": "other"]) { $1 }).code == "nonce_mismatch")
        #expect(try await service.verify(["token": "x.y", "provider": "staff"]).code == "token_malformed")
        let foreign = try TestToken().with("iss", .string("https://nobody.test")).signed()
        #expect(try await service.verify(["token": foreign, "nonce": "a"]).code == "issuer_mismatch")
        let list = try await service.verify(["tokens": [good, ["token": foreign], good.merging(["nonce": "b"]) { $1 }]])
        #expect(list.status == 200)
        let page = try await Self.page(service)
        func count(_ provider: String, _ code: String) -> Double {
            page.sum("postern_verdicts_total", ["provider": provider, "code": code])
        }
        #expect(count("apple", "") == 3)
        #expect(page.sum("postern_verdicts_total", ["verdict": "accepted"]) == 3)
        #expect(count("apple", "nonce_mismatch") == 2)
        #expect(count("staff", "token_malformed") == 1)
        #expect(count("", "issuer_mismatch") == 2)
        #expect(page.sum("postern_verdicts_total") == 8)
        // Each has been timed.
        #expect(page.sum("postern_verification_duration_seconds_count") == 8)
        #expect(page.sum("postern_verification_duration_seconds_count", ["provider": "apple"]) == 5)
        #expect(page.sum("postern_verification_duration_seconds_sum", ["provider": "apple"]) > 0)
        #expect(page.sum("postern_nonces_refused_total", ["code": "nonce_mismatch"]) == 2)
    }

    @Test func faultsAreCountedOnce() async throws {
        let service = try TestService({ [try TestService.apple(keys: ScriptedKeys(), nonces: $0)] })
        #expect(try await service.verify(Self.good()).code == "keys_unavailable")
        let page = try await Self.page(service)
        #expect(page.sum("postern_verdicts_total", ["verdict": "fault", "code": "keys_unavailable"]) == 1)
        #expect(page.sum("postern_verdicts_total") == 1)
        #expect(page.sum("postern_http_problems_total", ["code": "keys_unavailable"]) == 1)
        #expect(page.sum("postern_http_requests_total", ["status": "503"]) == 1)
        #expect(page.sum("postern_key_set_state", ["state": "none", "provider": "apple"]) == 1)
        #expect(page.samples("postern_key_set_expiry_seconds").isEmpty)
    }

    @Test func noncesAreCounted() async throws {
        let service = try TestService(capacity: 3)
        let nonce = try await service.nonce()
        let token = try TestToken.issued(nonce)
        for consume in [false, true, true] {
            _ = try await service.verify(["token": token, "nonce": nonce, "consume": consume])
        }
        for _ in 0..<4 { _ = try await service.send("POST", "/v1/nonces") }
        let page = try await Self.page(service)
        #expect(page.sum("postern_nonces_issued_total") == 3)
        #expect(page.sum("postern_nonces_redeemed_total") == 1)
        #expect(page.sum("postern_nonces_refused_total", ["code": "nonce_used"]) == 1)
        #expect(page.sum("postern_nonces_outstanding") == 3)
        #expect(page.sum("postern_nonces_capacity") == 3)
        #expect(page.sum("postern_http_problems_total", ["code": "nonces_full"]) == 2)
    }

    @Test func keysAreTold() async throws {
        let set = try TestKeys.rs256().keys
        let status = KeySetStatus(
            freshness: .stale, usableKeys: set.usable, freshFor: -42, lastSuccess: TestService.now - 100, waiting: 7)
        let service = try TestService({ [try TestService.apple(keys: ScriptedKeys(status: status), nonces: $0)] })
        let page = try await Self.page(service)
        #expect(page.sum("postern_key_set_age_seconds", ["provider": "apple"]) == 100)
        #expect(page.sum("postern_key_set_expiry_seconds") == -42)
        #expect(page.samples("postern_key_set_state", ["state": "stale"]).map(\.value) == [1])
        #expect(page.sum("postern_key_set_state") == 1)
        #expect(page.sum("postern_key_set_usable_keys") == Double(set.usable.count))
        #expect(page.sum("postern_key_set_waiting") == 7)
    }

    /// What a key source tells is counted by its result, and survives a service that takes the place of another.
    @Test func fetchesAreCountedByResult() async throws {
        let metrics = ServiceMetrics()
        let tally = metrics.tally(of: "apple")
        tally.count(.fetched)
        tally.count(.replaced(usable: 1, skipped: []))
        tally.count(.notModified)
        for _ in 0..<3 { tally.count(.failed(KeySetFailure(.timedOut, "x"))) }
        tally.count(.unknownKeyNotFetched)
        for _ in 0..<2 {
            let nonces = try IssuedNonces(capacity: 1)
            let service = try Service(
                providers: [try TestService.apple(nonces: nonces)], nonces: nonces,
                listeners: [ListenerRules(doors: [.operations])], metrics: metrics)
            let request = ReceivedRequest(method: "GET", path: "/metrics", peer: TestService.peer)
            let page = try Exposition(String(decoding: await service.respond(to: request).body, as: UTF8.self))
            func count(_ result: String) -> Double {
                page.sum("postern_key_set_fetches_total", ["provider": "apple", "result": result])
            }
            #expect(count("fetched") == 1 && count("not_modified") == 1 && count("timed_out") == 3)
            #expect(page.sum("postern_key_set_fetches_total") == 5)
            #expect(page.sum("postern_key_set_unknown_keys_total") == 1)
        }
        #expect(metrics.tally(of: "apple") === tally && metrics.tally(of: "other") !== tally)
    }

    /// A hundred providers that nobody has used cost little; each that is used adds what has come of it.
    @Test func thePageGrowsByWhatIsUsed() async throws {
        let service = try TestService({ nonces in
            try (0..<100).map { try TestService.oidc("https://\($0).test", name: "provider-\($0)", nonces: nonces) }
        })
        let unused = try await service.send("GET", "/metrics").body.count
        #expect(unused < 150_000, "\(unused)")
        for place in 0..<100 {
            let token = try TestToken().with("iss", .string("https://\(place).test")).signed()
            #expect(try await service.verify(["token": token, "nonce": "x"]).code == "audience_mismatch")
        }
        let used = try await service.send("GET", "/metrics").body.count
        #expect(used < 350_000 && used > unused, "\(used)")
    }

    @Test func everyFailureOfAFetchHasItsResult() {
        let codes = KeySetFailure.Code.all.map(\.rawValue)
        #expect(Set(codes).count == codes.count)
        #expect(codes.count == 13)
    }

    /// The places of refusals are those of the list.
    @Test func everyRefusalHasItsPlace() {
        #expect(RefusalCode.all.map(\.place) == Array(RefusalCode.all.indices))
    }

    @Test func requestsAreCountedByRouteMethodAndStatus() async throws {
        let service = try TestService()
        _ = try await service.send("GET", "/health/live")
        _ = try await service.send("HEAD", "/health/live")
        _ = try await service.send("PUT", "/health/live")
        _ = try await service.send("GET", "/nothing")
        _ = try await service.send("POST", "/v1/nonces")
        _ = try await service.send("POST", "/v1/nonces", "[]")
        _ = service.service.answer(.aboutServer, to: ReceivedFields())
        let page = try await Self.page(service)
        func count(_ route: String, _ method: String, _ status: String) -> Double {
            page.sum("postern_http_requests_total", ["route": route, "method": method, "status": status])
        }
        #expect(count("/health/live", "GET", "200") == 1)
        #expect(count("/health/live", "HEAD", "200") == 1)
        #expect(count("/health/live", "PUT", "405") == 1)
        #expect(count("other", "GET", "404") == 1)
        #expect(count("/v1/nonces", "POST", "201") == 1)
        #expect(count("/v1/nonces", "POST", "400") == 1)
        #expect(count("*", "other", "204") == 1)
        #expect(page.sum("postern_http_requests_total") == 7)
        #expect(page.sum("postern_http_request_duration_seconds_count") == 7)
        #expect(page.sum("postern_http_problems_total") == 3)
    }

    /// What the head decides is counted like the rest.
    @Test func earlyAnswersAreCounted() async throws {
        let service = try TestService(keys: TestService.keys)
        let head = ReceivedHead(
            method: "POST", path: "/v1/verify", fields: ReceivedFields(), hasBody: true, peer: TestService.address)
        #expect(service.service.answer(toHead: head)?.status == 401)
        let page = try await Self.page(service)
        #expect(page.sum("postern_http_requests_total", ["route": "/v1/verify", "status": "401"]) == 1)
    }

    /// A token that is no good, of any audience and key, and of any issuer where none is given.
    private static func token(of issuer: String? = nil, _ word: () -> String) -> String {
        let issuer = issuer ?? "https://\(word()).test"
        let parts = [
            #"{"alg":"RS256","kid":"\#(word())"}"#,
            #"{"iss":"\#(issuer)","aud":"\#(word())","sub":"\#(word())","exp":4000000000,"iat":1}"#,
            word(),
        ]
        return parts.map { Base64URL.encode(Array($0.utf8)) }.joined(separator: ".")
    }

    /// Nothing that a caller says becomes a label: the series are the same before and after ten thousand of each.
    @Test func labelsAreBounded() async throws {
        let service = try TestService({ nonces in
            [
                try TestService.apple(nonces: nonces),
                try TestService.oidc("https://one.test", name: "staff", nonces: nonces),
            ]
        })
        var random = SystemRandomNumberGenerator()
        func round(_ word: () -> String) async throws {
            let bodies = [
                #"{"token":"\#(Self.token(word))","nonce":"\#(word())"}"#,
                #"{"token":"\#(Self.token(word))","nonce":"\#(word())","provider":"apple"}"#,
                // Of an issuer that is known, so that its key is looked for.
                #"{"token":"\#(Self.token(of: "https://appleid.apple.com", word))","nonce":"\#(word())"}"#,
                #"{"token":"x","provider":"\#(word())"}"#, #"{"token":"x","audience":"\#(word())"}"#,
                #"{"token":"x","\#(word())":1}"#,
            ]
            for body in bodies { _ = try await service.send("POST", "/v1/verify", body) }
            _ = try await service.send("GET", "/" + word())
            _ = try await service.send("GET", "/v1/keys", query: word())
            _ = try await service.send("M" + word(), "/v1/verify")
            _ = try await service.send("POST", "/v1/verify", "{}", fields: [("X-" + word(), word())])
            _ = try await service.send("POST", "/v1/nonces", #"{"audience":"\#(word())"}"#)
        }
        /// An audience is looked at once the signature is good; to sign takes long, so these are few.
        func audience() async throws {
            let token = try TestToken().with("aud", .string(String(random.next(), radix: 36))).signed()
            #expect(try await service.verify(["token": token, "nonce": "x"]).code == "audience_mismatch")
        }
        // What has come once has its series; no word makes another.
        try await round { "x" }
        try await audience()
        _ = try await Self.page(service)
        let before = try await Self.page(service)
        for _ in 0..<10_000 { try await round { String(random.next(), radix: 36) } }
        for _ in 0..<100 { try await audience() }
        let after = try await Self.page(service)
        #expect(after.series == before.series)
        #expect(after.sum("postern_http_requests_total") > 110_000)
        func count(_ provider: String, _ code: String) -> Double {
            after.sum("postern_verdicts_total", ["provider": provider, "code": code])
        }
        // One of each is of the round before.
        #expect(count("", "issuer_mismatch") == 10_001 && count("apple", "issuer_mismatch") == 10_001)
        #expect(count("apple", "key_not_found") == 10_001)
        #expect(count("apple", "audience_mismatch") == 101)
        #expect(after.series.count < 600)
    }

    /// Requests from all sides at once: every one is counted, once.
    @Test func nothingIsLostUnderLoad() async throws {
        let rounds = ProcessInfo.processInfo.environment["POSTERN_RACE_ROUNDS"].flatMap { Int($0) } ?? 20
        let service = try TestService()
        let good = try Self.good()
        let body = String(decoding: try JSONSerialization.data(withJSONObject: good), as: UTF8.self)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<8 {
                group.addTask {
                    for _ in 0..<(rounds * 5) {
                        _ = try await service.send("POST", "/v1/verify", body)
                        _ = try await service.send("POST", "/v1/verify", #"{"token":"x"}"#)
                    }
                }
            }
            try await group.waitForAll()
        }
        let page = try await Self.page(service)
        let each = Double(8 * rounds * 5)
        #expect(page.sum("postern_verdicts_total", ["verdict": "accepted"]) == each)
        #expect(page.sum("postern_verdicts_total", ["code": "token_malformed"]) == each)
        #expect(page.sum("postern_verification_duration_seconds_count") == 2 * each)
        #expect(page.sum("postern_http_requests_total", ["status": "200"]) == 2 * each)
    }

    /// Families of other rooms stand on the same page.
    @Test func collectorsAreAsked() async throws {
        let metrics = ServiceMetrics()
        metrics.add { $0.value(MetricFamily("one", .gauge, "One."), 1) }
        metrics.add { $0.value(MetricFamily("two", .gauge, "Two."), 2) }
        let nonces = try IssuedNonces(capacity: 1)
        let service = try Service(
            providers: [try TestService.apple(nonces: nonces)], nonces: nonces,
            listeners: [ListenerRules(doors: [.operations])], metrics: metrics)
        let request = ReceivedRequest(method: "GET", path: "/metrics", peer: TestService.peer)
        let page = try Exposition(String(decoding: await service.respond(to: request).body, as: UTF8.self))
        #expect(page.sum("one") == 1 && page.sum("two") == 2)
    }
}
