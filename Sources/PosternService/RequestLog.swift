package import PosternBase
internal import Synchronization

/// Which requests have a line in the log.
package enum LoggedRequests: String, Sendable, CaseIterable {
    case none, failed, all

    fileprivate var number: Int {
        switch self {
        case .none: 0
        case .failed: 1
        case .all: 2
        }
    }
}

/// The lines of requests. Of failed ones alone so many are told a second: whoever sends rubbish drowns nothing else.
package final class RequestLog: Sendable {
    package typealias Members = [(StaticString, LogValue)]

    static let failedPerSecond = 100

    package static let request = LogEvent(
        "request", .info,
        [
            "request_id", "listener", "method", "route", "status", "microseconds", "user", "api_key", "code",
            "provider",
            "accepted", "refused", "faults",
        ],
        "a request was answered; `code` is that of the problem or of the only token, the last three count the tokens")
    package static let notLogged = LogEvent(
        "requests_not_logged", .warning, ["count"],
        "so many failed within a second that these have no line; told with the next one")

    private struct Budget {
        var second: Int64 = 0
        var count = 0
        var lost = 0
    }

    private let wanted: Atomic<Int>
    private let budget = Lock(Budget())
    private let sink: @Sendable (LogEvent, Members) -> Void

    package init(_ wanted: LoggedRequests, _ sink: @escaping @Sendable (LogEvent, Members) -> Void) {
        self.wanted = Atomic(wanted.number)
        self.sink = sink
    }

    /// From now on.
    package func set(_ wanted: LoggedRequests) { self.wanted.store(wanted.number, ordering: .relaxed) }

    func wants(failed: Bool) -> Bool {
        let wanted = wanted.load(ordering: .relaxed)
        return wanted > 1 || failed && wanted > 0
    }

    /// `members` are put together for a line that is told, and for no other.
    func write(at second: Int64, _ members: () -> Members) {
        guard wanted.load(ordering: .relaxed) < LoggedRequests.all.number else { return sink(Self.request, members()) }
        let (isTold, lost) = budget.withLock { budget -> (Bool, Int) in
            var lost = 0
            if budget.second != second {
                lost = budget.lost
                budget = Budget(second: second)
            }
            guard budget.count < Self.failedPerSecond else {
                budget.lost += 1
                return (false, lost)
            }
            budget.count += 1
            return (true, lost)
        }
        if lost > 0 { sink(Self.notLogged, [("count", .number(lost))]) }
        if isTold { sink(Self.request, members()) }
    }
}
