import CSodium
import Glibc
import PosternPasswords

/// A password through pool and check against libsodium's comparison alone, by the CPU time of the process: the pool has threads of its own.
enum HashBench {
    private static let password = "correct horse battery staple"
    /// Each is 19 MiB twice.
    private static let countPerSlice = 5

    static func run(rounds: Int) async throws {
        let pool = HashingPool(try PasswordCheck(Argon2idHasher()), threads: 1, queue: 1)
        guard let typed = Password(password), let wrong = Password("correct horse battery stapler") else {
            throw Failed()
        }
        let hash = try await pool.hash(typed.normalized())
        try await compare("hash", rounds) {
            guard try await pool.check(typed, against: hash) == .right(replacement: nil) else { throw Failed() }
        } limit: {
            guard crypto_pwhash_str_verify(hash.text, password, UInt64(password.utf8.count)) == 0 else {
                throw Failed()
            }
        }
        try await compare("hash, nobody's against somebody's", rounds) {
            guard try await pool.check(wrong, against: nil) == .wrong else { throw Failed() }
        } limit: {
            guard try await pool.check(wrong, against: hash) == .wrong else { throw Failed() }
        }
        await pool.end()
        try blocklist()
    }

    struct Failed: Error {}

    /// Prints `hash  ours 21.40 ms  limit 21.10 ms  ratio 1.01 (1.00-1.03)`: CPU time of one, and how much more ours takes.
    private static func compare(
        _ name: String,
        _ rounds: Int,
        _ ours: () async throws -> Void,
        limit: () async throws -> Void
    ) async throws {
        var (oursTimes, limitTimes) = ([Double](), [Double]())
        // One round more than is counted, to warm up.
        for round in 0...max(rounds, 1) {
            let oursTime = try await time(ours)
            let limitTime = try await time(limit)
            guard round > 0 else { continue }
            oursTimes.append(oursTime)
            limitTimes.append(limitTime)
        }
        let ratios = Spread(zip(oursTimes, limitTimes).map { $0 / $1 })
        let (oursTime, limitTime) = (Spread(oursTimes).median, Spread(limitTimes).median)
        print(
            "\(name)  ours \(Measurement.fixed(oursTime * 1_000)) ms  limit \(Measurement.fixed(limitTime * 1_000)) ms  ratio \(ratios)"
        )
    }

    private static func time(_ work: () async throws -> Void) async throws -> Double {
        let start = processTime()
        for _ in 0..<countPerSlice { try await work() }
        return (processTime() - start) / Double(countPerSlice)
    }

    private static func processTime() -> Double {
        var time = timespec()
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }

    /// Prints `blocklist  57512 passwords in 21.40 ms, 512 KiB`.
    private static func blocklist() throws {
        guard Blocklist.debianPaths.allSatisfy({ access($0, R_OK) == 0 }) else {
            return print("blocklist  is not installed")
        }
        let before = BenchProcess.residentKiB()
        let start = processTime()
        let list = try Blocklist(files: Blocklist.debianPaths)
        let spent = processTime() - start
        let memory = BenchProcess.residentKiB() - before
        print("blocklist  \(list.count) passwords in \(Measurement.fixed(spent * 1_000)) ms, \(memory) KiB more in use")
    }
}
