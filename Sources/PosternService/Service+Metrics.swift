internal import PosternBase
internal import PosternKeySets
internal import PosternTokens

// What `GET /metrics` answers. What is watched for its first time is there from the start on with 0; of what is many for each
// provider, and of requests, only what has come.

extension Service {
    func metricsPage() -> Reply {
        var text = MetricsText()
        writeVerdicts(&text)
        writeNonces(&text)
        writeKeys(&text)
        writeRequests(&text)
        if let accounts { writeSessions(accounts, &text) }
        metrics.collect(into: &text)
        return Reply(form: .metrics, body: text.bytes)
    }

    /// The providers of the settings, and those that are none.
    private var talliesByName: [(name: String, tally: ProviderTally)] {
        zip(providers, tallies).map { ($0.name, $1) } + [("", metrics.strangers)]
    }

    private func writeVerdicts(_ text: inout MetricsText) {
        text.family(ServiceMetric.verdicts) { series in
            for (name, tally) in talliesByName {
                for (place, outcome) in ProviderTally.outcomes.enumerated() {
                    let count = tally.verdicts(place)
                    guard count > 0 || ProviderTally.isListed(outcome: place) else { continue }
                    series.add([name, outcome.verdict, outcome.code], count: count)
                }
            }
        }
        text.family(ServiceMetric.verification) { series in
            for (name, tally) in talliesByName where tally.hasDurations { series.add([name], tally.durations) }
        }
    }

    private static let nonceCodes: [RefusalCode] = [
        .nonceMissing, .nonceMismatch, .nonceUnknown, .nonceExpired, .nonceUsed,
    ]

    private func writeNonces(_ text: inout MetricsText) {
        text.family(ServiceMetric.noncesIssued) { $0.add([], count: metrics.issuedNonces) }
        let statistics = nonces?.statistics
        // Where a store keeps them nobody counts them here, and they take no room before they are used.
        let isStored = nonces != nil && statistics == nil
        if !isStored { text.family(ServiceMetric.noncesRedeemed) { $0.add([], count: statistics?.redeemed ?? 0) } }
        text.family(ServiceMetric.noncesRefused) { series in
            for code in Self.nonceCodes {
                let place = ProviderTally.place(ofRefusal: code)
                // Of former providers too, or the sum would fall when the settings change.
                let count = metrics.allTallies.reduce(UInt64(0)) { $0 &+ $1.verdicts(place) }
                series.add([code.rawValue], count: count)
            }
        }
        guard !isStored else { return }
        text.value(ServiceMetric.noncesOutstanding, Int64(clamping: statistics?.outstanding ?? 0))
        text.value(ServiceMetric.nonceCapacity, Int64(clamping: statistics?.capacity ?? 0))
    }

    private static let freshnesses: [KeySetStatus.Freshness] = [.none, .fresh, .stale, .expired]

    private func writeKeys(_ text: inout MetricsText) {
        let states = providers.map { (name: $0.name, status: $0.keys.status) }
        let now = time.now()
        text.family(ServiceMetric.fetches) { series in
            for (served, tally) in zip(providers, tallies) {
                for (place, result) in ProviderTally.fetchResults.enumerated() {
                    let count = tally.fetches(place)
                    guard count > 0 || ProviderTally.isListed(fetch: place) else { continue }
                    series.add([served.name, result], count: count)
                }
            }
        }
        text.family(ServiceMetric.unaskedUnknownKeys) { series in
            for (served, tally) in zip(providers, tallies) {
                series.add([served.name], count: tally.unaskedUnknownKeys)
            }
        }
        func gauge(_ family: MetricFamily, _ value: (KeySetStatus) -> Int64?) {
            text.family(family) { series in
                for (name, status) in states { if let value = value(status) { series.add([name], value) } }
            }
        }
        gauge(ServiceMetric.keyAge) { $0.lastSuccess.map { max(0, now - $0) } }
        gauge(ServiceMetric.keyFreshness) { $0.freshFor }
        text.family(ServiceMetric.keyState) { series in
            for (name, status) in states {
                for state in Self.freshnesses {
                    series.add([name, state.rawValue], status.freshness == state ? 1 : 0)
                }
            }
        }
        gauge(ServiceMetric.usableKeys) { Int64(clamping: $0.usableKeys.count) }
        gauge(ServiceMetric.keyWaiters) { Int64(clamping: $0.waiting) }
    }

    private func writeRequests(_ text: inout MetricsText) {
        text.family(ServiceMetric.requests) { series in
            for (route, path) in RequestLabels.routes.enumerated() {
                for (method, name) in RequestLabels.methods.enumerated() {
                    for (status, code) in RequestLabels.statusNames.enumerated() {
                        let count = metrics.requests(route, method, status)
                        if count > 0 { series.add([path, name, code], count: count) }
                    }
                }
            }
        }
        text.family(ServiceMetric.requestDuration) { series in
            for (route, path) in RequestLabels.routes.enumerated() where has(route) {
                series.add([path], metrics.durations(route))
            }
        }
        text.family(ServiceMetric.problems) { series in
            for code in ProblemCode.allCases where accounts != nil || !code.isAboutAccounts {
                series.add([code.rawValue], count: metrics.problems(code))
            }
        }
    }

    /// Whether a path is of use here: those of accounts are not where there are none.
    private func has(_ place: Int) -> Bool {
        accounts != nil || !Route.all.contains { $0.place == place && $0.needsAccounts }
    }
}
