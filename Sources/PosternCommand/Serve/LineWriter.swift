internal import Glibc
internal import PosternBase

/// Lines on their way to a stream, written by a thread of their own: a reader that does not read holds up nobody else. What
/// there is no room for is lost, and how much is told when there is room again.
final class LineWriter: @unchecked Sendable {
    // @unchecked: what changes is behind `mutex`.

    /// Bytes that may wait.
    static let capacity = 262_144

    private let descriptor: Int32
    private let lost: @Sendable (Int) -> String
    private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    /// Something has come, or has been written.
    private let changed = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
    private var waiting: [UInt8] = []
    private var lostCount = 0
    /// All that were ever lost.
    let lostInAll = RelaxedCounter()
    private var isWriting = false
    private var isStarted = false

    /// `lost` makes the line that tells how many were lost. A writer is for as long as the process lives.
    init(_ descriptor: Int32, lost: @escaping @Sendable (Int) -> String) {
        self.descriptor = descriptor
        self.lost = lost
        mutex.initialize(to: pthread_mutex_t())
        pthread_mutex_init(mutex, nil)
        changed.initialize(to: pthread_cond_t())
        // What is waited for must not hang on steps of the clock.
        var attributes = pthread_condattr_t()
        pthread_condattr_init(&attributes)
        pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC)
        pthread_cond_init(changed, &attributes)
        pthread_condattr_destroy(&attributes)
    }

    func write(_ line: String) {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        if lostCount > 0 || waiting.count + line.utf8.count > Self.capacity {
            lostCount += 1
            lostInAll.add()
        } else {
            waiting += line.utf8
        }
        if !isStarted { start() }
        pthread_cond_broadcast(changed)
    }

    /// Waits until all is written, at most so long.
    func flush(milliseconds: Int) {
        var end = timespec()
        clock_gettime(CLOCK_MONOTONIC, &end)
        end.tv_sec += milliseconds / 1_000
        end.tv_nsec += milliseconds % 1_000 * 1_000_000
        if end.tv_nsec >= 1_000_000_000 { (end.tv_sec, end.tv_nsec) = (end.tv_sec + 1, end.tv_nsec - 1_000_000_000) }
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        while isStarted, isWriting || !waiting.isEmpty || lostCount > 0 {
            if pthread_cond_timedwait(changed, mutex, &end) != 0 { return }
        }
    }

    private func start() {
        let argument = Unmanaged.passRetained(self)
        var thread = pthread_t()
        isStarted = pthread_create(&thread, nil, lineWriterStart, argument.toOpaque()) == 0
        if isStarted { pthread_detach(thread) } else { argument.release() }
    }

    fileprivate func run() {
        while true { _ = StandardStreams.write(next(), to: descriptor) }
    }

    /// What is to be written, once there is something.
    private func next() -> [UInt8] {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        isWriting = false
        while waiting.isEmpty, lostCount == 0 {
            pthread_cond_broadcast(changed)
            pthread_cond_wait(changed, mutex)
        }
        isWriting = true
        var lines = waiting
        waiting = []
        if lostCount > 0 { lines += lost(lostCount).utf8 }
        lostCount = 0
        return lines
    }
}

/// A function of the file: a closure that is made on the main actor would trap on another thread.
private func lineWriterStart(_ argument: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    guard let argument else { return nil }
    Unmanaged<LineWriter>.fromOpaque(argument).takeRetainedValue().run()
    return nil
}
