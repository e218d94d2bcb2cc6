import Glibc
import PosternJOSE

/// Whether memory grows with the number of verifications.
enum MemoryBench {
    /// Prints `memory growth over 1000000 verifications  0 KiB`.
    static func run() throws {
        let good = try BenchToken.good(.rs256)
        for _ in 0..<50_000 { try good.verify() }
        let before = residentKiB()
        let count = 1_000_000
        for _ in 0..<count { try good.verify() }
        print("memory growth over \(count) verifications  \(residentKiB() - before) KiB")
    }

    private static func residentKiB() -> Int {
        guard let file = fopen("/proc/self/statm", "r") else { return 0 }
        defer { fclose(file) }
        var line = [CChar](repeating: 0, count: 256)
        guard fgets(&line, Int32(line.count), file) != nil else { return 0 }
        let fields = String(decoding: line.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self).split(
            separator: " ")
        return (fields.count > 1 ? Int(fields[1]) ?? 0 : 0) * Int(getpagesize()) / 1024
    }
}
