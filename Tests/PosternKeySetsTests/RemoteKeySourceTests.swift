import PosternBase
import PosternHTTP
import PosternJOSE
import PosternKeySets
import PosternTestSupport
import PosternTokens
import Testing

@Suite struct RemoteKeySourceTests {
    @Test func nothingIsFetchedBeforeItIsNeeded() throws {
        let bench = try Bench(.ok(TestSet.rsa("one")))
        #expect(bench.source.current() == nil)
        #expect(bench.fetches == 0)
        #expect(bench.source.status.freshness == .none)
    }

    @Test func fiftyVerificationsAreOneFetch() async throws {
        let bench = try Bench(.ok(TestSet.rsa("one")))
        let token = try TestSet.token()
        for _ in 0..<50 { #expect(await bench.outcome(token) == "accepted") }
        #expect(bench.fetches == 1)
        let request = try #require(bench.client.requests.first)
        #expect(request.url == Bench.keysURL)
        #expect(request.method == .get)
        #expect(request.fields.lines.map(\.name) == ["Accept"])
        await bench.reported { $0 == .replaced(usable: 1, skipped: []) }
        #expect(bench.events == [.fetched, .replaced(usable: 1, skipped: [])])
    }

    @Test func aColdStartThatFailsIsAFaultAndPasses() async throws {
        let bench = try Bench(.status(500))
        let token = try TestSet.token()
        #expect(await bench.outcome(token) == "keys_unavailable")
        bench.client.set(.ok(try TestSet.rsa("one")))
        // Within the cooldown nobody asks and nobody waits.
        #expect(await bench.outcome(token) == "keys_unavailable")
        #expect(bench.fetches == 1)
        bench.clock.advance(by: .seconds(30))
        #expect(await bench.outcome(token) == "accepted")
        #expect(bench.fetches == 2)
        #expect(await bench.reportedFailures() == ["bad_status"])
    }

    /// The background tries again by itself, so that the next verification need not.
    @Test func aFailureIsRepairedInTheBackground() async throws {
        let bench = try Bench(.down)
        #expect(await bench.outcome(try TestSet.token()) == "keys_unavailable")
        bench.client.set(.ok(try TestSet.rsa("one")))
        bench.clock.advance(by: .seconds(30))
        await until { bench.source.current() != nil }
        #expect(bench.fetches == 2)
    }

    @Test func theFaultSaysWhereAndWhy() async throws {
        let bench = try Bench(.down)
        do throws(VerificationFault) {
            _ = try await bench.source.keySet(missing: nil)
            Issue.record("there are no keys")
        } catch {
            #expect(error.code == .keysUnavailable)
            #expect(error.message.contains("apple") && error.message.contains(Bench.keysURL))
            #expect(error.message.contains("(not_connected): the port is closed"))
        }
    }

    @Test func aNewKeyIsFetchedOnceForAHundredTokens() async throws {
        let bench = try Bench(.ok(TestSet.rsa("one")))
        await bench.source.warm()
        let gate = Gate()
        let both = ScriptedClient.Answer.ok(try TestSet.rsa("one", "two"))
        bench.client.set { _ in
            await gate.pass()
            return both
        }
        let token = try TestSet.token("two")
        let old = try TestSet.token("one")
        await withTaskGroup(of: String.self) { group in
            for _ in 0..<100 { group.addTask { await bench.outcome(token) } }
            await until { bench.source.waiterCount == 100 }
            // Nobody whose key is known waits for it.
            #expect(await bench.outcome(old) == "accepted")
            gate.open()
            for await outcome in group { #expect(outcome == "accepted") }
        }
        #expect(bench.fetches == 2)
    }

    @Test func aThousandUnknownNamesAreOneFetch() async throws {
        let bench = try Bench(.ok(TestSet.rsa("one")))
        await bench.source.warm()
        let good = try TestSet.token("one")
        let bad = (0..<1000).map { TestSet.forged(good, keyID: "random-\($0)") }
        await withTaskGroup(of: String.self) { group in
            for token in bad { group.addTask { await bench.outcome(token) } }
            for _ in 0..<100 { #expect(await bench.outcome(good) == "accepted") }
            for await outcome in group { #expect(outcome == "key_not_found") }
        }
        #expect(bench.fetches == 2)
        #expect(bench.source.waiterCount == 0)
        for token in bad.prefix(10) { #expect(await bench.outcome(token) == "key_not_found") }
        #expect(bench.fetches == 2)
        await bench.reported { $0 == .unknownKeyNotFetched }
        bench.clock.advance(by: .seconds(30))
        #expect(await bench.outcome(bad[0]) == "key_not_found")
        #expect(bench.fetches == 3)
    }

    @Test func aBadSignatureUnderAKnownNameFetchesNothing() async throws {
        let bench = try Bench(.ok(TestSet.rsa("one")))
        await bench.source.warm()
        for _ in 0..<20 {
            #expect(await bench.outcome(try TestSet.token("one", TestKeys.otherRSA)) == "signature_invalid")
        }
        #expect(bench.fetches == 1)
    }

    @Test func aNameOfASkippedMemberFetchesNothing() async throws {
        let weak = "{\"kty\":\"RSA\",\"kid\":\"two\",\"n\":\"AQAB\",\"e\":\"AQAB\"}"
        let bench = try Bench(.ok(TestSet.set([TestSet.member("one"), weak])))
        await bench.source.warm()
        #expect(await bench.outcome(try TestSet.token("two")) == "key_unusable")
        bench.clock.advance(by: .seconds(3600))
        #expect(await bench.outcome(try TestSet.token("two")) == "key_unusable")
        #expect(bench.fetches == 2)
    }

    @Test func aWithdrawnKeyIsRefusedAfterTheRefresh() async throws {
        let bench = try Bench(.ok(TestSet.rsa("one", "two")))
        let token = try TestSet.token("one")
        #expect(await bench.outcome(token) == "accepted")
        bench.client.set(.ok(try TestSet.rsa("two")))
        bench.clock.advance(by: .seconds(3000))
        await until { bench.events.count { $0 == .replaced(usable: 1, skipped: []) } == 1 }
        #expect(await bench.outcome(token) == "key_not_found")
        #expect(await bench.outcome(try TestSet.token("two")) == "accepted")
    }

    @Test func newMaterialUnderAnOldNameComesWithTheRefresh() async throws {
        let bench = try Bench(.ok(TestSet.rsa("one")))
        let new = try TestSet.token("one", TestKeys.otherRSA)
        #expect(await bench.outcome(new) == "signature_invalid")
        bench.client.set(.ok(TestSet.set([try TestSet.member("one", TestKeys.otherRSA)])))
        bench.clock.advance(by: .seconds(3600))
        #expect(await bench.outcome(new) == "accepted")
        #expect(await bench.outcome(try TestSet.token("one")) == "signature_invalid")
        #expect(bench.fetches == 2)
    }

    @Test func theWallClockMayJumpAsItLikes() async throws {
        let wall = Lock(Bench.second)
        let bench = try Bench(.ok(TestSet.rsa("one")), wall: TimeSource { wall.withLock { $0 } })
        await bench.source.warm()
        bench.client.set(.down)
        for jump in [Bench.second + 86_400 * 365, 0, Bench.second] as [Int64] {
            wall.withLock { $0 = jump }
            #expect(bench.source.current() != nil)
            #expect(bench.source.status.freshFor == 3600)
        }
        // Neither does a wall clock that stands keep keys alive.
        bench.clock.advance(by: .seconds(3600))
        #expect(bench.source.current() == nil)
        #expect(bench.fetches <= 2)
    }
}
