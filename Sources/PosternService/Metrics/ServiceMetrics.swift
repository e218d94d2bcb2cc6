package import PosternBase

/// What the service counts, for as long as the process lives: settings may change meanwhile.
package final class ServiceMetrics: Sendable {
    package typealias Collector = @Sendable (inout MetricsText) -> Void

    private static let requestCount =
        RequestLabels.routes.count * RequestLabels.methodCount * RequestLabels.statusCount
    private static let firstProblem = requestCount
    private static let issued = firstProblem + ProblemCode.allCases.count

    private let counters: StripedCounters
    private let firstDuration: Int
    /// By the name of the provider.
    private let tallies = Lock<[(name: String, tally: ProviderTally)]>([])
    /// Tokens that are no provider's.
    let strangers = ProviderTally()
    let accounts = AccountTally()
    private let collectors = Lock<[Collector]>([])

    package init() {
        firstDuration = Self.issued + 1
        counters = StripedCounters(
            count: firstDuration + RequestLabels.routes.count * DurationHistogram.width)
    }

    /// What is counted for the provider of that name, which the settings have.
    package func tally(of name: String) -> ProviderTally {
        tallies.withLock { tallies in
            if let known = tallies.first(where: { $0.name.isSameBytes(as: name) }) { return known.tally }
            let new = ProviderTally()
            tallies.append((name, new))
            return new
        }
    }

    /// Those of all providers that the settings have had, and of none.
    var allTallies: [ProviderTally] { tallies.withLock { $0.map(\.tally) } + [strangers] }

    /// Has `collect` write further families whenever metrics are asked for.
    package func add(_ collect: @escaping Collector) { collectors.withLock { $0.append(collect) } }

    func collect(into text: inout MetricsText) {
        for collect in collectors.withLock({ $0 }) { collect(&text) }
    }

    // MARK: - Counting

    /// A request was answered; the nanoseconds that it took.
    func count(_ tally: RequestTally, status: Int) -> UInt64 {
        let span = Stopwatch.now() &- tally.started
        counters.add(
            at: Self.place(tally.route, tally.method, RequestLabels.place(ofStatus: status)), observing: span,
            in: firstDuration &+ tally.route &* DurationHistogram.width)
        return span
    }

    func count(_ code: ProblemCode) { counters.add(at: Self.firstProblem + code.place) }

    func countIssuedNonce() { counters.add(at: Self.issued) }

    private static func place(_ route: Int, _ method: Int, _ status: Int) -> Int {
        (route &* RequestLabels.methodCount &+ method) &* RequestLabels.statusCount &+ status
    }

    // MARK: - Reading

    func requests(_ route: Int, _ method: Int, _ status: Int) -> UInt64 { counters[Self.place(route, method, status)] }
    func durations(_ route: Int) -> DurationHistogram {
        DurationHistogram(counters, at: firstDuration + route * DurationHistogram.width)
    }
    func problems(_ code: ProblemCode) -> UInt64 { counters[Self.firstProblem + code.place] }
    var issuedNonces: UInt64 { counters[Self.issued] }
}
