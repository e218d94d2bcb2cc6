/// Who calls, as far as limits are concerned.
package enum Caller: Sendable, Hashable {
    /// The holder of the API key at this place.
    case key(Int)
    /// The processes of a user of this machine.
    case user(UInt32)
    /// All that came after the memory for callers was full.
    case others
}

/// Decides who has asked too often: a bucket of tokens for each caller, filled at a steady rate.
///
/// It has no clock. Of callers it remembers a bounded number; all further ones share a bucket.
package struct CallerLimiter: Sendable {
    package struct Rate: Sendable, Equatable {
        package static let range: ClosedRange<Int64> = 1...1_000_000

        package let perSecond: Int64
        package let burst: Int64

        /// nil when one of the numbers is out of range.
        package init?(perSecond: Int64, burst: Int64) {
            guard Self.range.contains(perSecond), Self.range.contains(burst) else { return nil }
            self.perSecond = perSecond
            self.burst = burst
        }
    }

    package enum Admission: Sendable, Equatable {
        case admitted
        /// Seconds until there is a token again, at least 1.
        case refused(retryAfter: Int64)
    }

    /// Millionths of a request. Below zero after a request that counted for many.
    private struct Bucket {
        var level: Int64
        var filledAt: Int64

        func filled(_ rate: Rate, at now: Int64) -> Bucket {
            let full = rate.burst * CallerLimiter.unit
            let span = min(max(now - filledAt, 0), CallerLimiter.longestSpan)
            return Bucket(level: min(full, level + span * rate.perSecond), filledAt: max(now, filledAt))
        }

        mutating func take(_ rate: Rate, at now: Int64) -> Admission {
            self = filled(rate, at: now)
            guard level >= CallerLimiter.unit else {
                let missing = CallerLimiter.unit - level
                let perSecond = rate.perSecond * CallerLimiter.unit
                return .refused(retryAfter: max(1, (missing + perSecond - 1) / perSecond))
            }
            level -= CallerLimiter.unit
            return .admitted
        }
    }

    private static let unit: Int64 = 1_000_000
    /// Spans longer than a month count as a month, so that nothing overflows.
    private static let longestSpan: Int64 = 30 * 86_400 * 1_000_000

    private let rate: Rate
    private let capacity: Int
    private var buckets: [Caller: Bucket] = [:]

    package init(_ rate: Rate, capacity: Int = 4096) {
        self.rate = rate
        self.capacity = max(capacity, 1)
    }

    package var count: Int { buckets.count }

    /// Takes one token of the caller at `now`, the time since any fixed moment.
    package mutating func admit(_ caller: Caller, at now: Duration) -> Admission {
        let now = Self.microseconds(now)
        if let place = buckets.index(forKey: caller) {
            // The usual case, with one look at the table.
            return buckets.values[place].take(rate, at: now)
        }
        var (caller, bucket) = find(caller, at: now)
        defer { buckets[caller] = bucket }
        return bucket.take(rate, at: now)
    }

    /// Takes `count` more tokens for a request that was admitted and turned out to hold many; there may be a debt
    /// afterwards.
    package mutating func charge(_ caller: Caller, _ count: Int, at now: Duration) {
        let now = Self.microseconds(now)
        let (caller, found) = find(caller, at: now)
        var bucket = found
        bucket.level -= Int64(clamping: min(max(count, 0), 1_000_000)) * Self.unit
        bucket.level = max(bucket.level, -rate.burst * Self.unit - 1_000_000 * Self.unit)
        buckets[caller] = bucket
    }

    /// The bucket of the caller, filled up to now: its own while there is room, that of all others afterwards.
    private mutating func find(_ caller: Caller, at now: Int64) -> (Caller, Bucket) {
        if let bucket = buckets[caller] { return (caller, bucket.filled(rate, at: now)) }
        let full = Bucket(level: rate.burst * Self.unit, filledAt: now)
        if buckets.count >= capacity {
            // A bucket that is full again is as good as none.
            buckets = buckets.filter { $0.value.filled(rate, at: now).level < full.level }
        }
        guard buckets.count >= capacity else { return (caller, full) }
        return (.others, buckets[.others]?.filled(rate, at: now) ?? full)
    }

    private static func microseconds(_ time: Duration) -> Int64 {
        let (seconds, attoseconds) = time.components
        return min(max(seconds, 0), 1 << 40) * 1_000_000 + attoseconds / 1_000_000_000_000
    }
}
