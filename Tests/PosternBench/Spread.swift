/// Values of several rounds: their median, the least and the greatest.
struct Spread: CustomStringConvertible {
    private let sorted: [Double]

    init(_ values: [Double]) { sorted = values.sorted() }

    var median: Double { sorted.isEmpty ? 0 : sorted[sorted.count / 2] }

    /// The value that so large a share does not exceed.
    func quantile(_ share: Double) -> Double {
        sorted.isEmpty ? 0 : sorted[min(sorted.count - 1, Int(Double(sorted.count) * share))]
    }

    /// `4.10 (4.00-4.30)`
    var description: String {
        guard let least = sorted.first, let greatest = sorted.last else { return "-" }
        return "\(Measurement.fixed(median)) (\(Measurement.fixed(least))-\(Measurement.fixed(greatest)))"
    }
}
