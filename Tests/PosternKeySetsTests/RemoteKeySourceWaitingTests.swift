import PosternBase
import PosternHTTP
import PosternJOSE
import PosternKeySets
import PosternTestSupport
import PosternTokens
import Testing

/// Who waits, how long, and what happens to those who leave.
@Suite struct RemoteKeySourceWaitingTests {
    @Test func theOldSetServesAfterTwoSeconds() async throws {
        let bench = try Bench(.ok(TestSet.rsa("one")))
        let token = try TestSet.token()
        await bench.source.warm()
        let gate = Gate()
        bench.client.set { _ in
            await gate.pass()
            return .down
        }
        bench.clock.advance(by: .seconds(3600))
        await withTaskGroup(of: String.self) { group in
            for _ in 0..<20 { group.addTask { await bench.outcome(token) } }
            await until { bench.source.waiterCount == 20 }
            bench.clock.advance(by: .milliseconds(1999))
            #expect(bench.source.waiterCount == 20)
            bench.clock.advance(by: .milliseconds(1))
            for await outcome in group { #expect(outcome == "accepted") }
        }
        #expect(await bench.outcome(token) == "accepted")
        #expect(bench.source.status.isFetching)
        #expect(bench.fetches == 2)
        gate.open()
        await bench.reported { $0 == .servingStale }
        #expect(bench.events.count { $0 == .servingStale } == 1)
    }

    @Test func afterADayWithoutTheIssuerItIsAFault() async throws {
        let bench = try Bench(.ok(TestSet.rsa("one")))
        let token = try TestSet.token()
        await bench.source.warm()
        bench.client.set(.down)
        bench.clock.advance(by: .seconds(3600 + 86_400 - 1))
        #expect(await bench.outcome(token) == "accepted")
        bench.clock.advance(by: .seconds(1))
        #expect(bench.source.current() == nil)
        #expect(await bench.outcome(token) == "keys_unavailable")
        #expect(bench.source.status.freshness == .expired)
    }

    /// A client that never answers holds nobody for ever: not the verification, and not the next flight.
    @Test func aClientThatHangsIsGivenUp() async throws {
        let gate = Gate()
        let bench = try Bench(.down)
        bench.client.set { _ in
            await gate.pass()
            return .down
        }
        async let outcome = bench.outcome(TestSet.token())
        await until { bench.source.waiterCount == 1 }
        bench.clock.advance(by: .seconds(6))
        #expect(try await outcome == "keys_unavailable")
        bench.clock.advance(by: .seconds(9))
        await until { bench.failures == ["timed_out"] }
        bench.client.set(.ok(try TestSet.rsa("one")))
        bench.clock.advance(by: .seconds(15))
        #expect(await bench.outcome(try TestSet.token()) == "accepted")
        // What the first one brings at last is not looked at.
        gate.open()
        #expect(bench.failures == ["timed_out"])
    }

    @Test func whoLeavesCancelsNobody() async throws {
        let bench = try Bench(.down)
        let gate = Gate()
        let good = ScriptedClient.Answer.ok(try TestSet.rsa("one"))
        let cancelled = Lock(false)
        bench.client.set { _ in
            await gate.pass()
            cancelled.withLock { $0 = Task.isCancelled }
            return good
        }
        let token = try TestSet.token()
        let first = Task { await bench.outcome(token) }
        await until { bench.source.waiterCount == 1 }
        let second = Task { await bench.outcome(token) }
        await until { bench.source.waiterCount == 2 }
        first.cancel()
        #expect(await first.value == "keys_unavailable")
        await until { bench.source.waiterCount == 1 }
        gate.open()
        #expect(await second.value == "accepted")
        #expect(!cancelled.withLock { $0 })
        #expect(bench.fetches == 1)
    }

    @Test func aTaskThatIsCancelledAlreadyDoesNotWait() async throws {
        let bench = try Bench(.down)
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return await bench.outcome(try TestSet.token())
        }
        #expect(try await task.value == "keys_unavailable")
        #expect(bench.source.waiterCount == 0)
        #expect(bench.fetches == 0)
    }

    /// The flight ends with its source.
    @Test func theEndOfTheSourceEndsItsFlight() async throws {
        let ended = Lock(false)
        let started = Lock(false)
        let clock = ManualClock()
        let client = ScriptedClient { _ in
            started.withLock { $0 = true }
            while !Task.isCancelled { await Task.yield() }
            ended.withLock { $0 = true }
            return .down
        }
        var source: RemoteKeySource? = try RemoteKeySource(
            .apple(audiences: [Audience("a", nonce: .hashed)]),
            client: client,
            clock: clock.source
        )
        let waiter = Task { [source] in _ = try? await source?.keySet(missing: nil) }
        await until { started.withLock { $0 } }
        waiter.cancel()
        await waiter.value
        source = nil
        await until { ended.withLock { $0 } }
    }
}

/// Many at once, with everything happening between.
@Suite struct RemoteKeySourceRaceTests {
    @Test(arguments: 0..<20)
    func waitersLeaveWhileFlightsLand(_ round: Int) async throws {
        let bench = try Bench(.ok(TestSet.rsa("one")))
        await withTaskGroup(of: Void.self) { group in
            for index in 0..<40 {
                group.addTask {
                    let task = Task { try? await bench.source.keySet(missing: "one") }
                    if index % 2 == 0 { task.cancel() }
                    let keys = await task.value
                    // Who stays gets keys; who leaves may be late.
                    #expect(index % 2 == 0 || keys != nil)
                }
            }
            group.addTask { for _ in 0..<10 { bench.clock.advance(by: .milliseconds(1)) } }
        }
        #expect(bench.source.waiterCount == 0)
        #expect(bench.fetches == 1)
    }

    /// Readers on every thread see a whole set, the old or the new one, while it is replaced again and again.
    @Test func readersAlwaysSeeAWholeSet() async throws {
        let bench = try Bench(.ok(TestSet.rsa("one", "two")))
        await bench.source.warm()
        let turn = Lock(0)
        let sets = try [TestSet.rsa("one", "two"), TestSet.rsa("one", "two", "three")]
        bench.client.set { _ in
            .ok(
                sets[
                    turn.withLock { turn in
                        turn += 1
                        return turn % 2
                    }])
        }
        let isOver = Lock(false)
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<2 {
                group.addTask {
                    while !isOver.withLock({ $0 }) {
                        if let keys = bench.source.current() { #expect([2, 3].contains(keys.usable.count)) }
                        await Task.yield()
                    }
                }
            }
            for round in 1...50 {
                bench.clock.advance(by: .seconds(3000))
                await until { bench.events.count { $0 == .fetched } == round + 1 }
            }
            isOver.withLock { $0 = true }
        }
        #expect(bench.fetches == 51)
    }

    /// Ends come in every order: of the source, of its waiters, of its flight.
    @Test func sourcesEndInTheMiddleOfEverything() async throws {
        let good = ScriptedClient.Answer.ok(try TestSet.rsa("one"))
        await withTaskGroup(of: Void.self) { group in
            for round in 0..<200 {
                group.addTask {
                    let clock = ManualClock()
                    let client = ScriptedClient { _ in
                        for _ in 0..<round % 7 { await Task.yield() }
                        return good
                    }
                    let source = try? RemoteKeySource(
                        .apple(audiences: [Audience("a", nonce: .hashed)]),
                        client: client,
                        clock: clock.source
                    )
                    let waiter = Task { [source] in try? await source?.keySet(missing: nil) }
                    for _ in 0..<round % 5 { await Task.yield() }
                    clock.advance(by: .seconds(Int64(round % 3) * 5))
                    waiter.cancel()
                    _ = await waiter.value
                }
            }
        }
    }
}
