internal import Glibc
internal import PosternBase

/// Where the handler writes. A global, since a handler is given nothing; set before the handler is.
nonisolated(unsafe) private var writingEnd: Int32 = -1

/// The signals that end the daemon, and the one that reloads its settings. A handler may do next to nothing, so it hands the number to a thread that waits for it.
///
/// They are not blocked and waited for: threads that the runtime started before would still take them, and end the process.
enum Signals {
    fileprivate static let ending: [Int32] = [SIGTERM, SIGINT]

    /// From now on the signals that end come out of the pipe; nil when the system would not make one.
    static func catchThem() -> Pipe? {
        let pipe = open(reloads: false)
        pipe?.catchEnding()
        return pipe
    }

    /// The pipe, into which SIGHUP falls from now on when it is to reload: to a program in a terminal it says that the terminal is
    /// gone. A start may take long, so the signals that end are left as they are until they are caught too.
    static func open(reloads: Bool) -> Pipe? {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { return nil }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        writingEnd = ends[1]
        if reloads { signal(SIGHUP, handler) }
        return Pipe(readingEnd: ends[0])
    }

    fileprivate static let handler: @convention(c) (Int32) -> Void = { number in
        let before = errno
        var byte = UInt8(truncatingIfNeeded: number)
        _ = write(writingEnd, &byte, 1)
        errno = before
    }

    static func name(_ signal: Int32) -> String {
        switch signal {
        case SIGTERM: "SIGTERM"
        case SIGINT: "SIGINT"
        default: "none"
        }
    }

    /// What the handler writes to.
    struct Pipe {
        let readingEnd: Int32

        func catchEnding() { for number in Signals.ending { signal(number, Signals.handler) } }

        /// The first signal, for who does not reload.
        func first() async -> Int32 { await started().next() }

        /// Waits for the signals from now on, on a thread of its own.
        func started() -> Waiter {
            let waiter = Waiter(readingEnd)
            let retained = Unmanaged.passRetained(waiter)
            var thread = pthread_t()
            if pthread_create(&thread, nil, signalWaiterStart, retained.toOpaque()) == 0 {
                pthread_detach(thread)
            } else {
                retained.release()
                waiter.deliver(0)
            }
            return waiter
        }
    }

    /// Hands out signals as they come, up to the first that ends the daemon; a second one of these ends the process at once.
    final class Waiter: Sendable {
        private struct State {
            var waiting: [Int32] = []
            var asking: UnsafeContinuation<Int32, Never>?
        }

        private let readingEnd: Int32
        private let state = Lock(State())

        fileprivate init(_ readingEnd: Int32) { self.readingEnd = readingEnd }

        /// The next one; 0 when nobody could wait for them. Of several reloads that wait one is enough. One may ask at a time.
        func next() async -> Int32 {
            await withUnsafeContinuation { continuation in
                let number: Int32? = state.withLock { state in
                    guard state.waiting.isEmpty else { return state.waiting.removeFirst() }
                    state.asking = continuation
                    return nil
                }
                if let number { continuation.resume(returning: number) }
            }
        }

        fileprivate func deliver(_ number: Int32) {
            let asking: UnsafeContinuation<Int32, Never>? = state.withLock { state in
                if let asking = state.asking {
                    state.asking = nil
                    return asking
                }
                if number != SIGHUP || !state.waiting.contains(number) { state.waiting.append(number) }
                return nil
            }
            asking?.resume(returning: number)
        }

        fileprivate func run() {
            var number = read()
            while number == SIGHUP {
                deliver(number)
                number = read()
            }
            deliver(number)
            repeat { number = read() } while number == SIGHUP
            EventLog.write(.killed, [("signal", .text(Signals.name(number), from: .ownWords))])
            EventLog.flush(milliseconds: 100)
            _exit(ExitStatus.trouble.rawValue)
        }

        private func read() -> Int32 {
            var byte: UInt8 = 0
            while Glibc.read(readingEnd, &byte, 1) != 1 {
                guard errno == EINTR else { return 0 }
            }
            return Int32(byte)
        }
    }
}

/// A function of the file: a closure that is made on the main actor would trap on another thread.
private func signalWaiterStart(_ context: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    guard let context else { return nil }
    Unmanaged<Signals.Waiter>.fromOpaque(context).takeRetainedValue().run()
    return nil
}
