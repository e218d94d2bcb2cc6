#if POSTERN_SANITIZE
    package import Glibc
#else
    package import Synchronization
#endif

/// A value that can only be reached while its lock is held.
package final class Lock<Value>: @unchecked Sendable {
    // @unchecked: the compiler cannot see that `value` is touched under the lock alone, which this class makes sure of.
    // The lock is the exclusivity: to check it once more at run time costs as much as the lock.
    @exclusivity(unchecked)
    @usableFromInline
    var value: Value

    #if POSTERN_SANITIZE
        // Thread Sanitizer does not see Synchronization.Mutex, but it sees pthread.
        @usableFromInline
        let mutex: UnsafeMutablePointer<pthread_mutex_t>

        @inlinable
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

        @inlinable
        @inline(__always)
        package func withLock<Result>(_ body: (inout Value) -> Result) -> Result {
            pthread_mutex_lock(mutex)
            defer { pthread_mutex_unlock(mutex) }
            return body(&value)
        }
    #else
        @usableFromInline
        let mutex = Mutex(())

        @inlinable
        package init(_ value: sending Value) { self.value = value }

        @inlinable
        @inline(__always)
        package func withLock<Result>(_ body: (inout Value) -> Result) -> Result {
            mutex.withLock { _ in body(&value) }
        }
    #endif
}
