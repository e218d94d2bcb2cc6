package import PosternJOSE

/// Decides all that a cache of one key set does; it does none of it, and has no clock.
///
/// Times are those of a monotonic source. There is no memory of single unknown keys: the time of the last fetch for any of
/// them bounds their cost, and a set of names would be one more thing to fill.
package struct KeySetMachine: Sendable {
    /// What a verification gets.
    package enum Answer: Sendable {
        /// The set to judge with; a key that is not in it does not exist.
        case keys(KeySet)
        /// There is no saying; with what has failed, if anything has.
        case fault(KeySetFailure?)
    }

    /// What is to be done now, in any order.
    package struct Actions: Sendable {
        package var answers: [(waiter: Int, answer: Answer)] = []
        /// The flight that is to start.
        package var start: Int?
        /// The flight that is to be given up.
        package var abandon: Int?
        package var events: [KeySetEvent] = []
    }

    /// What a flight has brought.
    package enum Landing: Sendable {
        /// `timeToLive`: seconds, within the limits.
        case fetched(KeySet, timeToLive: Int64, isChanged: Bool)
        /// The set at hand was confirmed; nil when for how long was not said.
        case notModified(timeToLive: Int64?)
        case failed(KeySetFailure)
    }

    struct Held: Sendable {
        var keys: KeySet
        var timeToLive: Int64
        var freshUntil: Duration
        var refreshAt: Duration

        var staleUntil: Duration { freshUntil + KeySetLimits.staleTime }
    }

    struct Flight: Sendable {
        let number: Int
        let startedAt: Duration
        var hasReportedStale = false
    }

    struct Failure: Sendable {
        let reason: KeySetFailure
        let startedAt: Duration
        let endedAt: Duration
        /// How many in a row.
        let count: Int
        /// Whether a set has been had before; until then nobody can sign in, and the issuer may be just about to start.
        let hadKeys: Bool

        /// Before it nobody's wish makes another flight start: 30 s from its start; while no set has been had, 1, 2, 4, 8, 16 s
        /// from its end, then 30 s too.
        var cooldownEnd: Duration {
            guard !hadKeys, count <= Self.quickRetries else { return startedAt + KeySetLimits.cooldown }
            return endedAt + KeySetLimits.firstCooldown * (1 << (count - 1))
        }

        /// When the background tries again: after the cooldown, then after 60, 120, 240, 300 s.
        var retryAt: Duration {
            let slowCount = hadKeys ? count : count - Self.quickRetries
            guard slowCount > 0 else { return cooldownEnd }
            let factor = 1 << min(slowCount - 1, 4)
            return startedAt + min(KeySetLimits.cooldown * factor, KeySetLimits.longestRetry)
        }

        private static let quickRetries = 5
    }

    struct Waiter: Sendable {
        let keyID: String?
        let deadline: Duration
    }

    var held: Held?
    var flight: Flight?
    /// Of the last flight that ended, unless it succeeded.
    var failure: Failure?
    /// When an unknown key may cause a fetch again.
    var unknownKeySlotFreeAt: Duration?
    var waiters: [Int: Waiter] = [:]
    /// No later than the first deadline of the waiters.
    var firstDeadline: Duration?
    var lastFlightNumber = 0

    /// Whether a set is fetched anew before its time is over; not for a process that ends before it would gain by it.
    private let refreshesAhead: Bool

    package init(refreshesAhead: Bool = true) { self.refreshesAhead = refreshesAhead }

    // MARK: - How it stands

    package func freshness(at now: Duration) -> KeySetStatus.Freshness {
        guard let held else { return .none }
        if now < held.freshUntil { return .fresh }
        return now < held.staleUntil ? .stale : .expired
    }

    /// The keys that may be used without asking here, and until when: within their time; while a failure is so recent that
    /// asking again is pointless; and once asking has failed past their time, while the background goes on asking.
    package var atHand: (keys: KeySet, until: Duration)? {
        guard let held else { return nil }
        if hasFailedWhileStale { return (held.keys, held.staleUntil) }
        guard let failure else { return (held.keys, held.freshUntil) }
        return (held.keys, max(held.freshUntil, min(failure.cooldownEnd, held.staleUntil)))
    }

    var hasFailedWhileStale: Bool {
        guard let held, let failure else { return false }
        return failure.startedAt >= held.freshUntil
    }

    /// When `tick` has something to do; nil when nothing is to come.
    package var nextTick: Duration? {
        let next = flight.map { $0.startedAt + KeySetLimits.flightTime } ?? nextRefresh
        return [next, firstDeadline].compactMap { $0 }.min()
    }

    /// When the next fetch in the background is due; nil while one is on its way or nothing was ever wanted.
    package var nextRefresh: Duration? {
        guard flight == nil, refreshesAhead else { return nil }
        return failure?.retryAt ?? held?.refreshAt
    }

    package var keys: KeySet? { held?.keys }
    package var freshUntil: Duration? { held?.freshUntil }
    package var timeToLive: Int64? { held?.timeToLive }
    package var isFetching: Bool { flight != nil }
    package var lastFailure: KeySetFailure? { failure?.reason }

    func isCoolingDown(at now: Duration) -> Bool {
        failure.map { now < $0.cooldownEnd } ?? false
    }

    // MARK: - At the start

    /// Takes up a set that was fetched `age` ago, in another run.
    package mutating func load(_ keys: KeySet, timeToLive: Int64, age: Duration, at now: Duration, jitter: Double) {
        held = Held(keys, timeToLive, fetchedAt: now - age, jitter)
    }
}

extension KeySetMachine.Held {
    /// `jitter`, from -1 to 1, moves the refresh by up to 10 % of the time to live around 80 % of it.
    init(_ keys: KeySet, _ timeToLive: Int64, fetchedAt: Duration, _ jitter: Double) {
        self.keys = keys
        self.timeToLive = timeToLive
        freshUntil = fetchedAt + .seconds(timeToLive)
        refreshAt = fetchedAt + .seconds(timeToLive) * (0.8 + 0.1 * min(max(jitter, -1), 1))
    }
}
