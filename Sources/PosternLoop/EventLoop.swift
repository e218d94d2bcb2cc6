internal import CLinux
internal import Glibc
internal import PosternBase

/// One thread that waits for many descriptors, and runs the tasks that prefer it.
///
/// A task that is started on the thread with `Task.immediate(executorPreference: loop)` runs at once, inside the caller, as
/// long as it does not suspend; what comes after a suspension runs on this thread again.
///
/// Members that say so may be used on the loop's thread only, and nothing checks that.
package final class EventLoop: TaskExecutor, @unchecked Sendable {
    // @unchecked: `core` is touched on the loop's thread alone; the rest is constant or locked.
    let core: LoopCore
    private let inbox: LoopInbox
    private let name: String

    private struct State {
        /// The thread, until somebody has waited for its end.
        var thread: pthread_t?
        var isStarted = false
        var hasEnded = false
        var waiting: [CheckedContinuation<Void, Never>] = []
    }

    private let state = Lock(State())

    /// A loop that does not run yet. The name is the thread's, of which the system shows 15 bytes.
    package init(name: String) throws(LoopError) {
        inbox = try LoopInbox()
        core = try LoopCore(inbox)
        self.name = name
    }

    // Nobody will wait for its end any more, so the system keeps nothing of the thread.
    deinit { if let thread = state.withLock({ $0.thread }) { pthread_detach(thread) } }

    /// Starts the thread.
    package func start() throws(LoopError) {
        let failure: Int32 = state.withLock { state in
            guard !state.isStarted else { return 0 }
            let argument = Unmanaged.passRetained(self)
            var thread = pthread_t()
            let result = pthread_create(&thread, nil, loopThreadStart, argument.toOpaque())
            guard result == 0 else {
                argument.release()
                return result
            }
            state.isStarted = true
            state.thread = thread
            return 0
        }
        guard failure == 0 else { throw LoopError("pthread_create", failure) }
    }

    /// Tells the thread to end; what it was given before is still done. Sources that are left are let go of without a word.
    package func stop() { _ = inbox.put { $0.isStopping = true } }

    /// Waits until the thread has ended. Called on the thread itself it waits for nothing.
    package func join() {
        guard let thread = state.withLock({ $0.thread.take() }) else { return }
        if pthread_equal(thread, pthread_self()) != 0 {
            pthread_detach(thread)
        } else {
            pthread_join(thread, nil)
        }
    }

    /// `stop`, and back once the thread has ended; no thread is kept waiting meanwhile. Not to be called on the thread itself.
    package func end() async {
        stop()
        await withCheckedContinuation { continuation in
            let waits = state.withLock { state in
                let waits = state.isStarted && !state.hasEnded
                if waits { state.waiting.append(continuation) }
                return waits
            }
            if !waits { continuation.resume() }
        }
        join()
    }

    /// Runs `work` on the thread soon; false when the loop has ended and nothing will happen.
    @discardableResult
    package func submit(_ work: @escaping @Sendable () -> Void) -> Bool { inbox.put { $0.works.append(work) } }

    /// A job of a task. After the end of the loop the global executor takes it: a task must not wait for ever.
    package func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        if isCurrent {
            core.jobs.append(job)
        } else if !inbox.put({ $0.jobs.append(job) }) {
            globalConcurrentExecutor.enqueue(ExecutorJob(job))
        }
    }

    /// Whether the caller runs on the loop's thread.
    package var isCurrent: Bool { core.isCurrent }

    func run() {
        _ = postern_name_thread(pthread_self(), String(name.prefix(15)))
        core.run(on: asUnownedTaskExecutor())
        let late = inbox.close()
        for work in late.works { work() }
        for job in late.jobs + core.jobs { globalConcurrentExecutor.enqueue(ExecutorJob(job)) }
        core.end()
        let waiting = state.withLock { state in
            state.hasEnded = true
            defer { state.waiting = [] }
            return state.waiting
        }
        for continuation in waiting { continuation.resume() }
    }
}

/// On the loop's thread only.
extension EventLoop {
    /// The time at which this round of the loop began.
    package var now: LoopTime { LoopTime(milliseconds: core.now) }

    /// Whether this round has lasted so long that others should have their turn.
    package var hasRunLong: Bool { core.hasRunLong }

    /// Watches a descriptor, which stays the caller's, for the events. Without a descriptor the source has a deadline only.
    package func add(_ descriptor: Int32?, _ events: LoopEvents, _ source: any LoopSource) throws(LoopError)
        -> LoopToken
    {
        try core.add(descriptor ?? -1, events.rawValue, source)
    }

    /// Watches for other events from now on; with `.once` those that are there already are told too.
    package func change(_ token: LoopToken, _ events: LoopEvents) { core.change(token, events.rawValue) }

    /// Lets go of the source: it is not called any more. To be called before the descriptor is closed.
    package func remove(_ token: LoopToken) { core.remove(token) }

    /// When to call `timeIsUp`, once; replaces what was set before.
    package func setDeadline(_ token: LoopToken, _ time: LoopTime) { core.setDeadline(token, time.milliseconds) }

    /// Has `call` called in each round once its events have been told: for what several sources do together.
    package func afterEvents(_ call: (() -> Void)?) { core.afterEvents = call }

    /// Calls `ready` without events in the next round, after others have had their turn.
    package func again(_ token: LoopToken) { core.turns.append(token.packed) }
}

/// A function of the file: a closure that is made on the main actor would trap on another thread.
private func loopThreadStart(_ argument: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    guard let argument else { return nil }
    Unmanaged<EventLoop>.fromOpaque(argument).takeRetainedValue().run()
    return nil
}
