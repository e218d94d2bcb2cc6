import PosternAccounts
import PosternBase
import Testing

@Suite struct AttemptRuleTests {
    private static let name: [UInt8] = [1]
    private static let last: Int64 = 1 << 40

    private struct Bucket {
        let rule: AttemptRule
        var count: AttemptCount?

        init(burst: Int64, refill: Int64) { rule = AttemptRule(burst: burst, refill: refill) }

        /// nil when it was allowed, or how long to wait.
        mutating func take(at now: Int64) -> Int64? {
            switch rule.take(count, name: AttemptRuleTests.name, now: now) {
            case .allowed(let count):
                self.count = count
                return nil
            case .refused(let seconds, let moved):
                if let moved { count = moved }
                return seconds
            }
        }
    }

    @Test(arguments: [(1, 1), (1, 60), (3, 60), (10, 60), (100, 6), (7, 7)] as [(Int64, Int64)])
    func aBurstAndThenOneByOne(burst: Int64, refill: Int64) {
        var bucket = Bucket(burst: burst, refill: refill)
        for _ in 0..<burst { #expect(bucket.take(at: 1_000) == nil) }
        #expect(bucket.take(at: 1_000) == refill)
        #expect(bucket.count?.expiresAt == 1_000 + burst * refill)
        for turn in 1...5 {
            let now = 1_000 + Int64(turn) * refill
            // Counted in thousandths of a try, which may round a second up.
            if refill > 1 { #expect((1...2).contains(bucket.take(at: now - 1) ?? 0)) }
            #expect(bucket.take(at: now) == nil)
            #expect(bucket.take(at: now) == refill)
        }
    }

    @Test func allTriesComeBackAndNoMore() {
        var bucket = Bucket(burst: 3, refill: 10)
        for _ in 0..<3 { _ = bucket.take(at: 0) }
        for _ in 0..<3 { #expect(bucket.take(at: 1_000_000) == nil) }
        #expect(bucket.take(at: 1_000_000) == 10)
    }

    /// Who waits as long as was said gets a try, at any time and with any numbers.
    @Test(arguments: [1, 3, 7, 60, 999, 1_001, 1_000_000] as [Int64])
    func whatWasSaidIsTrue(refill: Int64) {
        var bucket = Bucket(burst: 2, refill: refill)
        var now: Int64 = 5_000
        for step: Int64 in [0, 0, 0, 1, 2, refill / 3, refill, 1, refill * 2, 0, 0] {
            now += step
            guard let wait = bucket.take(at: now) else { continue }
            #expect(wait >= 1)
            var later = bucket
            #expect(later.take(at: now + wait) == nil, "refill \(refill), \(now) + \(wait)")
        }
    }

    /// No try is gained by a clock that is set back, and nobody waits until it is where it was.
    @Test(arguments: [3_600, 1 << 39] as [Int64])
    func aClockThatIsSetBackGivesNothing(step: Int64) {
        var bucket = Bucket(burst: 2, refill: 60)
        let now = Self.last - 10
        _ = bucket.take(at: now)
        #expect(bucket.take(at: now) == nil)
        #expect(bucket.take(at: now - step) == 60)
        #expect((1...2).contains(bucket.take(at: now - step + 59) ?? 0))
        #expect(bucket.take(at: now - step + 60) == nil)
        #expect(bucket.take(at: now - step + 60) == 60)
        // One that was counted before the step stands.
        var other = Bucket(burst: 2, refill: 60)
        _ = other.take(at: now)
        #expect(other.take(at: now - step) == nil)
        #expect(other.take(at: now - step) == 60)
        #expect(other.take(at: now - step + 60) == nil)
    }

    @Test(
        arguments: [.min, -1, 0, 1, 1_000_000, 1_000_001, .max] as [Int64], [.min, 0, 1, 1_000_000, .max] as [Int64])
    func extremes(burst: Int64, refill: Int64) {
        for now in [0, Self.last] {
            var bucket = Bucket(burst: burst, refill: refill)
            #expect((1...AttemptRule.greatest).contains(bucket.rule.burst))
            #expect((1...AttemptRule.greatest).contains(bucket.rule.refill))
            #expect(bucket.take(at: now) == nil)
            bucket.count?.taken = bucket.rule.burst * 1_000
            #expect(bucket.take(at: now) == bucket.rule.refill)
            // A row that another burst has filled.
            bucket.count?.taken = .max
            #expect(bucket.take(at: now) == bucket.rule.refill)
            bucket.count?.taken = .min
            #expect(bucket.take(at: now) == nil)
        }
    }
}
