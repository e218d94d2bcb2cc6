#if POSTERN_SANITIZE
internal import Glibc
#else
internal import Synchronization
#endif

/// A value that can only be reached while its lock is held.
package final class Lock<Value>: @unchecked Sendable {
    #if POSTERN_SANITIZE
    // Thread Sanitizer does not see Synchronization.Mutex, but it sees pthread.
    private let mutex: UnsafeMutablePointer<pthread_mutex_t>
    private var value: Value

    package init(_ value: sending Value) {
        mutex = .allocate(capacity: 1)
        mutex.initialize(to: pthread_mutex_t())
        pthread_mutex_init(mutex, nil)
        self.value = value
    }

    deinit {
        pthread_mutex_destroy(mutex)
        mutex.deallocate()
    }

    package func withLock<Result>(_ body: (inout Value) -> Result) -> Result {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        return body(&value)
    }
    #else
    // @unchecked: the compiler cannot see that `unguarded` is touched under `mutex` alone, which this class makes sure of.
    private let mutex = Mutex(())
    private var unguarded: Value

    package init(_ value: sending Value) { unguarded = value }

    package func withLock<Result>(_ body: (inout Value) -> Result) -> Result {
        mutex.withLock { _ in body(&unguarded) }
    }
    #endif
}
