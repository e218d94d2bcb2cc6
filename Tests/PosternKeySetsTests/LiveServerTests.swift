import Foundation
import PosternBase
import PosternKeySets
import PosternTestSupport
import PosternTokens
import Testing

/// The whole way from a token to the issuer's server and back, over TLS, with the server counting.
@Suite struct LiveServerTests {
    @Test func coldStartWithAFailureFirst() async throws {
        let bench = try LiveBench("/live/cold")
        try await bench.server.set(
            bench.path, .answer(500, body: "down"), .answer(body: try TestSet.rsa("one")))
        let token = try bench.token("one")
        #expect(await bench.outcome(token) == "keys_unavailable")
        #expect(await bench.reportedFailures() == ["bad_status"])
        // Nobody asks again inside the cooldown.
        #expect(await bench.outcome(token) == "keys_unavailable")
        #expect(try await bench.requests() == 1)
        bench.clock.advance(by: .seconds(30))
        #expect(await bench.outcome(token) == "accepted")
        #expect(try await bench.requests() == 2)
    }

    @Test func fiftyVerificationsAreOneRequest() async throws {
        let bench = try LiveBench("/live/fifty")
        try await bench.server.set(bench.path, .answer(body: try TestSet.rsa("one")))
        for _ in 0..<50 { #expect(await bench.outcome(try bench.token("one")) == "accepted") }
        #expect(try await bench.requests() == 1)
    }

    @Test func aHundredTokensUnderANewNameAreOneRequest() async throws {
        let bench = try LiveBench("/live/hundred")
        try await bench.server.set(
            bench.path, .answer(body: try TestSet.rsa("one")), .answer(body: try TestSet.rsa("one", "two")))
        #expect(await bench.outcome(try bench.token("one")) == "accepted")
        let token = try bench.token("two")
        let outcomes = await withTaskGroup(of: String.self) { group in
            for _ in 0..<100 { group.addTask { await bench.outcome(token) } }
            return await group.reduce(into: [:]) { $0[$1, default: 0] += 1 }
        }
        #expect(outcomes == ["accepted": 100])
        #expect(try await bench.requests() == 2)
    }

    @Test func aThousandUnknownNamesAreOneRequest() async throws {
        let bench = try LiveBench("/live/thousand")
        try await bench.server.set(bench.path, .answer(body: try TestSet.rsa("one")))
        let good = try bench.token("one")
        #expect(await bench.outcome(good) == "accepted")
        for number in 0..<1000 {
            #expect(await bench.outcome(TestSet.forged(good, keyID: "unknown-\(number)")) == "key_not_found")
            if number % 100 == 0 { #expect(await bench.outcome(good) == "accepted") }
        }
        #expect(try await bench.requests() == 2)
    }

    /// What a server may do wrong, and the reason that is reported; a good set serves on through all of it.
    private static let badAnswers: [(name: String, answer: TestAnswer, code: String)] = [
        ("empty", .answer(body: "{\"keys\":[]}"), "no_usable_key"),
        ("html", .answer(body: "<html>down for maintenance</html>"), "not_a_key_set"),
        ("truncated", .raw("HTTP/1.1 200 OK\r\nContent-Length: 999\r\n\r\n{\"keys\":["), "malformed"),
        (
            "endless",
            .steps(
                .send(Data("HTTP/1.1 200 OK\r\nContent-Length: 99999999999\r\n\r\n".utf8)),
                .repeat(Data(repeating: 0x20, count: 4096), every: 0)
            ), "too_large"
        ),
        ("redirect", .answer(302, [("Location", "https://127.0.0.1:1/elsewhere")]), "redirected"),
        ("500", .answer(500), "bad_status"), ("204", .answer(204), "bad_status"),
        ("304 unasked", .raw("HTTP/1.1 304 Not Modified\r\n\r\n"), "bad_status"),
        ("bomb", .bomb(50_000_000, isNamed: true), "malformed"),
        ("hidden bomb", .bomb(50_000_000, isNamed: false), "not_a_key_set"),
        (
            "two lengths",
            .raw("HTTP/1.1 200 OK\r\nContent-Length: 11\r\nContent-Length: 12\r\n\r\n{\"keys\":[]}x"), "malformed"
        ),
    ]

    @Test(arguments: badAnswers.indices)
    func aGoodSetServesOn(_ index: Int) async throws {
        let bad = Self.badAnswers[index]
        let bench = try LiveBench("/live/bad/\(index)")
        try await bench.server.set(bench.path, .answer(body: try TestSet.rsa("one")), bad.answer)
        try await expectServingOn(bench, bad.code)
    }

    /// The connection itself is bad: the client gives up, and the set serves on.
    @Test(arguments: [
        ("wrong-name", "not_trusted"), ("self-signed", "not_trusted"), ("expired", "not_trusted"),
    ])
    func aGoodSetServesOnBehindABadCertificate(_ listener: String, _ code: String) async throws {
        let bench = try LiveBench("/live/certificate/\(listener)")
        try await bench.server.set(bench.path, .answer(body: try TestSet.rsa("one")))
        #expect(await bench.outcome(try bench.token("one")) == "accepted")
        bench.listener.withLock { $0 = listener }
        try await expectServingOn(bench, code, isWarm: true)
        #expect(try await bench.requests() == 1)
    }

    @Test func aGoodSetServesOnThroughADrip() async throws {
        // The first answer must come within this time too, on a machine where other suites run.
        let bench = try LiveBench("/live/drip", patience: .seconds(20))
        let head = "HTTP/1.1 200 OK\r\nContent-Length: 2000\r\n\r\n"
        try await bench.server.set(
            bench.path, .answer(body: try TestSet.rsa("one")),
            .steps(.send(Data(head.utf8)), .repeat(Data(" ".utf8), every: 1))
        )
        #expect(await bench.outcome(try bench.token("one")) == "accepted")
        bench.clock.advance(by: .seconds(3600))
        let waiting = Task { await bench.outcome(try bench.token("one")) }
        #expect(try await bench.server.wait(bench.path, requests: 2))
        // The verification waits no longer than its 2 s; the server drips on.
        bench.clock.advance(by: .seconds(2))
        #expect(try await waiting.value == "accepted")
        await until { bench.failures == ["timed_out"] }
    }

    private func expectServingOn(_ bench: LiveBench, _ code: String, isWarm: Bool = false) async throws {
        let token = try bench.token("one")
        if !isWarm { #expect(await bench.outcome(token) == "accepted") }
        bench.clock.advance(by: .seconds(3600))
        #expect(await bench.outcome(token) == "accepted")
        #expect(await bench.reportedFailures() == [code])
        #expect(bench.source.status.lastFailure?.code.rawValue == code)
        #expect(bench.source.status.freshness == .stale)
        #expect(await bench.outcome(token) == "accepted")
    }

    @Test func redirectTargetsAreNeverContacted() async throws {
        let bench = try LiveBench("/live/redirect")
        let target = try await bench.server.listen("good")
        try await bench.server.set(
            bench.path, .answer(301, [("Location", bench.server.url("/live/elsewhere", on: target))]))
        #expect(await bench.outcome(try bench.token("one")) == "keys_unavailable")
        #expect(await bench.reportedFailures() == ["redirected"])
        #expect(try await bench.server.contacts(target.name) == 0)
    }

    @Test func aWithdrawnKeyIsRefusedAfterTheRefresh() async throws {
        let bench = try LiveBench("/live/withdrawn")
        try await bench.server.set(
            bench.path, .answer(body: try TestSet.rsa("one", "two")), .answer(body: try TestSet.rsa("two")))
        let token = try bench.token("one")
        #expect(await bench.outcome(token) == "accepted")
        bench.clock.advance(by: .seconds(3600))
        #expect(await bench.outcome(token) == "key_not_found")
        #expect(await bench.outcome(try bench.token("two")) == "accepted")
    }

    @Test func theSameNameWithANewKey() async throws {
        let bench = try LiveBench("/live/replaced")
        let other = TestSet.set([try TestSet.member("one", TestKeys.otherRSA)])
        try await bench.server.set(bench.path, .answer(body: try TestSet.rsa("one")), .answer(body: other))
        let renewed = try bench.token("one", TestKeys.otherRSA)
        #expect(await bench.outcome(try bench.token("one")) == "accepted")
        // A bad signature under a known name fetches nothing.
        #expect(await bench.outcome(renewed) == "signature_invalid")
        #expect(try await bench.requests() == 1)
        bench.clock.advance(by: .seconds(3600))
        #expect(await bench.outcome(renewed) == "accepted")
        #expect(await bench.outcome(try bench.token("one")) == "signature_invalid")
    }

    @Test func anUnchangedSetIsNotSentAgain() async throws {
        let bench = try LiveBench("/live/etag")
        let answer = TestAnswer.answer(
            200, [("Cache-Control", "max-age=600")], body: try TestSet.rsa("one"), etag: "\"1\"")
        try await bench.server.set(bench.path, answer)
        #expect(await bench.outcome(try bench.token("one")) == "accepted")
        bench.clock.advance(by: .seconds(600))
        #expect(await bench.outcome(try bench.token("one")) == "accepted")
        await until { bench.events.contains(.notModified) }
        #expect(try await bench.server.requests(bench.path).last?.values("If-None-Match") == ["\"1\""])
    }

    @Test func aRestartDuringAnOutageVerifiesFromDisk() async throws {
        let folder = try TemporaryFolder()
        let first = try LiveBench("/live/disk", folder: folder.path)
        try await first.server.set(first.path, .answer(body: try TestSet.rsa("one")), .answer(503))
        #expect(await first.outcome(try first.token("one")) == "accepted")
        // The copy is written after the answer.
        await until { (try? LiveBench("/live/disk", folder: folder.path).events) == [.loadedFromDisk(usable: 1)] }
        let second = try LiveBench("/live/disk", folder: folder.path)
        #expect(await second.outcome(try second.token("one")) == "accepted")
        #expect(second.events.contains(.loadedFromDisk(usable: 1)))
    }
}
