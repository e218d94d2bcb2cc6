internal import PosternAccounts
internal import PosternBase
internal import PosternPasswords

extension Service {
    /// What `GET /metrics` answers of sessions.
    func writeSessions(_ accounts: Accounts, _ text: inout MetricsText) {
        let tally = metrics.accounts
        text.family(ServiceMetric.sessionsOpened) { series in
            for (place, method) in AccountTally.methods.enumerated() {
                series.add([method], count: tally.opened(place))
            }
        }
        text.family(ServiceMetric.signInsRefused) { series in
            for (place, code) in AccountTally.refusals.enumerated() { series.add([code], count: tally.refused(place)) }
        }
        text.family(ServiceMetric.refreshes) { series in
            for (place, result) in AccountTally.refreshResults.enumerated() {
                series.add([result], count: tally.refreshes(place))
            }
        }
        guard let pool = accounts.passwords?.pool.state else { return }
        text.family(ServiceMetric.hashing) { series in
            series.add(["busy"], Int64(clamping: pool.busy))
            series.add(["waiting"], Int64(clamping: pool.waiting))
        }
        text.value(ServiceMetric.hashingThreads, Int64(clamping: pool.threads))
    }
}
