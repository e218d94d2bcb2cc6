import Foundation
import Glibc
import PosternTestSupport
import Synchronization
import Testing

@testable import PosternCommand

/// Set by the thread that waits.
private final class Waiting: Sendable {
    let thread = Atomic<UInt>(0)
    let isOver = Atomic<Bool>(false)
}

@Suite(.onAThreadOfItsOwn) struct NamedPipeTests {
    /// SIGHUP is caught before the settings are read: nothing is there yet, and must not be taken for an empty file.
    @Test func signalsEndNoWaiting() throws {
        let folder = try TemporaryFolder()
        let path = folder.url.appendingPathComponent("pipe").path
        #expect(mkfifo(path, 0o600) == 0)
        let reader = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
        defer { close(reader) }
        signal(SIGUSR2) { _ in }
        let waiting = Waiting()
        Thread.detachNewThread {
            // It has the mask of the runtime's thread that makes it, which takes none.
            var mask = sigset_t()
            sigemptyset(&mask)
            sigaddset(&mask, SIGUSR2)
            pthread_sigmask(SIG_UNBLOCK, &mask, nil)
            waiting.thread.store(UInt(pthread_self()), ordering: .releasing)
            NamedPipe.awaitWriter(reader, "a pipe of a test")
            waiting.isOver.store(true, ordering: .releasing)
        }
        while waiting.thread.load(ordering: .acquiring) == 0 { sched_yield() }
        for _ in 0..<200 {
            pthread_kill(pthread_t(waiting.thread.load(ordering: .acquiring)), SIGUSR2)
            poll(nil, 0, 1)
            guard !waiting.isOver.load(ordering: .acquiring) else { break }
        }
        let isOver = waiting.isOver.load(ordering: .acquiring)
        #expect(!isOver)
        let writer = open(path, O_WRONLY | O_CLOEXEC)
        var byte: UInt8 = 0x0A
        #expect(write(writer, &byte, 1) == 1)
        while !waiting.isOver.load(ordering: .acquiring) { sched_yield() }
        close(writer)
    }
}
