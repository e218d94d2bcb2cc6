internal import Glibc

/// A lock that threads can also wait on, with a clock that only runs forward.
final class Monitor: @unchecked Sendable {
    // @unchecked: the two are made for use by several threads.
    private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    private let changed = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)

    init() {
        mutex.initialize(to: pthread_mutex_t())
        pthread_mutex_init(mutex, nil)
        changed.initialize(to: pthread_cond_t())
        var attributes = pthread_condattr_t()
        pthread_condattr_init(&attributes)
        pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC)
        pthread_cond_init(changed, &attributes)
        pthread_condattr_destroy(&attributes)
    }

    deinit {
        pthread_cond_destroy(changed)
        pthread_mutex_destroy(mutex)
        changed.deallocate()
        mutex.deallocate()
    }

    func withLock<Outcome>(_ body: () -> Outcome) -> Outcome {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        return body()
    }

    /// Within the lock: lets go of it until somebody tells, or for no reason.
    func wait() { pthread_cond_wait(changed, mutex) }

    /// Within the lock: the same, at most until a moment.
    func wait(until moment: Moment) {
        var time = moment.time
        pthread_cond_timedwait(changed, mutex, &time)
    }

    func tellOne() { pthread_cond_signal(changed) }
    func tellAll() { pthread_cond_broadcast(changed) }
}
