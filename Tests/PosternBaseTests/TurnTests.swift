import PosternBase
import PosternTestSupport
import Synchronization
import Testing

@Suite struct TurnTests {
    private final class Counter: @unchecked Sendable {
        let turn = Turn()
        let refused = Atomic(0)
        // Touched by whoever has the turn.
        var count = 0
    }

    @Test func oneAtATime() {
        let turn = Turn()
        let taken = [turn.take(), turn.take()]
        turn.giveBack()
        let again = turn.take()
        #expect(taken == [true, false])
        #expect(again)
    }

    /// Reading and writing in two steps loses counts unless nobody else has the turn, and what one wrote the next one sees.
    @Test func countsOfManyThreads() {
        let counter = Counter()
        onManyThreads(24) { _ in
            for _ in 0..<5_000 {
                guard counter.turn.take() else {
                    counter.refused.add(1, ordering: .relaxed)
                    continue
                }
                let seen = counter.count
                counter.count = seen + 1
                counter.turn.giveBack()
            }
        }
        #expect(counter.count + counter.refused.load(ordering: .relaxed) == 24 * 5_000)
        let isFree = counter.turn.take()
        #expect(isFree)
    }

    @Test(arguments: ["", "a", "caf\u{E9}", "https://appleid.apple.com"])
    func aFixedTextHasTheBytesOfTheText(_ text: String) {
        let fixed = FixedText(text)
        #expect(Array(fixed.bytes) == Array(text.utf8))
        fixed.free()
    }
}
