import PosternLoop
import Testing

/// Runs each test on a thread of its own: tests with daemons block, and the pool of tasks has as few threads as the machine
/// has cores. Whatever else runs in it, such as the deadlines of other tests, would wait with them.
struct OwnThread: SuiteTrait, TestTrait, TestScoping {
    var isRecursive: Bool { true }

    func provideScope(
        for test: Test,
        testCase: Test.Case?,
        performing function: @Sendable @concurrent () async throws -> Void
    ) async throws {
        guard testCase != nil else { return try await function() }
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
