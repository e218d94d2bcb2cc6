/// How many issued nonces have not expired yet: never too few, and in bounded memory, so that some are counted for a hundredth
/// of a lifetime too long.
struct IssuedCount {
    private struct Bucket {
        /// No nonce in it expires later.
        let end: Int64
        var count: Int
    }

    /// Expiries so close together are counted as one.
    private static let parts: Int64 = 100
    /// More than one lifetime fills, for clocks that are set.
    static let bucketCount = 256

    private let width: Int64
    /// In the order of their ends.
    private var buckets: [Bucket] = []
    private(set) var total = 0

    /// `lifetime`: seconds from issue to expiry.
    init(lifetime: Int64) { width = max(1, lifetime / Self.parts) }

    mutating func add(expiresAt: Int64) {
        let end = roundedUp(expiresAt)
        // Nearly always among the last: time goes on.
        var place = buckets.count
        while place > 0, buckets[place - 1].end > end { place -= 1 }
        if place > 0, buckets[place - 1].end == end {
            buckets[place - 1].count += 1
        } else {
            buckets.insert(Bucket(end: end, count: 1), at: place)
        }
        total += 1
        if buckets.count > Self.bucketCount {
            buckets[1].count += buckets[0].count
            buckets.removeFirst()
        }
    }

    mutating func forgetExpired(now: Int64) {
        guard let first = buckets.first, first.end <= now else { return }
        let alive = buckets.firstIndex { $0.end > now } ?? buckets.count
        for bucket in buckets[..<alive] { total -= bucket.count }
        buckets.removeFirst(alive)
    }

    private func roundedUp(_ time: Int64) -> Int64 {
        let rest = time % width
        guard rest > 0 else { return time }
        let (sum, isTooLate) = time.addingReportingOverflow(width - rest)
        return isTooLate ? .max : sum
    }
}
