internal import PosternBase

/// What became of a nonce that was handed in.
package enum Redemption: Sendable, Equatable {
    case redeemed, used
    /// At or before an expiry that has been forgotten: nobody knows any more whether it was used.
    case expired
}

/// A redeemer in memory: bounded, and safe against clocks that step back.
///
/// Used nonces are kept until they expire. The greatest expiry ever forgotten stays, and nothing at or before it is
/// redeemed again, whatever the clock says. There is room for every nonce that `reserve` has let be issued. Should there be
/// others (keys that several share, a clock that was set back), the nonces that expire first are forgotten early when it is
/// full: good ones may be refused then, none is accepted twice.
package final class MemoryNonceRedeemer: Sendable {
    private struct State {
        var used: Set<[UInt8]> = []
        var byExpiry = MinimumHeap()
        var forgotten = Int64.min
        var issued: IssuedCount
        var redeemed: UInt64 = 0

        mutating func forgetFirst() {
            guard let first = byExpiry.removeFirst() else { return }
            forgotten = max(forgotten, first.expiresAt)
            used.remove(first.nonce)
        }
    }

    private let capacity: Int
    private let state: Lock<State>

    /// `lifetime`: that of the nonces, in seconds.
    package init(capacity: Int = 100_000, lifetime: Int64 = 600) {
        self.capacity = max(capacity, 1)
        state = Lock(State(issued: IssuedCount(lifetime: lifetime)))
    }

    /// Makes room for a nonce that is to be issued; false when it could not be redeemed: so many are on their way or
    /// remembered, or it would expire no later than one that was forgotten.
    package func reserve(expiresAt: Int64, now: Int64) -> Bool {
        state.withLock { state in
            Self.forgetExpired(&state, now: now)
            state.issued.forgetExpired(now: now)
            let count = max(state.issued.total, state.used.count)
            guard count < capacity, expiresAt > state.forgotten else { return false }
            state.issued.add(expiresAt: expiresAt)
            return true
        }
    }

    /// Nonces that were issued and may not have expired; never too few.
    package var issuedCount: Int { state.withLock { $0.issued.total } }

    package var count: Int { state.withLock { $0.used.count } }

    /// How many have been used up, and how much of the room is taken at `now`: by nonces that were issued, and by those that were used.
    func statistics(now: Int64) -> IssuedNonces.Statistics {
        state.withLock { state in
            Self.forgetExpired(&state, now: now)
            state.issued.forgetExpired(now: now)
            return IssuedNonces.Statistics(
                redeemed: state.redeemed,
                outstanding: max(state.issued.total, state.used.count),
                capacity: capacity
            )
        }
    }

    /// Marks a nonce as used, atomically: of any number of callers with the same one, one is told `.redeemed`.
    ///
    /// - Parameters:
    ///   - nonce: the SHA-256 of the nonce.
    ///   - expiresAt: its expiry, seconds since 1970.
    ///   - consume: false only asks.
    package func redeem(_ nonce: [UInt8], expiresAt: Int64, now: Int64, consume: Bool) -> Redemption {
        state.withLock { state in
            if state.used.contains(nonce) { return .used }
            Self.forgetExpired(&state, now: now)
            guard expiresAt > state.forgotten, now < expiresAt else { return .expired }
            guard consume else { return .redeemed }
            while state.used.count >= capacity { state.forgetFirst() }
            // Making room may have forgotten up to this very expiry.
            guard expiresAt > state.forgotten else { return .expired }
            state.used.insert(nonce)
            state.byExpiry.insert(.init(expiresAt: expiresAt, nonce: nonce))
            state.redeemed &+= 1
            return .redeemed
        }
    }

    private static func forgetExpired(_ state: inout State, now: Int64) {
        while let first = state.byExpiry.first, first.expiresAt <= now { state.forgetFirst() }
    }
}

/// A binary heap, the earliest expiry first.
private struct MinimumHeap {
    struct Entry {
        let expiresAt: Int64
        let nonce: [UInt8]
    }

    private var entries: [Entry] = []

    var first: Entry? { entries.first }

    mutating func insert(_ entry: Entry) {
        entries.append(entry)
        var child = entries.count - 1
        while child > 0 {
            let parent = (child - 1) / 2
            guard entries[child].expiresAt < entries[parent].expiresAt else { return }
            entries.swapAt(child, parent)
            child = parent
        }
    }

    mutating func removeFirst() -> Entry? {
        guard let last = entries.popLast() else { return nil }
        guard let first = entries.first else { return last }
        entries[0] = last
        var parent = 0
        while true {
            var least = parent
            for child in [2 * parent + 1, 2 * parent + 2] where child < entries.count {
                if entries[child].expiresAt < entries[least].expiresAt { least = child }
            }
            guard least != parent else { return first }
            entries.swapAt(parent, least)
            parent = least
        }
    }
}
