internal import Glibc

/// How often something took how long, among other counts: a place for each bound, one for what is beyond all, one for the sum.
package struct DurationHistogram: Sendable {
    /// An upper bound in nanoseconds, and the same in seconds as it is written.
    package struct Bound: Sendable {
        package let nanoseconds: UInt64
        package let seconds: String

        init(_ nanoseconds: UInt64, _ seconds: String) {
            self.nanoseconds = nanoseconds
            self.seconds = seconds
        }
    }

    /// From a little less than a signature takes to longer than anybody is let wait.
    package static let bounds = [
        Bound(25_000, "0.000025"), Bound(50_000, "0.00005"), Bound(75_000, "0.000075"), Bound(100_000, "0.0001"),
        Bound(150_000, "0.00015"), Bound(250_000, "0.00025"), Bound(500_000, "0.0005"), Bound(1_000_000, "0.001"),
        Bound(2_500_000, "0.0025"), Bound(5_000_000, "0.005"), Bound(10_000_000, "0.01"), Bound(25_000_000, "0.025"),
        Bound(100_000_000, "0.1"), Bound(500_000_000, "0.5"), Bound(2_500_000_000, "2.5"),
        Bound(10_000_000_000, "10"),
    ]
    /// The same once more, where they are read without a look at whether they have been made. A test compares them.
    private static let limits: InlineArray<16, UInt64> = [
        25_000, 50_000, 75_000, 100_000, 150_000, 250_000, 500_000, 1_000_000, 2_500_000, 5_000_000, 10_000_000,
        25_000_000,
        100_000_000, 500_000_000, 2_500_000_000, 10_000_000_000,
    ]
    private static let boundCount = 16
    /// Places that one takes.
    package static let width = boundCount + 2

    private let counters: StripedCounters
    private let first: Int

    /// At `first` and the places behind it.
    package init(_ counters: StripedCounters, at first: Int) {
        self.counters = counters
        self.first = first
    }

    /// The place of the least bound that it is not above, or of what is beyond all.
    static func bucket(of nanoseconds: UInt64) -> Int {
        var place = 0
        while place < boundCount, nanoseconds > limits[place] { place &+= 1 }
        return place
    }

    package func observe(nanoseconds: UInt64) {
        counters.add(at: first &+ Self.bucket(of: nanoseconds))
        counters.add(nanoseconds, at: first &+ Self.boundCount &+ 1)
    }

    /// How many took at most as long as each bound, and last how many there were.
    package var cumulative: [UInt64] {
        var sum: UInt64 = 0
        return (0...Self.bounds.count).map { place in
            sum &+= counters[first + place]
            return sum
        }
    }

    package var totalNanoseconds: UInt64 { counters[first + Self.bounds.count + 1] }
}

/// Time that only runs forward, as cheap as it is to be had: for measuring how long something took.
package enum Stopwatch {
    /// Nanoseconds since some fixed moment (`CLOCK_MONOTONIC`).
    package static func now() -> UInt64 {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return UInt64(bitPattern: Int64(time.tv_sec)) &* 1_000_000_000 &+ UInt64(bitPattern: Int64(time.tv_nsec))
    }
}
