import Dispatch
import Postern
import PosternTestSupport

/// Runs jobs in order on a thread of its queue and counts them.
final class CountingExecutor: SerialExecutor {
    private let queue = DispatchQueue(label: "counting executor")
    private let jobs = Lock(0)

    var count: Int { jobs.withLock { $0 } }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        jobs.withLock { $0 += 1 }
        queue.async { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
    }
}

/// A caller with an executor of its own: whoever leaves it has to come back, as one more job.
actor CountingActor {
    private let executor = CountingExecutor()

    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    /// The verdict, and how often the call came back from elsewhere.
    func verify(_ token: String, with verifier: TokenVerifier) async throws -> (identity: VerifiedIdentity, hops: Int) {
        let before = executor.count
        let identity = try await verifier.verify(token, nonce: TestToken.rawNonce)
        return (identity, executor.count - before)
    }

    func check(_ token: String, with verifier: TokenVerifier) async throws -> (verdict: Verdict, hops: Int) {
        let before = executor.count
        let verdict = try await verifier.check(token, nonce: TestToken.rawNonce)
        return (verdict, executor.count - before)
    }

    /// The count of a call that leaves for certain.
    func leave() async -> Int {
        let before = executor.count
        await elsewhere(executor)
        return executor.count - before
    }

    /// Reads something: a function that does nothing need not be gone to.
    @concurrent nonisolated private func elsewhere(_ executor: CountingExecutor) async { _ = executor.count }
}
