internal import PosternBase
internal import PosternHTTP

/// Counts connections, in all, by listener and by peer, and says who may come in.
///
/// Each listener has places of its own, and the rest are for whoever comes first: who floods one listener cannot take the
/// places of the others. What a peer has at one listener does not count at another.
final class ConnectionGate: Sendable {
    /// What a connection holds until it leaves.
    struct Place {
        let listener: Int
        /// nil for who is only told that they may not come in.
        let key: PeerKey?
    }

    private struct State {
        var byListener: [Int]
        var common = 0
        var byPeer: [PeerKey: Int] = [:]
        var turnedAway = 0
    }

    /// Places, besides all others, for those who are being told that they may not come in.
    static let turnedAwayPlaces = 64

    private let reserves: [Int]
    private let common: Int
    private let perPeer: Int
    private let state: Lock<State>

    init(_ limits: ServerLimits, listeners: Int) {
        reserves = limits.reserves(listeners)
        common = max(0, limits.connections - reserves.reduce(0, +))
        perPeer = limits.ofOnePeer
        state = Lock(State(byListener: Array(repeating: 0, count: listeners)))
    }

    /// The place of a peer that may come in; nil when there are too many.
    func enter(_ peer: Peer, listener: Int) -> Place? {
        let key = PeerKey(peer, listener: listener)
        return state.withLock { state in
            let count = state.byPeer[key, default: 0]
            guard reserves.indices.contains(listener), count < perPeer else { return nil }
            let isOverReserve = state.byListener[listener] >= reserves[listener]
            guard !isOverReserve || state.common < common else { return nil }
            if isOverReserve { state.common += 1 }
            state.byListener[listener] += 1
            state.byPeer[key] = count + 1
            return Place(listener: listener, key: key)
        }
    }

    /// A place for being told no; nil when too many are told at the moment.
    func enterToBeTurnedAway(listener: Int) -> Place? {
        state.withLock { state in
            guard state.turnedAway < Self.turnedAwayPlaces else { return nil }
            state.turnedAway += 1
            return Place(listener: listener, key: nil)
        }
    }

    func leave(_ place: Place) {
        state.withLock { state in
            guard let key = place.key else {
                state.turnedAway -= 1
                return
            }
            if state.byListener[place.listener] > reserves[place.listener] { state.common -= 1 }
            state.byListener[place.listener] -= 1
            let count = state.byPeer[key, default: 1] - 1
            state.byPeer[key] = count > 0 ? count : nil
        }
    }
}
