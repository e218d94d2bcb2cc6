import CLinux
import Glibc
import PosternBase
import PosternLoop
import Testing

@Suite struct EventLoopTests {
    private func withLoop(_ body: (EventLoop) async throws -> Void) async throws {
        let loop = try EventLoop(name: "test")
        try loop.start()
        defer {
            loop.stop()
            loop.join()
        }
        try await body(loop)
    }

    /// Runs on the loop's thread and waits for that.
    private func on<Value: Sendable>(_ loop: EventLoop, _ work: @escaping @Sendable () -> Value) async -> Value {
        await withCheckedContinuation { continuation in
            loop.submit { continuation.resume(returning: work()) }
        }
    }

    @Test func tasksThatPreferTheLoopRunOnItsThread() async throws {
        try await withLoop { loop in
            let task = Task(executorPreference: loop) {
                var places = [loop.isCurrent]
                await Task.yield()
                places.append(loop.isCurrent)
                try? await Task.sleep(for: .milliseconds(1))
                places.append(loop.isCurrent)
                return places
            }
            #expect(await task.value == [true, true, true])
            #expect(!loop.isCurrent)
        }
    }

    /// Linux before 6.12 knows no turns of a thread's own, and tells none.
    @Test func turnsAreShort() async throws {
        try await withLoop { loop in
            let turn = await on(loop) {
                var scheduling = postern_scheduling()
                return postern_get_scheduling(&scheduling) == 0 ? scheduling.runtime : nil
            }
            var here = postern_scheduling()
            #expect(postern_get_scheduling(&here) == 0)
            #expect(turn == (here.runtime == 0 ? 0 : 100_000))
        }
    }

    /// What does not suspend has ended when `Task.immediate` returns.
    @Test func immediateTasksRunInside() async throws {
        try await withLoop { loop in
            let order = await on(loop) {
                let order = Lock<[Int]>([])
                Task.immediate(executorPreference: loop) {
                    order.withLock { $0.append(1) }
                    await Task.yield()
                    order.withLock { $0.append(3) }
                }
                order.withLock { $0.append(2) }
                return order
            }
            // The job that the task left behind was there before this one.
            _ = await Task(executorPreference: loop) { await Task.yield() }.value
            #expect(order.withLock { $0 } == [1, 2, 3])
        }
    }

    @Test func workFromManyThreadsIsDoneOnce() async throws {
        try await withLoop { loop in
            let count = Lock(0)
            await withTaskGroup(of: Void.self) { group in
                for number in 0..<2_000 {
                    group.addTask {
                        if number % 2 == 0 {
                            await Task(executorPreference: loop) { count.withLock { $0 += 1 } }.value
                        } else {
                            await on(loop) { count.withLock { $0 += 1 } }
                        }
                    }
                }
            }
            #expect(count.withLock { $0 } == 2_000)
        }
    }

    /// A task is not left behind by a loop that has ended.
    @Test func tasksOutliveTheLoop() async throws {
        let loop = try EventLoop(name: "test")
        try loop.start()
        let (stream, continuation) = AsyncStream.makeStream(of: Void.self)
        let task = Task(executorPreference: loop) {
            for await _ in stream {}
            return loop.isCurrent
        }
        loop.stop()
        loop.join()
        continuation.finish()
        #expect(await task.value == false)
        #expect(!loop.submit {})
        loop.stop()
        loop.join()
    }

    @Test func endingIsPossibleFromInside() async throws {
        let loop = try EventLoop(name: "test")
        try loop.start()
        await on(loop) {
            loop.stop()
            loop.join()
        }
    }

    @Test func deadlinesComeInTheirOrder() async throws {
        try await withLoop { loop in
            let order = await withCheckedContinuation { (continuation: CheckedContinuation<[Int], Never>) in
                loop.submit {
                    let log = Log(5) { continuation.resume(returning: $0) }
                    for (number, delay) in [(3, 30), (1, 10), (4, 40), (2, 20)] {
                        _ = Alarm(loop, number, log, after: .milliseconds(delay))
                    }
                    // Put off, brought forward, taken back.
                    let moved = Alarm(loop, 5, log, after: .milliseconds(5))
                    moved.set(.milliseconds(60))
                    moved.set(.milliseconds(50))
                    let dropped = Alarm(loop, 6, log, after: .milliseconds(1))
                    dropped.remove()
                    Alarm(loop, 7, log, after: .milliseconds(1)).setNever()
                }
            }
            #expect(order == [1, 2, 3, 4, 5])
        }
    }

    @Test func timesDoNotOverflow() {
        let start = LoopTime(milliseconds: 5)
        #expect(start.advanced(by: .milliseconds(3)) == LoopTime(milliseconds: 8))
        #expect(start.advanced(by: .microseconds(1)) == LoopTime(milliseconds: 6))
        #expect(start.advanced(by: .seconds(-1)) == start)
        #expect(start.advanced(by: .seconds(Int64.max)) == .never)
        #expect(LoopTime(milliseconds: .max - 1).advanced(by: .seconds(1)) == .never)
    }

    @Test func descriptorsAreWatchedUntilTheyAreTakenOut() async throws {
        var ends: [Int32] = [0, 0]
        #expect(pipe(&ends) == 0)
        let (reading, writing) = (ends[0], ends[1])
        defer {
            close(reading)
            close(writing)
        }
        try await withLoop { loop in
            let log = Lock<[LoopEvents]>([])
            let events = await withCheckedContinuation { (continuation: CheckedContinuation<LoopEvents, Never>) in
                loop.submit {
                    let watcher = Watcher { watcher, events in
                        log.withLock { $0.append(events) }
                        if let token = watcher.token { loop.remove(token) }
                        continuation.resume(returning: events)
                    }
                    watcher.token = try? loop.add(reading, .readable, watcher)
                    _ = write(writing, "x", 1)
                }
            }
            #expect(events == .readable)
            // There is still something to read, and nobody is told.
            for _ in 0..<5 { await on(loop) {} }
            #expect(log.withLock { $0.count } == 1)
            let isRefused = await on(loop) { (try? loop.add(-5 + 100_000, .readable, Watcher { _, _ in })) == nil }
            #expect(isRefused)
        }
    }

    @Test func aTurnMayBeAskedFor() async throws {
        try await withLoop { loop in
            let turns = await withCheckedContinuation { (continuation: CheckedContinuation<Int, Never>) in
                loop.submit {
                    let count = Lock(0)
                    let watcher = Watcher { watcher, events in
                        let number = count.withLock {
                            $0 += 1; return $0
                        }
                        guard let token = watcher.token, events.isEmpty else { return }
                        if number < 3 { loop.again(token) } else { continuation.resume(returning: number) }
                    }
                    watcher.token = try? loop.add(nil, [], watcher)
                    if let token = watcher.token { loop.again(token) }
                }
            }
            #expect(turns == 3)
        }
    }
}

/// Collects numbers and says when there are enough.
private final class Log {
    private var numbers: [Int] = []
    private let wanted: Int
    private let finish: ([Int]) -> Void

    init(_ wanted: Int, _ finish: @escaping ([Int]) -> Void) {
        self.wanted = wanted
        self.finish = finish
    }

    func add(_ number: Int) {
        numbers.append(number)
        if numbers.count == wanted { finish(numbers) }
    }
}

private final class Alarm: LoopSource {
    private let loop: EventLoop
    private let number: Int
    private let log: Log
    private var token: LoopToken?

    init(_ loop: EventLoop, _ number: Int, _ log: Log, after delay: Duration) {
        self.loop = loop
        self.number = number
        self.log = log
        token = try? loop.add(nil, [], self)
        set(delay)
    }

    func set(_ delay: Duration) { if let token { loop.setDeadline(token, loop.now.advanced(by: delay)) } }
    func setNever() { if let token { loop.setDeadline(token, .never) } }
    func remove() { if let token { loop.remove(token) } }
    func ready(_ events: LoopEvents) {}
    func timeIsUp() { log.add(number) }
}

private final class Watcher: LoopSource {
    var token: LoopToken?
    private let call: (Watcher, LoopEvents) -> Void

    init(_ call: @escaping (Watcher, LoopEvents) -> Void) { self.call = call }

    func ready(_ events: LoopEvents) { call(self, events) }
    func timeIsUp() {}
}
