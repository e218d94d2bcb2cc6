import PosternBase
import PosternLoop
import Testing

/// Runs each test on a thread of its own: tests with daemons block, and the pool of tasks has as few threads as the machine
/// has cores. Whatever else runs in it, such as the deadlines of other tests, would wait with them.
struct OwnThread: SuiteTrait, TestTrait, TestScoping {
    var isRecursive: Bool { true }

    /// Foundation reads beyond its memory when it starts a process while this one has some 1,300 descriptors, which all tests at once have.
    private static let places = Places(32)

    func provideScope(
        for test: Test,
        testCase: Test.Case?,
        performing function: @Sendable @concurrent () async throws -> Void
    ) async throws {
        guard testCase != nil else { return try await function() }
        await Self.places.take()
        defer { Self.places.leave() }
        let loop = try EventLoop(name: "test")
        try loop.start()
        defer {
            loop.stop()
            loop.join()
        }
        try await withTaskExecutorPreference(loop) { try await function() }
    }
}

extension Trait where Self == OwnThread {
    static var onAThreadOfItsOwn: Self { OwnThread() }
}

/// So many at a time; who comes later waits for the next one to leave.
private final class Places: Sendable {
    private let state: Lock<(free: Int, waiting: [CheckedContinuation<Void, Never>])>

    init(_ count: Int) { state = Lock((count, [])) }

    func take() async {
        await withCheckedContinuation { continuation in
            let isTaken = state.withLock { state in
                guard state.free > 0 else {
                    state.waiting.append(continuation)
                    return false
                }
                state.free -= 1
                return true
            }
            if isTaken { continuation.resume() }
        }
    }

    func leave() {
        let next = state.withLock { state in
            guard state.waiting.isEmpty else { return state.waiting.removeFirst() as CheckedContinuation<Void, Never>? }
            state.free += 1
            return nil
        }
        next?.resume()
    }
}
