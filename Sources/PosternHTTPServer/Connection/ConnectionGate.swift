internal import PosternBase
internal import PosternHTTP

/// Counts connections, in all and by peer, and says who may come in.
final class ConnectionGate: Sendable {
    /// Who is counted as one.
    enum Key: Hashable {
        case user(UInt32)
        case address(String)

        init(_ peer: Peer) {
            switch peer {
            case .process(let user, _, _): self = .user(user)
            case .address(let address, _): self = .address(address)
            }
        }
    }

    private struct State {
        var total = 0
        var byPeer: [Key: Int] = [:]
    }

    private let total: Int
    private let perPeer: Int
    private let state = Lock(State())

    init(_ limits: ServerLimits) {
        total = limits.connections
        perPeer = limits.connectionsPerPeer
    }

    /// True when the peer may come in; it is counted then, until it leaves.
    func enter(_ peer: Peer) -> Bool {
        let key = Key(peer)
        return state.withLock { state in
            let count = state.byPeer[key, default: 0]
            guard state.total < total, count < perPeer else { return false }
            state.total += 1
            state.byPeer[key] = count + 1
            return true
        }
    }

    func leave(_ peer: Peer) {
        let key = Key(peer)
        state.withLock { state in
            state.total -= 1
            let count = state.byPeer[key, default: 1] - 1
            state.byPeer[key] = count > 0 ? count : nil
        }
    }
}
