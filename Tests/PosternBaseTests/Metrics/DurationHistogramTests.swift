import Foundation
import PosternBase
import Testing

@Suite struct DurationHistogramTests {
    private static func histogram() -> DurationHistogram {
        DurationHistogram(StripedCounters(count: DurationHistogram.width + 5), at: 5)
    }

    @Test func boundsAreSortedAndSaidRight() {
        let bounds = DurationHistogram.bounds
        #expect(zip(bounds, bounds.dropFirst()).allSatisfy { $0.nanoseconds < $1.nanoseconds })
        for bound in bounds {
            #expect(Double(bound.seconds).map { ($0 * 1e9).rounded() } == Double(bound.nanoseconds))
        }
    }

    /// A bound is part of what it bounds; one more is not.
    @Test func bothSidesOfEachBound() {
        for (place, bound) in DurationHistogram.bounds.enumerated() {
            let histogram = Self.histogram()
            histogram.observe(nanoseconds: bound.nanoseconds)
            #expect(histogram.cumulative.firstIndex(of: 1) == place)
            histogram.observe(nanoseconds: bound.nanoseconds + 1)
            #expect(histogram.cumulative.firstIndex(of: 2) == place + 1)
            #expect(histogram.totalNanoseconds == 2 * bound.nanoseconds + 1)
        }
    }

    @Test func theEnds() {
        let histogram = Self.histogram()
        histogram.observe(nanoseconds: 0)
        histogram.observe(nanoseconds: 1 << 62)
        #expect(histogram.cumulative.first == 1)
        #expect(histogram.cumulative.dropLast().last == 1)
        #expect(histogram.cumulative.last == 2)
    }

    @Test func whatManyThreadsObserveAddsUp() {
        let counters = StripedCounters(count: 2 * DurationHistogram.width)
        let (one, other) = (
            DurationHistogram(counters, at: 0), DurationHistogram(counters, at: DurationHistogram.width)
        )
        DispatchQueue.concurrentPerform(iterations: 16) { thread in
            for number in 0..<1000 { one.observe(nanoseconds: UInt64(thread * 1_000_000 + number)) }
        }
        let counts = one.cumulative
        #expect(counts.last == 16_000)
        #expect(zip(counts, counts.dropFirst()).allSatisfy { $0 <= $1 })
        // 1,000 times 0 to 15 ms, and 0 to 999 ns each.
        #expect(one.totalNanoseconds == 120_000_000_000 + 16 * 499_500)
        // Its neighbour has none of it.
        #expect(other.cumulative.last == 0 && other.totalNanoseconds == 0)
    }

    @Test func timeRunsForward() {
        let first = Stopwatch.now()
        #expect(Stopwatch.now() >= first && first > 0)
    }
}
