import Dispatch
import Glibc
import PosternBase
import PosternCrypto
import PosternHTTP
import PosternJOSE
import PosternKeySets
import PosternTokens

/// What it costs to look at the keys at hand, alone and with others looking: a fixed set, and the source with its clock.
struct KeySourceBench {
    private let fixed: StaticKeySource
    private let remote: RemoteKeySource

    init() async throws {
        let client = try FixedClient(PrivateKey.generateRSA(bits: 2048).publicKey)
        fixed = StaticKeySource(try KeySet(client.body))
        let provider = try Provider.apple(audiences: [Audience("com.example.app", nonce: .hashed)])
        remote = try RemoteKeySource(provider, client: client)
        await remote.warm()
    }

    /// Prints lines such as `keys at hand, 8 threads  remote 92 ns  fixed 11 ns`: CPU time of the process, a look.
    func run() {
        for threads in [1, 2, 8] {
            let (remote, fixed) = (look(remote, threads: threads), look(fixed, threads: threads))
            print("keys at hand, \(threads) threads  remote \(remote) ns  fixed \(fixed) ns")
        }
    }

    private func look(_ source: any KeySource, threads: Int) -> Int {
        let count = 1_000_000
        let missing = Lock(0)
        let start = Self.cpuTime()
        DispatchQueue.concurrentPerform(iterations: threads) { _ in
            var none = 0
            for _ in 0..<count where source.current() == nil { none += 1 }
            missing.withLock { $0 += none }
        }
        let time = Self.cpuTime() - start
        guard missing.withLock({ $0 }) == 0 else { return -1 }
        return time / (count * threads)
    }

    /// Nanoseconds.
    private static func cpuTime() -> Int {
        var time = timespec()
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
        return time.tv_sec * 1_000_000_000 + time.tv_nsec
    }
}
