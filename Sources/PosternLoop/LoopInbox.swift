internal import CLinux
internal import Glibc
internal import PosternBase

/// What other threads want of a loop. A wake-up is one write, and none while another is on its way.
final class LoopInbox: Sendable {
    struct Mail {
        var jobs: [UnownedJob] = []
        var works: [@Sendable () -> Void] = []
        var isStopping = false

        var isEmpty: Bool { jobs.isEmpty && works.isEmpty && !isStopping }
    }

    private struct State {
        var mail = Mail()
        var isWoken = false
        var isClosed = false
    }

    private let state = Lock(State())
    /// The counter that the loop waits for.
    let bell: Int32

    init() throws(LoopError) {
        bell = postern_eventfd(0, O_CLOEXEC | O_NONBLOCK)
        guard bell >= 0 else { throw LoopError("eventfd") }
    }

    deinit { close(bell) }

    /// False when the loop takes nothing any more.
    func put(_ change: (inout Mail) -> Void) -> Bool {
        let (isTaken, isFirst) = state.withLock { state in
            guard !state.isClosed else { return (false, false) }
            change(&state.mail)
            defer { state.isWoken = true }
            return (true, !state.isWoken)
        }
        // The counter cannot be full: nobody writes before the loop has read.
        if isFirst {
            var one: UInt64 = 1
            _ = write(bell, &one, 8)
        }
        return isTaken
    }

    /// Takes what has come; the bell was heard. Leaves `spare`, which is empty, so that no memory is asked for.
    func take(leaving spare: consuming Mail) -> Mail {
        var count: UInt64 = 0
        _ = read(bell, &count, 8)
        return state.withLock { state in
            state.isWoken = false
            let mail = state.mail
            state.mail = spare
            return mail
        }
    }

    /// Takes the last mail; whoever comes later is told.
    func close() -> Mail {
        state.withLock { state in
            state.isClosed = true
            defer { state.mail = Mail() }
            return state.mail
        }
    }

    private func close(_ descriptor: Int32) { Glibc.close(descriptor) }
}

/// Why a loop could not be made or could not watch a descriptor.
package struct LoopError: Error, Sendable, Equatable {
    /// The system call that failed.
    package let call: String
    /// Its error number.
    package let number: Int32

    init(_ call: String, _ number: Int32 = errno) {
        self.call = call
        self.number = number
    }
}
