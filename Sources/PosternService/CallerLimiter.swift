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
        let (caller, found) = find(caller, at: now)
        var bucket = found
        defer { buckets[caller] = bucket }
        guard bucket.level >= Self.unit else {
            let missing = Self.unit - bucket.level
            let perSecond = rate.perSecond * Self.unit
            return .refused(retryAfter: max(1, (missing + perSecond - 1) / perSecond))
        }
        bucket.level -= Self.unit
        return .admitted
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
        if let bucket = buckets[caller] { return (caller, filled(bucket, at: now)) }
        let full = Bucket(level: rate.burst * Self.unit, filledAt: now)
        if buckets.count >= capacity {
            // A bucket that is full again is as good as none.
            buckets = buckets.filter { filled($0.value, at: now).level < full.level }
        }
        guard buckets.count >= capacity else { return (caller, full) }
        return (.others, buckets[.others].map { filled($0, at: now) } ?? full)
    }

    private func filled(_ bucket: Bucket, at now: Int64) -> Bucket {
        let full = rate.burst * Self.unit
        let span = min(max(now - bucket.filledAt, 0), Self.longestSpan)
        return Bucket(level: min(full, bucket.level + span * rate.perSecond), filledAt: max(now, bucket.filledAt))
    }

    private static func microseconds(_ time: Duration) -> Int64 {
        let (seconds, attoseconds) = time.components
        return min(max(seconds, 0), 1 << 40) * 1_000_000 + attoseconds / 1_000_000_000_000
    }
}
