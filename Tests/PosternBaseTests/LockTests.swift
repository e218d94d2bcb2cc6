import Dispatch
import PosternBase
import Testing

@Suite struct LockTests {
    private struct State {
        var count = 0
        var isInside = false
        var wasShared = false
    }

    @Test func givesBackWhatTheBodyReturns() {
        let lock = Lock(["one"])
        lock.withLock { $0.append("two") }
        #expect(lock.withLock { $0.count } == 2)
        #expect(lock.withLock { $0 } == ["one", "two"])
    }

    /// Reading and writing in two steps loses counts unless nobody else is let in between.
    @Test func countsOfManyThreads() {
        let lock = Lock(State())
        DispatchQueue.concurrentPerform(iterations: 8) { _ in
            for _ in 0..<20_000 {
                lock.withLock { state in
                    if state.isInside { state.wasShared = true }
                    state.isInside = true
                    let seen = state.count
                    state.count = seen + 1
                    state.isInside = false
                }
            }
        }
        #expect(lock.withLock { $0.count } == 160_000)
        #expect(lock.withLock { !$0.wasShared })
    }
}
