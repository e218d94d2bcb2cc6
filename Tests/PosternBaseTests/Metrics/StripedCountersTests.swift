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
