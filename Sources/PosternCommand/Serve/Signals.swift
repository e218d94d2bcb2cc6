internal import Glibc
internal import PosternBase

/// Where the handler writes. A global, since a handler is given nothing; set before the handler is.
nonisolated(unsafe) private var writingEnd: Int32 = -1

/// The signals that end the daemon. A handler may do next to nothing, so it hands the number to a thread that waits for it.
///
/// They are not blocked and waited for: threads that the runtime started before would still take them, and end the process.
enum Signals {
    private static let ending: [Int32] = [SIGTERM, SIGINT]

    /// From now on the signals come out of the pipe; nil when the system would not make one.
    static func catchThem() -> Pipe? {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { return nil }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        writingEnd = ends[1]
        for number in ending { signal(number, handler) }
        return Pipe(readingEnd: ends[0])
    }

    private static let handler: @convention(c) (Int32) -> Void = { number in
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

        /// The first signal, once it has come; a second one ends the process at once. 0 when nobody could wait for it.
        func first() async -> Int32 {
            let readingEnd = readingEnd
            return await withUnsafeContinuation { continuation in
                let waiter = Unmanaged.passRetained(Waiter(readingEnd, continuation))
                var thread = pthread_t()
                if pthread_create(&thread, nil, Waiter.run, waiter.toOpaque()) == 0 {
                    pthread_detach(thread)
                } else {
                    waiter.takeRetainedValue().continuation.resume(returning: 0)
                }
            }
        }
    }

    private final class Waiter: Sendable {
        private let readingEnd: Int32
        let continuation: UnsafeContinuation<Int32, Never>

        init(_ readingEnd: Int32, _ continuation: UnsafeContinuation<Int32, Never>) {
            self.readingEnd = readingEnd
            self.continuation = continuation
        }

        static let run: @convention(c) (UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? = { context in
            guard let context else { return nil }
            let waiter = Unmanaged<Waiter>.fromOpaque(context).takeRetainedValue()
            waiter.continuation.resume(returning: waiter.next())
            EventLog.write(.killed, [("signal", .text(Signals.name(waiter.next()), from: .ownWords))])
            EventLog.flush(milliseconds: 100)
            _exit(ExitStatus.trouble.rawValue)
        }

        private func next() -> Int32 {
            var byte: UInt8 = 0
            while read(readingEnd, &byte, 1) != 1 {
                guard errno == EINTR else { return 0 }
            }
            return Int32(byte)
        }
    }
}
