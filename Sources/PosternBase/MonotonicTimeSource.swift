internal import Glibc

/// Where the time that only runs forward comes from, and waiting on it, so that every rule about spans of time can be tested
/// without waiting.
package struct MonotonicTimeSource: Sendable {
    private let read: @Sendable () -> Duration
    private let wait: @Sendable (Duration) async -> Void

    /// A source that answers what `now` gives, and waits as `sleepUntil` does.
    ///
    /// - Parameters:
    ///   - now: the time since some fixed moment; it never decreases.
    ///   - sleepUntil: returns once that time has come, or soon after the task was cancelled.
    package init(
        now: @escaping @Sendable () -> Duration,
        sleepUntil: @escaping @Sendable (Duration) async -> Void
    ) {
        read = now
        wait = sleepUntil
    }

    /// The time since the machine was started, with the time that it was suspended (`CLOCK_BOOTTIME`): a step of the wall
    /// clock does not change it, and keys do not stay fresh while a machine sleeps.
    package static let system = MonotonicTimeSource(now: bootTime) { end in
        // The sleep may be counted on another clock and end early.
        while !Task.isCancelled {
            let left = end - bootTime()
            guard left > .zero else { return }
            try? await Task.sleep(for: left)
        }
    }

    @Sendable private static func bootTime() -> Duration {
        var time = timespec()
        clock_gettime(CLOCK_BOOTTIME, &time)
        return Duration(
            secondsComponent: Int64(time.tv_sec),
            attosecondsComponent: Int64(time.tv_nsec) * 1_000_000_000
        )
    }

    /// The time since the source's fixed moment.
    package func now() -> Duration { read() }

    /// Waits until `end` has come, or the task is cancelled.
    package func sleep(until end: Duration) async { await wait(end) }
}
