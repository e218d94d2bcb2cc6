/// Who waits for one piece of work: told once, whoever comes first with an answer.
final class WorkWaiter<Value: Sendable>: Sendable {
    private enum State {
        case new
        case waiting(CheckedContinuation<Result<Value, WorkerPoolRefusal>, Never>)
        case settled(Result<Value, WorkerPoolRefusal>)
        case told
    }

    private let state = Lock(State.new)

    /// False when it was settled before; then there is nothing left to do.
    func wait(_ continuation: CheckedContinuation<Result<Value, WorkerPoolRefusal>, Never>) -> Bool {
        let early: Result<Value, WorkerPoolRefusal>? = state.withLock { state in
            if case .settled(let result) = state {
                state = .told
                return result
            }
            state = .waiting(continuation)
            return nil
        }
        guard let early else { return true }
        continuation.resume(returning: early)
        return false
    }

    var isWaiting: Bool {
        state.withLock { if case .waiting = $0 { true } else { false } }
    }

    func settle(_ result: Result<Value, WorkerPoolRefusal>) {
        let continuation: CheckedContinuation<Result<Value, WorkerPoolRefusal>, Never>? = state.withLock { state in
            switch state {
            case .new:
                state = .settled(result)
                return nil
            case .waiting(let continuation):
                state = .told
                return continuation
            case .settled, .told:
                return nil
            }
        }
        continuation?.resume(returning: result)
    }
}
