internal import PosternBase

/// Work that is in hand once at a time. Whoever wants it meanwhile does not wait: whoever has it in hand does it once more, so that
/// what was read first is not taken over last.
final class OneAtATime: Sendable {
    private enum State { case idle, inHand, inHandAndWanted }
    private let state = Lock(State.idle)

    func run(_ work: () async -> Void) async {
        guard begin() else { return }
        repeat { await work() } while !end()
    }

    private func begin() -> Bool {
        state.withLock { state in
            defer { state = state == .idle ? .inHand : .inHandAndWanted }
            return state == .idle
        }
    }

    /// Whether nobody has wanted it meanwhile.
    private func end() -> Bool {
        state.withLock { state in
            state = state == .inHandAndWanted ? .inHand : .idle
            return state == .idle
        }
    }
}
