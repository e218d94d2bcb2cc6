import Glibc
import PosternJOSE

/// Whether memory grows with the number of verifications.
enum MemoryBench {
    /// Prints `memory growth over 1000000 verifications  0 KiB`.
    static func run() throws {
        let good = try BenchToken.good(.rs256)
        for _ in 0..<50_000 { try good.verify() }
        let before = BenchProcess.residentKiB()
        let count = 1_000_000
        for _ in 0..<count { try good.verify() }
        print("memory growth over \(count) verifications  \(BenchProcess.residentKiB() - before) KiB")
    }
}
