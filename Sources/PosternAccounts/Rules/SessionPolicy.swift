/// How long sessions live, and how many somebody may have.
package struct SessionPolicy: Sendable, Equatable {
    /// Seconds from the sign-in on; nil for no end.
    package var timeBox: Int64?
    /// Seconds without a refresh.
    package var inactivity: Int64
    /// Whether a sign-in ends all other sessions of the account.
    package var isSingle: Bool
    /// Seconds for which a former refresh token gets the active one, so that requests that cross each other do no harm.
    package static let grace: Int64 = 10
    /// More sessions of one account end the oldest, so that no list is endless.
    package static let maximumCount = 100

    package init(timeBox: Int64? = nil, inactivity: Int64 = 60 * 86_400, isSingle: Bool = false) {
        self.timeBox = timeBox
        self.inactivity = inactivity
        self.isSingle = isSingle
    }

    /// What is longer than any clock tells is for ever; no sum of times can overflow.
    private static func bounded(_ seconds: Int64) -> Int64 { min(max(seconds, 0), 1 << 40) }

    /// When a session ends that began at `createdAt` and is used at `now`.
    package func expiry(createdAt: Int64, now: Int64) -> Int64 {
        let idle = now + Self.bounded(inactivity)
        return timeBox.map { min(createdAt + Self.bounded($0), idle) } ?? idle
    }

    /// The session, if it is not over; with an earlier end where the policy has become shorter since it was written down.
    package func living(_ session: Session?, now: Int64) -> Session? {
        guard var session else { return nil }
        session.expiresAt = min(session.expiresAt, expiry(createdAt: session.createdAt, now: session.rotatedAt))
        return now < session.expiresAt ? session : nil
    }
}

/// What a refresh token is good for (design: one compare-and-set on the session), without clock or store.
package enum RefreshRule {
    package enum Decision: Sendable, Equatable {
        /// The session goes on with the next count.
        case rotate(Session)
        /// The token is a former one, and its bearer may have the active one, of the session as it is by the policy.
        case again(Session)
        /// The session is to end: a former token came back after its successor was in use, so one of two bearers is not the owner.
        case reuse
        /// The session is over by time.
        case expired
    }

    package static func decide(
        _ session: Session,
        presented counter: Int64,
        _ policy: SessionPolicy,
        now: Int64
    ) -> Decision {
        guard let session = policy.living(session, now: now) else { return .expired }
        // Genuine and not yet made: the store was put back to an earlier state.
        guard counter <= session.counter else { return .reuse }
        guard counter == session.counter else { return former(session, counter, now: now) }
        var next = session
        next.counter += 1
        next.rotatedAt = now
        next.isSeen = false
        next.expiresAt = policy.expiry(createdAt: session.createdAt, now: now)
        return .rotate(next)
    }

    private static func former(_ session: Session, _ counter: Int64, now: Int64) -> Decision {
        // Requests that cross each other may be judged in the other order, and on machines whose clocks differ a little.
        if (-SessionPolicy.grace..<SessionPolicy.grace).contains(now - session.rotatedAt) { return .again(session) }
        // The answer to its parent may have been lost, as long as nobody has shown anything of it.
        return counter == session.counter - 1 && !session.isSeen ? .again(session) : .reuse
    }
}
