import Foundation
import PosternBase
import Synchronization
import Testing

/// Keeps work from ending until a test lets it.
private final class Gate: Sendable {
    private let semaphore = DispatchSemaphore(value: 0)

    func pass() { semaphore.wait() }
    func open(for count: Int) { for _ in 0..<count { semaphore.signal() } }
}

/// What many works count together.
private final class Counts: Sendable {
    let now = Atomic(0)
    let most = Atomic(0)
    let done = Atomic(0)

    func work() {
        most.max(now.add(1, ordering: .sequentiallyConsistent).newValue, ordering: .sequentiallyConsistent)
        done.add(1, ordering: .sequentiallyConsistent)
        now.subtract(1, ordering: .sequentiallyConsistent)
    }
}

@Suite(.timeLimit(.minutes(2))) struct WorkerPoolTests {
    private static func pool(threads: Int = 1, queue: Int = 1) -> WorkerPool {
        WorkerPool(name: "tests", threads: threads, queue: queue)
    }

    private func wait(for pool: WorkerPool, _ isReached: (WorkerPool.State) -> Bool) async {
        while !isReached(pool.state) { await Task.yield() }
    }

    private static func outcome<Value: Sendable>(
        _ pool: WorkerPool,
        _ work: @escaping @Sendable () -> Value
    ) async -> Result<Value, WorkerPoolRefusal> {
        do throws(WorkerPoolRefusal) { return .success(try await pool.run(work)) } catch { return .failure(error) }
    }

    @Test func threadsStartWithWorkAndNoMoreThanAreNeeded() async throws {
        let pool = Self.pool(threads: 4, queue: 4)
        #expect(pool.state == WorkerPool.State())
        #expect(try await pool.run { 7 } == 7)
        #expect(pool.state.threads == 1)
        // One that is idle takes the next.
        await wait(for: pool) { $0.busy == 0 }
        #expect(try await pool.run { "a" } == "a")
        #expect(pool.state.threads == 1)
        await pool.end()
        #expect(pool.state == WorkerPool.State())
    }

    @Test func threadsAreNicerAndHaveAName() async throws {
        let process = Int32(truncatingIfNeeded: PRIO_PROCESS.rawValue)
        // Whatever thread starts one, in this process all are alike.
        let own = getpriority(process, 0)
        let pool = WorkerPool(name: "a name that is too long", threads: 1, queue: 0, niceness: 3)
        let (niceness, name, blocked) = try await pool.run {
            var set = sigset_t()
            pthread_sigmask(SIG_BLOCK, nil, &set)
            let name = try? String(contentsOfFile: "/proc/thread-self/comm", encoding: .utf8)
            return (getpriority(process, 0), name, sigismember(&set, SIGTERM))
        }
        #expect(niceness == min(own + 3, 19))
        #expect(name == "a name that is \n")
        #expect(blocked == 1)
        #expect(getpriority(process, 0) == own)
    }

    @Test(arguments: [(1, 0), (1, 1), (2, 3), (3, 0)])
    func noMoreWaitsThanMay(threads: Int, queue: Int) async {
        let pool = Self.pool(threads: threads, queue: queue)
        let gate = Gate()
        await withTaskGroup(of: Result<Int, WorkerPoolRefusal>.self) { group in
            for number in 0..<threads + queue {
                group.addTask {
                    await Self.outcome(pool) {
                        gate.pass()
                        return number
                    }
                }
            }
            await wait(for: pool) { $0.busy == threads && $0.waiting == queue }
            for _ in 0..<3 { #expect(await Self.outcome(pool) { -1 } == .failure(.busy(retryAfterSeconds: 1))) }
            gate.open(for: threads + queue)
            var numbers: Set<Int> = []
            for await result in group { if case .success(let number) = result { numbers.insert(number) } }
            #expect(numbers == Set(0..<threads + queue))
        }
        #expect(await Self.outcome(pool) { -1 } == .success(-1))
        #expect(pool.state.threads <= threads)
    }

    @Test func whatIsCancelledWhileItWaitsIsNeverDone() async {
        let pool = Self.pool()
        let gate = Gate()
        let counts = Counts()
        async let first = Self.outcome(pool) { gate.pass() }
        await wait(for: pool) { $0.busy == 1 }
        let second = Task { await Self.outcome(pool) { counts.work() } }
        await wait(for: pool) { $0.waiting == 1 }
        second.cancel()
        guard case .failure(.cancelled) = await second.value else {
            Issue.record("not cancelled")
            return
        }
        // Its place is free at once.
        #expect(pool.state.waiting == 0)
        let third = Task { await Self.outcome(pool) { 3 } }
        await wait(for: pool) { $0.waiting == 1 }
        gate.open(for: 1)
        #expect(await third.value == .success(3))
        _ = await first
        #expect(counts.done.load(ordering: .sequentiallyConsistent) == 0)
    }

    @Test func whoIsCancelledDoesNotWaitForTheEnd() async {
        let pool = Self.pool()
        let gate = Gate()
        let task = Task {
            await Self.outcome(pool) {
                gate.pass()
                return 1
            }
        }
        await wait(for: pool) { $0.busy == 1 }
        task.cancel()
        #expect(await task.value == .failure(.cancelled))
        #expect(pool.state.busy == 1)
        gate.open(for: 1)
        #expect(await Self.outcome(pool) { 2 } == .success(2))
    }

    @Test func whoIsCancelledBeforeIsNotHeard() async {
        let pool = Self.pool()
        let task = Task {
            while !Task.isCancelled { await Task.yield() }
            return await Self.outcome(pool) { 1 }
        }
        task.cancel()
        #expect(await task.value == .failure(.cancelled))
        #expect(pool.state == WorkerPool.State())
    }

    @Test func theEndRefusesWhatWaitsAndFinishesWhatIsDone() async {
        let pool = Self.pool(threads: 1, queue: 2)
        let gate = Gate()
        let running = Task {
            await Self.outcome(pool) {
                gate.pass()
                return 1
            }
        }
        await wait(for: pool) { $0.busy == 1 }
        let waiting = (2...3).map { number in Task { await Self.outcome(pool) { number } } }
        await wait(for: pool) { $0.waiting == 2 }
        pool.close()
        for task in waiting { #expect(await task.value == .failure(.closed)) }
        #expect(await Self.outcome(pool) { 4 } == .failure(.closed))
        gate.open(for: 1)
        await pool.end()
        #expect(await running.value == .success(1))
        #expect(pool.state == WorkerPool.State())
        await pool.end()
    }

    @Test func threadsEndWithThePool() async throws {
        let name = "ends\(UInt32.random(in: .min ... .max))"
        func count() throws -> Int {
            try FileManager.default.contentsOfDirectory(atPath: "/proc/self/task").count {
                (try? String(contentsOfFile: "/proc/self/task/\($0)/comm", encoding: .utf8)) == "\(name)\n"
            }
        }
        do {
            let pool = WorkerPool(name: name, threads: 1, queue: 1)
            try await pool.run {}
            #expect(try count() == 1)
        }
        while try count() > 0 { await Task.yield() }
    }

    /// Work, cancellation and a bound that is reached all the time: every caller is told once, and never too much is done at once.
    @Test func manyAtOnce() async {
        let rounds = Int(ProcessInfo.processInfo.environment["POSTERN_RACE_ROUNDS"] ?? "") ?? 20
        for _ in 0..<rounds {
            let pool = Self.pool(threads: 3, queue: 5)
            let counts = Counts()
            await withTaskGroup(of: (told: Bool, done: Bool).self) { group in
                for number in 0..<200 {
                    group.addTask {
                        let task = Task {
                            await Self.outcome(pool) {
                                counts.work()
                                return number
                            }
                        }
                        if number.isMultiple(of: 3) { task.cancel() }
                        switch await task.value {
                        case .success(let value): return (value == number, true)
                        case .failure(.cancelled): return (number.isMultiple(of: 3), false)
                        case .failure(.busy): return (true, false)
                        case .failure(.closed): return (false, false)
                        }
                    }
                }
                var successes = 0
                for await result in group {
                    #expect(result.told)
                    successes += result.done ? 1 : 0
                }
                await pool.end()
                #expect(counts.done.load(ordering: .sequentiallyConsistent) >= successes)
                #expect(successes > 0)
            }
            #expect((1...3).contains(counts.most.load(ordering: .sequentiallyConsistent)))
            #expect(pool.state == WorkerPool.State())
        }
    }
}
