import Glibc

/// Two ways to do the same work, measured in turn so that both meet the same machine.
struct Measurement {
    let name: String
    let ours: () throws -> Void
    let limit: () throws -> Void

    /// How often something was done in how much CPU time of this thread.
    private struct Tally {
        var count = 0
        var seconds = 0.0

        var rate: Double { Double(count) / seconds }

        mutating func add(_ work: () throws -> Void, for duration: Double) throws {
            let start = Measurement.cpuTime()
            var elapsed = 0.0
            while elapsed < duration {
                for _ in 0..<64 { try work() }
                count += 64
                elapsed = Measurement.cpuTime() - start
            }
            seconds += elapsed
        }
    }

    /// Prints a line of medians: `verify RS256  ours 54100/s  limit 58600/s  ratio 0.92 (0.90-0.94)`.
    func run(rounds: Int, slices: Int = 25) throws {
        var oursRates: [Double] = []
        var limitRates: [Double] = []
        // One round more than is counted, to warm up.
        for round in 0...max(rounds, 1) {
            var (ourTally, limitTally) = (Tally(), Tally())
            // Short slices in turn: what else the machine does meets both.
            for _ in 0..<slices {
                try ourTally.add(ours, for: 0.02)
                try limitTally.add(limit, for: 0.02)
            }
            guard round > 0 else { continue }
            oursRates.append(ourTally.rate)
            limitRates.append(limitTally.rate)
        }
        let ratios = zip(oursRates, limitRates).map { $0 / $1 }.sorted()
        let range = "\(Self.fixed(ratios[0]))-\(Self.fixed(ratios[ratios.count - 1]))"
        print(
            "\(name)  ours \(Self.whole(oursRates))/s  limit \(Self.whole(limitRates))/s  "
                + "ratio \(Self.fixed(ratios[ratios.count / 2])) (\(range))"
        )
    }

    private static func whole(_ rates: [Double]) -> Int { Int(rates.sorted()[rates.count / 2]) }

    static func fixed(_ value: Double) -> String {
        guard value.isFinite else { return "\(value)" }
        let hundredths = Int((value * 100).rounded())
        return "\(hundredths / 100).\(hundredths % 100 < 10 ? "0" : "")\(hundredths % 100)"
    }

    static func cpuTime() -> Double {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }
}
