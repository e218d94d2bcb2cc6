import Glibc

/// Two ways to do the same work, measured in turn so that both meet the same machine.
struct Measurement {
    let name: String
    let ours: () throws -> Void
    let limit: () throws -> Void

    /// Work items per second of this thread's CPU time, over about `seconds`.
    private func rate(_ work: () throws -> Void, seconds: Double) throws -> Double {
        let start = Self.cpuTime()
        var count = 0
        while true {
            for _ in 0..<64 { try work() }
            count += 64
            let elapsed = Self.cpuTime() - start
            if elapsed >= seconds { return Double(count) / elapsed }
        }
    }

    /// Prints a line of medians: `verify RS256  ours 54100/s  limit 58600/s  ratio 0.92 (0.90-0.94)`.
    func run(rounds: Int, seconds: Double = 0.5) throws {
        _ = try rate(ours, seconds: 0.1)
        _ = try rate(limit, seconds: 0.1)
        var oursRates: [Double] = []
        var limitRates: [Double] = []
        for round in 0..<max(rounds, 1) {
            // Who goes first changes, so that a warm cache or a rising clock favours nobody.
            if round.isMultiple(of: 2) {
                oursRates.append(try rate(ours, seconds: seconds))
                limitRates.append(try rate(limit, seconds: seconds))
            } else {
                limitRates.append(try rate(limit, seconds: seconds))
                oursRates.append(try rate(ours, seconds: seconds))
            }
        }
        let ratios = zip(oursRates, limitRates).map { $0 / $1 }.sorted()
        let range = "\(Self.fixed(ratios[0]))-\(Self.fixed(ratios[ratios.count - 1]))"
        print(
            "\(name)  ours \(Self.whole(oursRates))/s  limit \(Self.whole(limitRates))/s  "
                + "ratio \(Self.fixed(ratios[ratios.count / 2])) (\(range))"
        )
    }

    private static func whole(_ rates: [Double]) -> Int { Int(rates.sorted()[rates.count / 2]) }

    private static func fixed(_ value: Double) -> String {
        let hundredths = Int((value * 100).rounded())
        return "\(hundredths / 100).\(hundredths % 100 < 10 ? "0" : "")\(hundredths % 100)"
    }

    private static func cpuTime() -> Double {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }
}
