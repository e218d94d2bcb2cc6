import PosternBase

/// A clock that stands until it is pushed.
final class ManualClock: Sendable {
    private struct State {
        var now: Duration = .seconds(1_000_000)
        var last = 0
        var sleepers: [Int: (until: Duration, continuation: CheckedContinuation<Void, Never>)] = [:]
    }

    private let state = Lock(State())

    var source: MonotonicTimeSource {
        MonotonicTimeSource(now: { self.now }, sleepUntil: { await self.sleep(until: $0) })
    }

    var now: Duration { state.withLock { $0.now } }

    /// Pushes the clock and wakes those whose time has come.
    func advance(by span: Duration) {
        let woken = state.withLock { state -> [CheckedContinuation<Void, Never>] in
            state.now += span
            let due = state.sleepers.filter { $0.value.until <= state.now }
            for number in due.keys { state.sleepers[number] = nil }
            return due.values.map(\.continuation)
        }
        for continuation in woken { continuation.resume() }
    }

    private func sleep(until end: Duration) async {
        let number = state.withLock { state in
            state.last += 1
            return state.last
        }
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isOver = state.withLock { state in
                    if state.now >= end || Task.isCancelled { return true }
                    state.sleepers[number] = (end, continuation)
                    return false
                }
                if isOver { continuation.resume() }
            }
        } onCancel: {
            state.withLock { $0.sleepers.removeValue(forKey: number)?.continuation }?.resume()
        }
    }
}
