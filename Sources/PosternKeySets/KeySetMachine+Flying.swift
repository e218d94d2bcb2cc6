internal import PosternJOSE

extension KeySetMachine {
    mutating func takeOff(at now: Duration, _ actions: inout Actions) {
        lastFlightNumber += 1
        flight = Flight(number: lastFlightNumber, startedAt: now)
        actions.start = lastFlightNumber
    }

    /// A flight has ended; nil when it was given up before and changes nothing.
    ///
    /// `jitter`, from -1 to 1, moves the next refresh.
    package mutating func land(_ number: Int, _ landing: Landing, at now: Duration, jitter: Double) -> Actions? {
        guard let flight, flight.number == number else { return nil }
        var actions = Actions()
        self.flight = nil
        switch landing {
        case .fetched(let keys, let timeToLive, let isChanged):
            // Counted from the question, since the answer may be as old as that.
            held = Held(keys, timeToLive, fetchedAt: flight.startedAt, jitter)
            failure = nil
            actions.events.append(.fetched)
            if isChanged {
                actions.events.append(.replaced(usable: keys.usable.count, skipped: keys.skipped))
            }
        case .notModified(let timeToLive):
            if let held {
                let seconds = timeToLive ?? held.timeToLive
                self.held = Held(held.keys, seconds, fetchedAt: flight.startedAt, jitter)
            }
            failure = nil
            actions.events.append(.notModified)
        case .failed(let reason):
            fail(flight, reason, at: now, &actions)
        }
        answerAll(at: now, &actions)
        return actions
    }

    /// The time that `nextTick` named has come, or any other time.
    package mutating func tick(at now: Duration) -> Actions {
        var actions = Actions()
        if let flight, now >= flight.startedAt + KeySetLimits.flightTime {
            self.flight = nil
            actions.abandon = flight.number
            fail(flight, KeySetFailure(.timedOut, "The client did not end the request."), at: now, &actions)
            answerAll(at: now, &actions)
        }
        if let firstDeadline, now >= firstDeadline { answerLate(at: now, &actions) }
        if let nextRefresh, now >= nextRefresh { takeOff(at: now, &actions) }
        return actions
    }

    private mutating func fail(
        _ flight: Flight,
        _ reason: KeySetFailure,
        at now: Duration,
        _ actions: inout Actions
    ) {
        failure = Failure(
            reason: reason,
            startedAt: flight.startedAt,
            endedAt: now,
            count: (failure?.count ?? 0) + 1,
            hadKeys: held != nil
        )
        actions.events.append(.failed(reason))
        if freshness(at: now) == .stale, !flight.hasReportedStale { actions.events.append(.servingStale) }
    }

    private mutating func answerAll(at now: Duration, _ actions: inout Actions) {
        let all = waiters
        waiters = [:]
        firstDeadline = nil
        for (waiter, wish) in all { actions.answers.append((waiter, answer(wish.keyID, at: now, &actions))) }
    }

    private mutating func answerLate(at now: Duration, _ actions: inout Actions) {
        for (waiter, wish) in waiters where now >= wish.deadline {
            waiters[waiter] = nil
            actions.answers.append((waiter, answer(wish.keyID, at: now, &actions)))
        }
        firstDeadline = waiters.values.map(\.deadline).min()
    }
}
