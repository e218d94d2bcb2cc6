internal import PosternBase

/// Counts the bytes of requests that have not come whole, or are not answered yet, over all connections.
///
/// Each listener has an even share, so that who floods one leaves room at the others. A quarter of a share is for heads, which
/// anybody may send, the rest for bodies, which only those may send whom the responder has not turned away by their head.
final class RequestBuffers: Sendable {
    private struct Held {
        var heads = 0
        var bodies = 0
    }

    private let headBytes: Int
    private let bodyBytes: Int
    private let state: Lock<[Held]>

    init(_ limits: ServerLimits, listeners: Int) {
        bodyBytes = limits.bodyShare(listeners)
        headBytes = limits.bufferedBytes / max(1, listeners) - bodyBytes
        state = Lock(Array(repeating: Held(), count: listeners))
    }

    /// Counts the one instead of the other; false, and nothing changes, where it is more than there is room for. Less is always
    /// taken, so nobody waits for room, and nothing can stand still for want of it.
    func change(_ listener: Int, from old: (count: Int, isHead: Bool), to new: (count: Int, isHead: Bool)) -> Bool {
        state.withLock { state in
            guard state.indices.contains(listener) else { return true }
            var held = state[listener]
            if old.isHead { held.heads -= old.count } else { held.bodies -= old.count }
            if new.isHead { held.heads += new.count } else { held.bodies += new.count }
            let grows = new.count > (old.isHead == new.isHead ? old.count : 0)
            let isTooMuch = new.isHead ? held.heads > headBytes : held.bodies > bodyBytes
            guard !grows || !isTooMuch else { return false }
            state[listener] = held
            return true
        }
    }

    /// What is counted now.
    var heldBytes: Int { state.withLock { $0.reduce(0) { $0 + $1.heads + $1.bodies } } }
}
