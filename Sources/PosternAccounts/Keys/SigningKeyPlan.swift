/// When signing keys change: decided from what is stored, without clock or store.
package struct SigningKeyPlan: Sendable {
    /// Seconds that a key signs.
    package let period: Int64
    /// Seconds that a key is published before it signs, so that whoever keeps our key set knows it by then.
    package let publishedAhead: Int64
    /// Seconds that a key is published after it has signed for the last time: as long as its last token is good, and some.
    package let keptAfter: Int64

    package init(period: Int64, publishedAhead: Int64 = 86_400, accessTokenLifetime: Int64) {
        self.period = period
        self.publishedAhead = publishedAhead
        keptAfter = accessTokenLifetime + 600
    }

    /// One thing that is due.
    package enum Step: Sendable, Equatable {
        /// A new key is to be made in this state.
        case make(StoredSigningKey.State)
        /// The `next` key signs from now on, and the one before is retired.
        case promote(String)
        case delete(String)
    }

    /// What is to be done first; nil when nothing is. Apply it and ask again.
    package func step(_ keys: [StoredSigningKey], now: Int64) -> Step? {
        let current = keys.first { $0.state == .current }
        let next = keys.first { $0.state == .next }
        guard let current else { return next.map { .promote($0.keyID) } ?? .make(.current) }
        guard let next else { return .make(.next) }
        if age(current, now) >= period, age(next, now) >= publishedAhead { return .promote(next.keyID) }
        return keys.first { $0.state == .retired && age($0, now) >= keptAfter }.map { .delete($0.keyID) }
    }

    /// After a clock was set back a key is as good as new.
    private func age(_ key: StoredSigningKey, _ now: Int64) -> Int64 { max(now - key.since, 0) }
}
