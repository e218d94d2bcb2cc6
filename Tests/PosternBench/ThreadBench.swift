import Dispatch
import PosternBase
import PosternCrypto
import PosternJOSE
import PosternKeySets
import PosternTokens

/// Whether verifications on two threads at once cost more CPU time than on one.
enum ThreadBench {
    static func run(rounds: Int) async throws {
        let good = try BenchToken.good(.rs256)
        // With the source that a daemon has, whose lock the threads share.
        let verifier = try await verifier(of: good)
        // The hardware's share: two threads of one core slow each other down without any help of ours.
        let raws = try (0..<2).map { _ in try RawVerification(good.token, good.key.publicKey) }
        try measure("two threads, verify RS256", rounds) { _ in try good.verify(with: verifier) }
        nonisolated(unsafe) let limits = raws
        try measure("two threads, raw limit", rounds) { try limits[$0].verify() }
    }

    private static func verifier(of token: BenchToken) async throws -> TokenVerifier {
        let source = try RemoteKeySource(token.verifier.provider, client: FixedClient(token.key.publicKey))
        await source.warm()
        return try TokenVerifier(token.verifier.provider, keys: source, time: .fixed(BenchToken.issuedAt + 1))
    }

    /// Prints `two threads, verify RS256  50100/CPU-s  alone 51000/CPU-s  ratio 0.98 (0.97-0.99)`.
    private static func measure(
        _ name: String,
        _ rounds: Int,
        _ work: @escaping @Sendable (_ thread: Int) throws -> Void
    ) throws {
        var (alone, together): ([Double], [Double]) = ([], [])
        for round in 0...rounds {
            let pair = [try rate(threads: 1, work), try rate(threads: 2, work)]
            guard round > 0 else { continue }
            alone.append(pair[0])
            together.append(pair[1])
        }
        let ratios = zip(together, alone).map { $0 / $1 }.sorted()
        let median = { (rates: [Double]) in Int(rates.sorted()[rates.count / 2]) }
        print(
            "\(name)  \(median(together))/CPU-s  alone \(median(alone))/CPU-s  "
                + "ratio \(Measurement.fixed(ratios[ratios.count / 2])) "
                + "(\(Measurement.fixed(ratios[0]))-\(Measurement.fixed(ratios[ratios.count - 1])))"
        )
    }

    private static func rate(threads: Int, _ work: @escaping @Sendable (Int) throws -> Void) throws -> Double {
        let count = 8_000
        let result = Lock((seconds: 0.0, failures: 0))
        DispatchQueue.concurrentPerform(iterations: threads) { thread in
            let start = Measurement.cpuTime()
            var failures = 0
            for _ in 0..<count where (try? work(thread)) == nil { failures += 1 }
            let seconds = Measurement.cpuTime() - start
            result.withLock {
                $0.seconds += seconds
                $0.failures += failures
            }
        }
        guard result.withLock({ $0.failures }) == 0 else { throw RawVerification.Failed() }
        return Double(count * threads) / result.withLock { $0.seconds }
    }
}
