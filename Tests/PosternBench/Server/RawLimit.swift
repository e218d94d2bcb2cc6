import Dispatch
import PosternBase
import PosternCrypto

/// The limit as a server of several threads meets it: raw verifications on as many threads at once, since threads that
/// share a machine slow each other down.
final class RawLimit {
    private let threads: [RawVerification]

    init(_ pool: TokenPool, threads: Int) throws {
        self.threads = try (0..<threads).map { try RawVerification(pool.tokens[$0], pool.key.publicKey) }
    }

    /// Microseconds of CPU time for one verification, over so many on each thread.
    func cost(_ count: Int) throws -> Double {
        nonisolated(unsafe) let threads = threads
        let result = Lock((seconds: 0.0, failures: 0))
        DispatchQueue.concurrentPerform(iterations: threads.count) { thread in
            let start = Measurement.cpuTime()
            var failures = 0
            for _ in 0..<count where (try? threads[thread].verify()) == nil { failures += 1 }
            let seconds = Measurement.cpuTime() - start
            result.withLock {
                $0.seconds += seconds
                $0.failures += failures
            }
        }
        guard result.withLock({ $0.failures }) == 0 else { throw RawVerification.Failed() }
        return result.withLock { $0.seconds } / Double(count * threads.count) * 1e6
    }
}
