internal import PosternJOSE

extension KeySetMachine {
    /// A verification wants the key named `keyID` (nil: any) and has not found it among those at hand.
    ///
    /// `waiter` is a number that was not used before. It is answered now, or by a later event.
    package mutating func want(_ keyID: String?, waiter: Int, at now: Duration) -> Actions {
        var actions = Actions()
        let freshness = freshness(at: now)
        let isKnown = has(keyID)
        var deadline: Duration?
        switch freshness {
        case .fresh where isKnown:
            // Somebody else has got it meanwhile.
            break
        case .fresh:
            deadline = deadlineForUnknownKey(at: now, &actions)
        case .stale where isKnown && hasFailedWhileStale:
            // The one flight that the first look past the time is owed has been waited for.
            break
        case .stale where isKnown:
            // One flight is waited for, not one flight each: who comes late waits for the rest of the time only.
            deadline = flightToWaitFor(at: now, &actions).map { $0 + KeySetLimits.patience }
        case .stale:
            deadline = flightToWaitFor(at: now, &actions).map { _ in now + KeySetLimits.patience }
        case .none, .expired:
            deadline = flightToWaitFor(at: now, &actions).map { _ in now + KeySetLimits.patienceWithoutKeys }
        }
        if let deadline, deadline > now {
            let deadline = onGrid(deadline)
            waiters[waiter] = Waiter(keyID: keyID, deadline: deadline)
            firstDeadline = min(firstDeadline ?? deadline, deadline)
        } else {
            actions.answers.append((waiter, answer(keyID, at: now, &actions)))
        }
        return actions
    }

    /// A verification waits no longer. The flight goes on.
    package mutating func leave(waiter: Int) { waiters[waiter] = nil }

    private func has(_ keyID: String?) -> Bool {
        guard let held else { return false }
        return keyID.map { held.keys.names($0) } ?? true
    }

    /// Somewhat later, so that however many wait, few different moments are to be looked at.
    private func onGrid(_ deadline: Duration) -> Duration {
        guard let flight else { return deadline }
        let steps = ((deadline - flight.startedAt) / KeySetLimits.deadlineGrid).rounded(.up)
        return max(deadline, flight.startedAt + KeySetLimits.deadlineGrid * steps)
    }

    private mutating func deadlineForUnknownKey(at now: Duration, _ actions: inout Actions) -> Duration? {
        if flight != nil { return now + KeySetLimits.patience }
        let isSlotFree = unknownKeySlotFreeAt.map { now >= $0 } ?? true
        guard isSlotFree, !isCoolingDown(at: now) else {
            actions.events.append(.unknownKeyNotFetched)
            return nil
        }
        // Claimed before the fetch, so that it is spent however the fetch ends.
        unknownKeySlotFreeAt = now + KeySetLimits.cooldown
        takeOff(at: now, &actions)
        return now + KeySetLimits.patience
    }

    /// When the flight that is on its way, or that starts now, took off; nil when a failure is too recent for another.
    private mutating func flightToWaitFor(at now: Duration, _ actions: inout Actions) -> Duration? {
        if let flight { return flight.startedAt }
        guard !isCoolingDown(at: now) else { return nil }
        takeOff(at: now, &actions)
        return now
    }

    /// The answer that can be given without waiting any longer.
    mutating func answer(_ keyID: String?, at now: Duration, _ actions: inout Actions) -> Answer {
        guard let held, now < held.staleUntil else { return .fault(failure?.reason) }
        if !has(keyID), failure != nil || flight != nil {
            // A newer set may have the key, and could not be had: that is no verdict about the token.
            return .fault(failure?.reason)
        }
        if now >= held.freshUntil, flight?.hasReportedStale == false {
            flight?.hasReportedStale = true
            actions.events.append(.servingStale)
        }
        return .keys(held.keys)
    }
}
