/// Threads for work that takes long or blocks, at lower priority than those that answer: so many at once, so much that waits, and
/// no more. Threads start with the first work.
package final class WorkerPool: Sendable {
    private let core: WorkerCore

    /// - Parameters:
    ///   - name: the threads', of which the system shows 15 bytes.
    ///   - threads: how much is done at once, at least one.
    ///   - queue: how much may wait besides.
    ///   - niceness: how much nicer than the thread that starts them the threads are, by the measure of nice(1).
    package init(
        name: String,
        threads: Int,
        queue: Int,
        niceness: Int32 = 10,
        clock: MonotonicTimeSource = .system
    ) {
        core = WorkerCore(name: name, threads: max(threads, 1), queue: max(queue, 0), niceness: niceness, clock: clock)
    }

    deinit { core.close() }

    /// Does the work on one of the threads.
    ///
    /// A task that is cancelled goes on at once: what waits for it is never begun, and what was begun is done for nobody.
    package func run<Value: Sendable>(
        _ work: @escaping @Sendable () -> Value
    ) async throws(WorkerPoolRefusal) -> Value {
        let waiter = WorkWaiter<Value>()
        let result: Result<Value, WorkerPoolRefusal> = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                guard waiter.wait(continuation) else { return }
                let entry = WorkerCore.Entry(
                    waiter: waiter,
                    perform: { if waiter.isWaiting { waiter.settle(.success(work())) } },
                    refuse: { waiter.settle(.failure($0)) }
                )
                if let refusal = core.put(entry) { waiter.settle(.failure(refusal)) }
            }
        } onCancel: {
            waiter.settle(.failure(.cancelled))
            core.remove(waiter)
        }
        return try result.get()
    }

    /// Takes no more work. What waits is refused; what was begun is finished.
    package func close() { core.close() }

    /// `close`, and back once the threads have ended. Not to be called by the work.
    package func end() async {
        core.close()
        await withCheckedContinuation { core.tellWhenEnded($0) }
    }

    /// How it stands at this moment.
    package var state: State { core.state }

    package struct State: Sendable, Equatable {
        package var threads = 0
        /// Works that are being done.
        package var busy = 0
        package var waiting = 0

        package init() {}
    }
}

/// Why work was not done, or its result is not to be had.
package enum WorkerPoolRefusal: Error, Equatable {
    /// As much waits as may; there should be room in so many seconds.
    case busy(retryAfterSeconds: Int)
    /// The task that asked was cancelled.
    case cancelled
    case closed
}
