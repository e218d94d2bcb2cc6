import Glibc
import PosternBase
import Testing

@Suite struct MonotonicTimeSourceTests {
    @Test func systemIsTheTimeSinceBoot() {
        func boot() -> Duration {
            var time = timespec()
            clock_gettime(CLOCK_BOOTTIME, &time)
            return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
        }
        let before = boot()
        let now = MonotonicTimeSource.system.now()
        #expect(now >= before && now <= boot())
    }

    @Test func neverGoesBack() {
        var last = MonotonicTimeSource.system.now()
        for _ in 0..<1000 {
            let now = MonotonicTimeSource.system.now()
            #expect(now >= last)
            last = now
        }
    }

    /// The wait ends when its time has come, and not before; a time that has passed is not waited for.
    @Test func sleepsUntilTheEnd() async {
        let source = MonotonicTimeSource.system
        let end = source.now() + .milliseconds(5)
        await source.sleep(until: end)
        #expect(source.now() >= end)
        await source.sleep(until: .zero)
    }

    @Test func aCancelledSleepReturns() async {
        let task = Task.detached { await MonotonicTimeSource.system.sleep(until: .seconds(1 << 40)) }
        task.cancel()
        await task.value
    }

    @Test func asksWhatItWasGiven() async {
        let asked = Lock<[Duration]>([])
        let source = MonotonicTimeSource(now: { .seconds(7) }, sleepUntil: { end in asked.withLock { $0.append(end) } })
        #expect(source.now() == .seconds(7))
        await source.sleep(until: .seconds(9))
        #expect(asked.withLock { $0 } == [.seconds(9)])
    }
}
