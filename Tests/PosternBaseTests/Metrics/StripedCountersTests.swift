import Foundation
import PosternBase
import Testing

@Suite struct StripedCountersTests {
    @Test func placesAreApart() {
        for count in [1, 15, 16, 17, 200] {
            let counters = StripedCounters(count: count)
            for place in 0..<count { counters.add(UInt64(place), at: place) }
            for place in 0..<count { #expect(counters[place] == UInt64(place)) }
        }
    }

    /// A place that there is not changes none that there is.
    @Test(arguments: [-1, 4, 16, Int.max, Int.min])
    func otherPlacesCountNothing(place: Int) {
        let counters = StripedCounters(count: 4)
        counters.add(at: place)
        #expect(counters[place] == 0)
        #expect((0..<4).allSatisfy { counters[$0] == 0 })
    }

    @Test func noneAtAll() {
        let counters = StripedCounters(count: -3)
        counters.add(at: 0)
        #expect(counters.count == 0 && counters[0] == 0)
    }

    /// Past the end it begins again, as counters of Prometheus may, and does not end the process.
    @Test func itWrapsAround() {
        let counters = StripedCounters(count: 1)
        counters.add(.max, at: 0)
        counters.add(2, at: 0)
        #expect(counters[0] == 1)
    }

    /// One and its time in a step are the same as each alone, and half of them is never counted.
    @Test func aCountWithItsTime() {
        let counters = StripedCounters(count: 2 + DurationHistogram.width)
        counters.add(at: 1, observing: 30_000, in: 2)
        counters.add(at: 0, observing: 11_000_000_000, in: 2)
        let histogram = DurationHistogram(counters, at: 2)
        #expect(counters[0] == 1 && counters[1] == 1)
        #expect(histogram.cumulative.prefix(2) == [0, 1] && histogram.cumulative.last == 2)
        #expect(histogram.totalNanoseconds == 11_000_030_000)
        for (place, first) in [(0, 3), (0, -1), (-1, 2), (2 + DurationHistogram.width, 2), (0, Int.max), (0, Int.min)] {
            counters.add(at: place, observing: 1, in: first)
        }
        let all: [UInt64] = (0..<counters.count).map { counters[$0] }
        #expect(all.reduce(0, &+) == 11_000_030_004)
    }

    /// Threads that add at once lose nothing.
    @Test func threadsAtOnce() {
        let rounds = ProcessInfo.processInfo.environment["POSTERN_RACE_ROUNDS"].flatMap { Int($0) } ?? 20
        let counters = StripedCounters(count: 3)
        let relaxed = RelaxedCounter()
        DispatchQueue.concurrentPerform(iterations: 32) { number in
            for _ in 0..<(rounds * 500) {
                counters.add(at: 0)
                counters.add(UInt64(number), at: 1)
                relaxed.add(number.isMultiple(of: 2) ? 1 : -1)
            }
        }
        #expect(counters[0] == UInt64(32 * rounds * 500))
        #expect(counters[1] == UInt64((0..<32).reduce(0, +) * rounds * 500))
        #expect(counters[2] == 0)
        #expect(relaxed.value == 0)
    }
}
