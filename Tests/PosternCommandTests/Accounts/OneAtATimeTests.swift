import PosternBase
import Testing

@testable import PosternCommand

@Suite struct OneAtATimeTests {
    private struct State {
        var wanted = 0
        var inHand = 0
        var taken = 0
        var runs = 0
    }

    /// Of many that want it nobody is beside another, and what was last wanted is what is taken over last.
    @Test func manyAtOnce() async {
        let work = OneAtATime()
        let state = Lock(State())
        for round in 0..<200 {
            await withTaskGroup { group in
                for _ in 0..<8 {
                    group.addTask {
                        state.withLock { $0.wanted += 1 }
                        await work.run { await Self.takeOver(state) }
                    }
                }
            }
            let now = state.withLock { $0 }
            #expect(now.taken == now.wanted && now.inHand == 0, "round \(round): \(now)")
        }
        let runs = state.withLock { $0.runs }
        #expect((200...1_600).contains(runs))
    }

    /// Reads first and takes over last, with others between.
    private static func takeOver(_ state: Lock<State>) async {
        let read = state.withLock { state in
            state.inHand += 1
            state.runs += 1
            #expect(state.inHand == 1)
            return state.wanted
        }
        for _ in 0..<3 { await Task.yield() }
        state.withLock { state in
            state.taken = read
            state.inHand -= 1
        }
    }

    /// Whoever comes while it is in hand does not wait for it.
    @Test func itIsDoneOnceMore() async {
        let work = OneAtATime()
        let runs = Lock(0)
        await work.run {
            let number = runs.withLock { runs in
                runs += 1
                return runs
            }
            guard number == 1 else { return }
            for _ in 0..<3 { await work.run { Issue.record("beside another") } }
        }
        #expect(runs.withLock { $0 } == 2)
    }
}
