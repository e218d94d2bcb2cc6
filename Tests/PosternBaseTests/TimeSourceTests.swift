import Foundation
import PosternBase
import Testing

@Suite struct TimeSourceTests {
    @Test(arguments: [0, -5, 1_790_000_000, .max, .min] as [Int64])
    func fixed(_ second: Int64) {
        #expect(TimeSource.fixed(second).now() == second)
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
