import Dispatch
import PosternBase
import PosternCrypto
import PosternJOSE
import PosternKeySets
import PosternTokens

/// Whether verifications on two threads at once cost more CPU time than on one.
enum ThreadBench {
    /// Pieces a round: short ones in turn, so that what neighbours do hits all alike.
    private static let pieces = 6

    static func run(rounds: Int) async throws {
        let good = try BenchToken.good(.rs256)
        // With the source that a daemon has, whose lock the threads share.
        let verifier = try await verifier(of: good)
        // The hardware's share: two threads of one core slow each other down without any help of ours.
        nonisolated(unsafe) let raws = try (0..<2).map { _ in try RawVerification(good.token, good.key.publicKey) }
        let ours: Work = { _ in try good.verify(with: verifier) }
        let limit: Work = { try raws[$0].verify() }
        var rates = Rates()
        for round in 0...rounds * pieces {
            let seen = Rates(
                ours: (try rate(threads: 1, ours), try rate(threads: 2, ours)),
                limit: (try rate(threads: 1, limit), try rate(threads: 2, limit))
            )
            if round > 0 { rates.add(seen) }
        }
        print("two threads, verify RS256  \(rates.line(rates.ours))")
        print("two threads, raw limit  \(rates.line(rates.limit))")
        print("two threads, ours of the limit's  ratio \(Rates.text(rates.shares))")
    }

    private typealias Work = @Sendable (_ thread: Int) throws -> Void

    /// Operations a CPU second, alone and together.
    private struct Rates {
        typealias Pairs = (alone: [Double], together: [Double])
        var ours: Pairs = ([], [])
        var limit: Pairs = ([], [])

        init() {}

        init(ours: (Double, Double), limit: (Double, Double)) {
            self.ours = ([ours.0], [ours.1])
            self.limit = ([limit.0], [limit.1])
        }

        mutating func add(_ other: Rates) {
            ours.alone += other.ours.alone
            ours.together += other.ours.together
            limit.alone += other.limit.alone
            limit.together += other.limit.together
        }

        /// What a second thread leaves of ours, measured by what it leaves of the limit in the same moment.
        var shares: [Double] { zip(Self.ratios(ours), Self.ratios(limit)).map { $0 / $1 } }

        static func ratios(_ pairs: Pairs) -> [Double] { zip(pairs.together, pairs.alone).map { $0 / $1 } }

        /// The median with the quartiles.
        static func text(_ ratios: [Double]) -> String {
            let sorted = ratios.sorted()
            let quarters = (1...3).map { Measurement.fixed(sorted[sorted.count * $0 / 4]) }
            return "\(quarters[1]) (\(quarters[0])-\(quarters[2]))"
        }

        /// `50100/CPU-s  alone 51000/CPU-s  ratio 0.98 (0.97-0.99)`
        func line(_ pairs: Pairs) -> String {
            let median = { (rates: [Double]) in Int(rates.sorted()[rates.count / 2]) }
            return "\(median(pairs.together))/CPU-s  alone \(median(pairs.alone))/CPU-s  "
                + "ratio \(Self.text(Self.ratios(pairs)))"
        }
    }

    private static func verifier(of token: BenchToken) async throws -> TokenVerifier {
        let source = try RemoteKeySource(token.verifier.provider, client: FixedClient(token.key.publicKey))
        await source.warm()
        return try TokenVerifier(token.verifier.provider, keys: source, time: .fixed(BenchToken.issuedAt + 1))
    }

    private static func rate(threads: Int, _ work: Work) throws -> Double {
        let count = 2_000
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
