internal import Glibc

/// What the threads of a `WorkerPool` share. The pool does not belong to it, so that they end when the pool goes.
final class WorkerCore: @unchecked Sendable {
    // @unchecked: what changes is behind `mutex`.

    struct Entry: Sendable {
        /// Tells the entry from others.
        let waiter: any AnyObject & Sendable
        let perform: @Sendable () -> Void
        let refuse: @Sendable (WorkerPoolRefusal) -> Void
    }

    private let name: String
    private let threads: Int
    private let capacity: Int
    private let niceness: Int32
    private let clock: MonotonicTimeSource
    private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    /// Work has come, or the end.
    private let changed = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
    private var queue: [Entry] = []
    private var current = WorkerPool.State()
    private var pace = WorkPace()
    private var isClosing = false
    private var waitingForEnd: [CheckedContinuation<Void, Never>] = []

    init(name: String, threads: Int, queue: Int, niceness: Int32, clock: MonotonicTimeSource) {
        self.name = name
        self.threads = threads
        capacity = queue
        self.niceness = niceness
        self.clock = clock
        mutex.initialize(to: pthread_mutex_t())
        pthread_mutex_init(mutex, nil)
        changed.initialize(to: pthread_cond_t())
        pthread_cond_init(changed, nil)
    }

    deinit {
        pthread_cond_destroy(changed)
        changed.deallocate()
        pthread_mutex_destroy(mutex)
        mutex.deallocate()
    }

    private func locked<Result>(_ body: () -> Result) -> Result {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        return body()
    }

    var state: WorkerPool.State { locked { current } }

    /// Why it is not taken, or nil.
    func put(_ entry: Entry) -> WorkerPoolRefusal? {
        locked {
            if isClosing { return .closed }
            // An idle thread takes one at once, so that one does not count as waiting.
            guard queue.count < capacity + (threads - current.busy) else { return busy }
            if current.threads - current.busy <= queue.count, current.threads < threads, !startThread(),
                current.threads == 0
            {
                return busy
            }
            queue.append(entry)
            current.waiting = queue.count
            pthread_cond_signal(changed)
            return nil
        }
    }

    private var busy: WorkerPoolRefusal {
        .busy(retryAfterSeconds: pace.seconds(for: queue.count + current.busy, threads: threads))
    }

    /// Takes away what has not been begun.
    func remove(_ waiter: any AnyObject & Sendable) {
        // Let go of after the lock: what an entry holds may do anything when it ends.
        let removed: Entry? = locked {
            guard let place = queue.firstIndex(where: { $0.waiter === waiter }) else { return nil }
            defer { current.waiting = queue.count }
            return queue.remove(at: place)
        }
        withExtendedLifetime(removed) {}
    }

    func close() {
        let left: [Entry] = locked {
            isClosing = true
            pthread_cond_broadcast(changed)
            defer {
                queue = []
                current.waiting = 0
            }
            return queue
        }
        for entry in left { entry.refuse(.closed) }
    }

    func tellWhenEnded(_ continuation: CheckedContinuation<Void, Never>) {
        let isOver = locked {
            if current.threads > 0 { waitingForEnd.append(continuation) }
            return current.threads == 0
        }
        if isOver { continuation.resume() }
    }

    /// Under the lock.
    private func startThread() -> Bool {
        let argument = Unmanaged.passRetained(self)
        var thread = pthread_t()
        guard pthread_create(&thread, nil, workerStart, argument.toOpaque()) == 0 else {
            argument.release()
            return false
        }
        pthread_detach(thread)
        current.threads += 1
        return true
    }

    fileprivate func work() {
        ThisThread.prepare(name: name, niceness: niceness)
        while let entry = next() {
            let start = clock.now()
            entry.perform()
            let spent = clock.now() - start
            locked {
                current.busy -= 1
                pace.add(spent)
            }
        }
        let waiting = locked {
            current.threads -= 1
            defer { if current.threads == 0 { waitingForEnd = [] } }
            return current.threads == 0 ? waitingForEnd : []
        }
        for continuation in waiting { continuation.resume() }
    }

    /// What is to be done now, or nil at the end.
    private func next() -> Entry? {
        locked {
            while queue.isEmpty, !isClosing { pthread_cond_wait(changed, mutex) }
            guard !queue.isEmpty else { return nil }
            current.busy += 1
            defer { current.waiting = queue.count }
            return queue.removeFirst()
        }
    }
}

/// A function of the file: a closure that is made on the main actor would trap on another thread.
private func workerStart(_ argument: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    guard let argument else { return nil }
    Unmanaged<WorkerCore>.fromOpaque(argument).takeRetainedValue().work()
    return nil
}
