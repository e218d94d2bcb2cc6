/// How long work takes of late, to tell who is turned away when to come back.
struct WorkPace: Sendable {
    private static let seconds = 1...60

    /// In seconds; as if nothing took no time until there is something to go by.
    private var mean = 0.0

    /// The last works count most.
    mutating func add(_ spent: Duration) {
        let seconds = Double(spent.components.seconds) + Double(spent.components.attoseconds) / 1e18
        mean += (seconds - mean) / 8
    }

    /// When so much work will be done, in whole seconds, from a second to a minute.
    func seconds(for count: Int, threads: Int) -> Int {
        let estimate = mean * Double(count) / Double(max(threads, 1))
        return Int(exactly: min(max(estimate, 1), 60).rounded(.up)) ?? Self.seconds.upperBound
    }
}
