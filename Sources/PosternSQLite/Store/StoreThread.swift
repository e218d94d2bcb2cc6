internal import CLinux
internal import Glibc
internal import PosternAccounts
internal import PosternBase

/// A thread that runs one function to its end, and can be waited for.
final class StoreThread: Sendable {
    private struct State {
        var hasEnded = false
        var waiting: [CheckedContinuation<Void, Never>] = []
    }

    private let state = Lock(State())
    private let name: String
    private let body: @Sendable () -> Void

    /// Starts at once. The system shows 15 bytes of the name.
    static func start(_ name: String, _ body: @escaping @Sendable () -> Void) throws(StoreFault) -> StoreThread {
        let thread = StoreThread(name, body)
        let argument = Unmanaged.passRetained(thread)
        var number = pthread_t()
        let result = pthread_create(&number, nil, storeThreadStart, argument.toOpaque())
        guard result == 0 else {
            argument.release()
            throw StoreFault(.unavailable, "The system gives no thread for the database (\(result)).")
        }
        pthread_detach(number)
        return thread
    }

    private init(_ name: String, _ body: @escaping @Sendable () -> Void) {
        self.name = name
        self.body = body
    }

    /// Comes back when the function has ended; no thread is kept waiting meanwhile.
    func end() async {
        await withCheckedContinuation { continuation in
            let isOver = state.withLock { state in
                if !state.hasEnded { state.waiting.append(continuation) }
                return state.hasEnded
            }
            if isOver { continuation.resume() }
        }
    }

    fileprivate func run() {
        // Signals are the business of other threads.
        var all = sigset_t()
        sigfillset(&all)
        pthread_sigmask(SIG_BLOCK, &all, nil)
        _ = postern_name_thread(pthread_self(), String(name.prefix(15)))
        body()
        let waiting = state.withLock { state in
            state.hasEnded = true
            defer { state.waiting = [] }
            return state.waiting
        }
        for continuation in waiting { continuation.resume() }
    }
}

/// A function of the file: a closure that is made on the main actor would trap on another thread.
private func storeThreadStart(_ argument: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    guard let argument else { return nil }
    Unmanaged<StoreThread>.fromOpaque(argument).takeRetainedValue().run()
    return nil
}
