internal import PosternBase

/// Counts the bytes that connections keep: of requests that have not come whole or are not answered yet, and of answers that
/// have not been taken.
///
/// Each listener has an even share, so that who floods one leaves room at the others, and a peer has a quarter of that. A
/// quarter of a share is for heads, which anybody may send, the rest for bodies, which only those may send whom the responder
/// has not turned away by their head. As much as a share again is for answers, and for what was read behind them.
final class RequestBuffers: Sendable {
    /// Bytes of heads, of bodies, and of answers.
    typealias Amount = SIMD3<Int>

    private struct State {
        var listeners: [Amount]
        var peers: [PeerKey: Amount] = [:]
    }

    private let share: Amount
    private let peerShare: Amount
    private let state: Lock<State>

    init(_ limits: ServerLimits, listeners: Int) {
        let bodies = limits.bodyShare(listeners)
        let all = limits.bufferedBytes / max(1, listeners)
        share = Amount(all - bodies, bodies, all)
        // The largest head and the largest body must fit.
        let largest = Amount(limits.requestLineBytes + limits.headerBytes + 4, limits.bodyBytes, limits.bodyBytes)
        peerShare = pointwiseMax(share / 4, largest)
        state = Lock(State(listeners: Array(repeating: .zero, count: listeners)))
    }

    /// Counts the one instead of the other; false, and nothing changes, where it is more than there is room for. Less is always
    /// taken, so nobody waits for room, and nothing can stand still for want of it. Where nothing else is kept there is room.
    func change(_ key: PeerKey, from old: Amount, to new: Amount) -> Bool {
        state.withLock { state in
            guard state.listeners.indices.contains(key.listener) else { return true }
            let all = state.listeners[key.listener] &+ new &- old
            let own = state.peers[key, default: .zero] &+ new &- old
            let isTooMuch = (all .> share) .& (all .!= new) .| (own .> peerShare) .& (own .!= new)
            guard !any((new .> old) .& isTooMuch) else { return false }
            state.listeners[key.listener] = all
            state.peers[key] = own == .zero ? nil : own
            return true
        }
    }

    /// What is counted now.
    var heldBytes: Int { held.total }
    var held: BufferedBytes { BufferedBytes(state.withLock { $0.listeners.reduce(.zero) { $0 &+ $1 } }) }

    /// The most that may be counted, over all listeners.
    var limit: BufferedBytes { BufferedBytes(share &* Amount(repeating: state.withLock { $0.listeners.count })) }
}

extension BufferedBytes {
    fileprivate init(_ amount: RequestBuffers.Amount) {
        self.init(heads: amount.x, bodies: amount.y, answers: amount.z)
    }
}
