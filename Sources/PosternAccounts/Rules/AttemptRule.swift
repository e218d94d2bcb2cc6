/// How often somebody may try, as a bucket of tries that fills again with time; without clock or store.
package struct AttemptRule: Sendable, Equatable {
    /// Tries in a row.
    package let burst: Int64
    /// Seconds until one of them is back.
    package let refill: Int64

    /// The greatest number of either, so that no product overflows.
    package static let greatest: Int64 = 1_000_000

    package init(burst: Int64, refill: Int64) {
        self.burst = min(max(burst, 1), Self.greatest)
        self.refill = min(max(refill, 1), Self.greatest)
    }

    package enum Decision: Sendable, Equatable {
        case allowed(AttemptCount)
        /// The next try is at hand after so many seconds. The count is to be kept where there is one: the clock was set back, and it
        /// would stand still until the clock is where it was.
        case refused(retryAfter: Int64, AttemptCount?)
    }

    /// Takes a try.
    package func take(_ count: AttemptCount?, name: [UInt8], now: Int64) -> Decision {
        let taken = remaining(count, now: now)
        guard taken + 1_000 <= burst * 1_000 else {
            let missing = taken + 1_000 - burst * 1_000
            let isAhead = count.map { now < $0.countedAt } ?? false
            return .refused(
                retryAfter: max(1, (missing * refill + 999) / 1_000),
                isAhead ? self.count(name, taken: taken, now: now) : nil)
        }
        return .allowed(self.count(name, taken: taken + 1_000, now: now))
    }

    /// Gives a try back that was for nothing.
    package func giveBack(_ count: AttemptCount, now: Int64) -> AttemptCount {
        self.count(count.name, taken: max(remaining(count, now: now) - 1_000, 0), now: now)
    }

    private func count(_ name: [UInt8], taken: Int64, now: Int64) -> AttemptCount {
        AttemptCount(name: name, taken: taken, countedAt: now, expiresAt: now + (taken * refill + 999) / 1_000)
    }

    /// Thousandths that are still taken. A clock that was set back gives none of them back.
    private func remaining(_ count: AttemptCount?, now: Int64) -> Int64 {
        guard let count else { return 0 }
        let back = max(now - count.countedAt, 0).multipliedReportingOverflow(by: 1_000)
        guard !back.overflow else { return 0 }
        return min(max(count.taken - back.partialValue / refill, 0), burst * 1_000)
    }
}
