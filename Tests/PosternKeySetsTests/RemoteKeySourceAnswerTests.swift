import PosternBase
import PosternHTTP
import PosternJOSE
import PosternKeySets
import PosternTestSupport
import Testing

/// Answers of a key server, good and bad.
@Suite struct RemoteKeySourceAnswerTests {
    /// Whatever comes in the place of a set: the good one serves on, and the reason is reported.
    @Test(
        arguments: [
            (.status(500), "bad_status"), (.status(204), "bad_status"), (.status(404), "bad_status"),
            (.status(206, "{\"keys\":[]}"), "bad_status"), (.status(201, "{\"keys\":[]}"), "bad_status"),
            (.status(304), "bad_status"), (.status(100), "bad_status"),
            (.status(301, "", ["Location: https://id.example.com/"]), "redirected"),
            (.status(302, "", ["Location: http://127.0.0.1/"]), "redirected"), (.status(307), "redirected"),
            (.status(300), "redirected"),
            (.ok("{\"keys\":[]}"), "no_usable_key"), (.ok("{\"keys\":[null,1,\"x\",{}]}"), "no_usable_key"),
            (.ok("{\"keys\":[{\"kty\":\"oct\",\"k\":\"AAAA\"}]}"), "no_usable_key"),
            (.ok("<!doctype html><html><body>Please log in</body></html>", "Content-Type: text/html"), "not_a_key_set"),
            (.ok(""), "not_a_key_set"), (.ok("{}"), "not_a_key_set"), (.ok("{\"keys\":null}"), "not_a_key_set"),
            (.ok("[]"), "not_a_key_set"), (.ok("{\"keys\":[}"), "not_a_key_set"),
            (.ok("{\"keys\":[],\"keys\":[]}"), "not_a_key_set"), (.ok("\u{FEFF}{\"keys\":[]}"), "not_a_key_set"),
            (.ok(String(repeating: "[", count: 100_000)), "not_a_key_set"),
            (.ok(String(repeating: " ", count: 262_145)), "too_large"),
            (.ok(String(repeating: " ", count: 262_144)), "not_a_key_set"),
            (.failure(HTTP.ClientError(.timedOut, "slow")), "timed_out"),
            (.failure(HTTP.ClientError(.notConnected, "closed")), "not_connected"),
            (.failure(HTTP.ClientError(.notTrusted, "expired")), "not_trusted"),
            (.failure(HTTP.ClientError(.tooLarge, "large")), "too_large"),
            (.failure(HTTP.ClientError(.malformed, "cut")), "malformed"),
            (.failure(HTTP.ClientError(.urlRefused, "no")), "url_refused"),
            (.failure(HTTP.ClientError(.cancelled, "gone")), "cancelled"),
            (.failure(HTTP.ClientError(.failed, "no memory")), "failed"),
        ] as [(ScriptedClient.Answer, String)])
    func aGoodSetIsNeverReplacedByAnUnusableOne(_ bad: ScriptedClient.Answer, _ code: String) async throws {
        let bench = try Bench(.ok(TestSet.rsa("one")))
        let token = try TestSet.token()
        await bench.source.warm()
        bench.client.set(bad)
        bench.clock.advance(by: .seconds(3600))
        #expect(await bench.outcome(token) == "accepted")
        #expect(await bench.reportedFailures() == [code])
        await bench.reported { $0 == .servingStale }
        #expect(bench.source.status.lastFailure?.code.rawValue == code)
        #expect(bench.source.status.freshness == .stale)
        // At hand again: nobody waits while the failure is recent.
        #expect(bench.source.current() != nil)
        bench.client.set(.ok(try TestSet.rsa("one")))
        bench.clock.advance(by: .seconds(30))
        #expect(await bench.outcome(token) == "accepted")
        await until { bench.source.status.freshness == .fresh }
        #expect(bench.source.status.lastFailure == nil)
    }

    /// A member that cannot be used hides none that can.
    @Test func oneBadMemberNeverHidesAGoodOne() async throws {
        let good = try TestSet.member("one")
        let bad = [
            "null", "17", "\"key\"", "[]", "{}", "{\"kty\":\"AKP\",\"kid\":\"x\"}", "{\"kty\":1}", "{\"kty\":null}",
            "{\"kty\":\"RSA\",\"n\":null,\"e\":\"AQAB\"}", "{\"kty\":\"RSA\",\"kid\":5,\"n\":\"AQAB\",\"e\":\"AQAB\"}",
            "{\"kty\":\"oct\",\"kid\":\"o\",\"k\":\"AAAA\"}",
            try TestSet.member("encryption", also: [("use", .string("enc"))]),
            try TestSet.member("leak", TestKeys.otherRSA, also: [("d", .string("AAAA"))]), good,
        ]
        for position in 0...bad.count {
            var members = bad
            members.insert(good, at: position)
            let bench = try Bench(.ok(TestSet.set(members)))
            #expect(await bench.outcome(try TestSet.token()) == "accepted")
            let status = bench.source.status
            #expect(status.usableKeys.map(\.keyID) == ["one"])
            #expect(status.skippedMembers.count == bad.count)
            #expect(status.skippedMembers.count { $0.reason.isAlarming } == 2)
        }
    }

    @Test func keysBeyondTheSixtyFourthAreSkipped() async throws {
        let names = (1...65).map { "key-\($0)" }
        let members = try names.map { try TestSet.member($0, TestKeys.p256, algorithm: "ES256") }
        let bench = try Bench(.ok(TestSet.set(members)))
        await bench.source.warm()
        #expect(bench.source.status.usableKeys.count == 64)
        #expect(bench.source.status.skippedMembers.map(\.keyID) == ["key-65"])
        #expect(bench.source.status.skippedMembers.map(\.reason) == [.tooMany])
    }

    /// Apple's answers have forbidden keeping before; the shortest time to live is the least that is kept.
    @Test(
        arguments: [
            (["Cache-Control: max-age=600"], 600), (["Cache-Control: no-store"], 300), ([], 3600),
            (["Cache-Control: public", "Cache-Control: max-age=999999999"], 86_400),
        ] as [([String], Int64)])
    func theAnswerSaysForHowLong(_ fields: [String], _ seconds: Int64) async throws {
        let bench = try Bench(.status(200, TestSet.rsa("one"), fields))
        await bench.source.warm()
        #expect(bench.source.status.freshFor == seconds)
        let next = try #require(bench.source.status.nextRefresh)
        #expect(abs(next - seconds * 4 / 5) <= 1)
    }

    @Test func theNextQuestionCarriesTheEntityTag() async throws {
        let bench = try Bench(.ok(TestSet.rsa("one"), "ETag: \"v1\"", "Cache-Control: max-age=600"))
        let token = try TestSet.token()
        await bench.source.warm()
        let keys = try #require(bench.source.current())
        bench.client.set(.status(304, "", ["Cache-Control: max-age=900"]))
        bench.clock.advance(by: .seconds(600))
        #expect(await bench.outcome(token) == "accepted")
        #expect(bench.client.requests.map { $0.fields.single("If-None-Match") } == [nil, "\"v1\""])
        await bench.reported { $0 == .notModified }
        #expect(bench.source.status.freshFor == 900)
        #expect(bench.source.current()?.usable.first === keys.usable.first)
    }

    /// What is no entity tag is not carried around, so a 304 can only be a mistake or an attack.
    @Test(arguments: [
        [], ["ETag: v1"], ["ETag: \"a\"", "ETag: \"b\""], ["ETag: \""], ["ETag: \"a\"b\""], ["ETag: w/\"a\""],
        ["ETag: \"a b\""], ["ETag: \"" + String(repeating: "x", count: 255) + "\""],
    ])
    func aConfirmationThatNobodyAskedForIsAFailure(_ fields: [String]) async throws {
        let bench = try Bench(.status(200, TestSet.rsa("one"), fields))
        await bench.source.warm()
        bench.client.set(.status(304))
        bench.clock.advance(by: .seconds(3600))
        #expect(await bench.outcome(try TestSet.token()) == "accepted")
        #expect(bench.client.requests.last?.fields.single("If-None-Match") == nil)
        #expect(await bench.reportedFailures() == ["bad_status"])
    }

    /// Checking keys costs milliseconds: what has been checked is not checked again.
    @Test func unchangedKeysAreReused() async throws {
        let bench = try Bench(.ok(TestSet.rsa("one")))
        await bench.source.warm()
        let first = try #require(bench.source.current()?.usable.first)
        bench.clock.advance(by: .seconds(3600))
        #expect(await bench.outcome(try TestSet.token()) == "accepted")
        #expect(bench.source.current()?.usable.first === first)
        await until { bench.events.count { $0 == .fetched } == 2 }
        #expect(bench.events.count { $0 == .replaced(usable: 1, skipped: []) } == 1)
        bench.client.set(.ok(TestSet.set([try TestSet.member("two", TestKeys.otherRSA), try TestSet.member("one")])))
        #expect(await bench.outcome(try TestSet.token("two", TestKeys.otherRSA)) == "accepted")
        #expect(bench.source.current()?.usable.last === first)
    }
}
