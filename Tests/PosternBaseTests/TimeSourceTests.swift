import Foundation
import PosternBase
import Testing

@Suite struct TimeSourceTests {
    /// A clock beyond all bounds is taken at the nearer end, so that nobody's sum overflows.
    @Test(
        arguments: [
            (0, 0), (-1, 0), (1_790_000_000, 1_790_000_000), (1 << 40, 1 << 40), ((1 << 40) + 1, 1 << 40),
            (.max, 1 << 40),
            (.min, 0),
        ] as [(Int64, Int64)])
    func fixed(_ second: Int64, _ now: Int64) {
        #expect(TimeSource.fixed(second).now() == now)
    }

    @Test func systemIsTheWallClock() {
        let before = Int64(Date().timeIntervalSince1970.rounded(.down))
        let now = TimeSource.system.now()
        let after = Int64(Date().timeIntervalSince1970.rounded(.up))
        // The kernel's coarse clock may be one tick behind.
        #expect(now >= before - 1 && now <= after)
    }

    @Test func asksEachTime() {
        let count = Lock(Int64(0))
        let source = TimeSource {
            count.withLock { count in
                count += 1
                return count
            }
        }
        #expect([source.now(), source.now(), source.now()] == [1, 2, 3])
    }
}
