import CStoreLimit
import Glibc
import PosternAccounts
import PosternBase
import PosternLoop
import PosternSQLite

/// Refreshes in the store: the session is read, its account is read, and the session is written, which is durable before anybody is told.
/// Ours, by 64 clients who each wait for their answer, against a C program that does the same statements 64 in a commit.
struct StoreBench {
    private let folder: String
    private let people: StorePeople
    private let seconds: Double

    /// With so many accounts.
    init(accounts: Int, seconds: Double = 2) async throws {
        let root = try BenchProcess.newFolder()
        folder = root + "/data"
        people = StorePeople(count: accounts)
        self.seconds = seconds
        try await people.fill(folder)
    }

    static func run(rounds: Int) async throws {
        let bench = try await StoreBench(accounts: 20_000)
        try await bench.compare(rounds: rounds)
        try await bench.slowDisk()
        bench.remove()
    }

    func remove() {
        for name in ["postern.db", "postern.db-wal", "postern.db-shm"] { unlink("\(folder)/\(name)") }
        rmdir(folder)
        rmdir(String(folder.dropLast(5)))
    }

    /// In turn, so that both meet the same machine.
    private func compare(rounds: Int) async throws {
        var (ours, limits, ratios, waits, batches) = ([Double](), [Double](), [Double](), [Double](), [Double]())
        var (cpu, cpuLimits) = ([Double](), [Double]())
        for round in 0...max(rounds, 1) {
            let own = try await refreshes(clients: 64)
            let limit = try limit(batch: 64)
            guard round > 0 else { continue }
            ours.append(own.rate)
            limits.append(limit.rate)
            ratios.append(own.rate / limit.rate)
            cpu.append(own.cpu)
            cpuLimits.append(limit.cpu)
            waits.append(own.waits.quantile(0.99) * 1_000)
            batches.append(own.batch)
        }
        print(
            "store refresh, 64 clients  ours \(Int(Spread(ours).median))/s  C \(Int(Spread(limits).median))/s  "
                + "ratio \(Spread(ratios))  p99 \(Spread(waits)) ms  \(Spread(batches)) a commit  CPU us \(Spread(cpu)), C \(Spread(cpuLimits))"
        )
    }

    /// With 2 ms more for each fdatasync: many clients against commits one by one.
    private func slowDisk() async throws {
        store_limit_set_delay(2_000)
        defer { store_limit_set_delay(0) }
        var (many, single, waits, limits) = ([Double](), [Double](), [Double](), [Double]())
        for _ in 0..<3 {
            let own = try await refreshes(clients: 64)
            many.append(own.rate)
            waits.append(own.waits.quantile(0.99) * 1_000)
            single.append(try await refreshes(clients: 1).rate)
            limits.append(try limit(batch: 1).rate)
        }
        print(
            "store refresh, fdatasync + 2 ms  64 clients \(Int(Spread(many).median))/s  p99 \(Spread(waits)) ms  "
                + "one client \(Int(Spread(single).median))/s  C one by one \(Int(Spread(limits).median))/s  "
                + "64 / one by one \(Measurement.fixed(Spread(many).median / Spread(limits).median))")
    }

    struct Outcome {
        let rate: Double
        /// Microseconds of all threads for each.
        let cpu: Double
        let waits: Spread
        /// Operations a commit.
        let batch: Double
    }

    func refreshes(clients: Int) async throws -> Outcome {
        let store = try SQLiteStore(folder: folder, .serving)
        // As the daemon's connections do, they share a loop.
        let loop = try EventLoop(name: "clients")
        try loop.start()
        let end = Self.now() + seconds
        let (start, cpuStart) = (Self.now(), BenchProcess.cpuTime())
        let people = people
        let waits = try await withThrowingTaskGroup { group in
            for client in 0..<clients {
                group.addTask(executorPreference: loop) {
                    var waits: [Double] = []
                    var number = client * 7_919
                    var last = Self.now()
                    while last < end {
                        let id = people.session(people.order[number % people.order.count])
                        number += clients
                        try await store.transact { tx throws(StoreFault) in try Self.refresh(id, tx) }
                        let now = Self.now()
                        waits.append(now - last)
                        last = now
                    }
                    return waits
                }
            }
            return try await group.reduce(into: []) { $0 += $1 }
        }
        let elapsed = Self.now() - start
        let cpu = BenchProcess.cpuTime() - cpuStart
        let counts = store.counts
        await store.close()
        await loop.end()
        return Outcome(
            rate: Double(waits.count) / elapsed, cpu: cpu / Double(max(waits.count, 1)) * 1e6, waits: Spread(waits),
            batch: Double(counts.operations) / Double(max(counts.commits, 1)))
    }

    private static func refresh(_ id: SessionID, _ tx: any StoreTransaction) throws(StoreFault) {
        guard var session = try tx.session(id), try tx.account(session.account) != nil else {
            throw StoreFault(.damaged, "no session")
        }
        session.counter += 1
        session.rotatedAt += 1
        try tx.put(session)
    }

    func limit(batch: Int32) throws -> (rate: Double, cpu: Double) {
        var result = store_limit()
        let cpuStart = BenchProcess.cpuTime()
        let code = people.names.withUnsafeBufferPointer { names in
            people.order.withUnsafeBufferPointer { order in
                store_limit_run(
                    folder + "/postern.db", names.baseAddress, order.baseAddress, order.count, batch, seconds, &result)
            }
        }
        guard code == 0 else { throw HTTPLoad.Failure(what: "SQLite: \(code)") }
        let cpu = (BenchProcess.cpuTime() - cpuStart) / Double(max(result.refreshes, 1)) * 1e6
        return (Double(result.refreshes) / result.seconds, cpu)
    }

    static func now() -> Double {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }
}

/// Accounts with a session each, as they come about over months.
struct StorePeople: Sendable {
    /// Sixteen bytes for each session.
    let names: [UInt8]
    /// In which order sessions come back.
    let order: [UInt32]
    let count: Int

    init(count: Int) {
        self.count = count
        var names: [UInt8] = []
        names.reserveCapacity(count * 16)
        for number in 0..<count { names += Self.session(number).bytes }
        self.names = names
        var state: UInt64 = 88_172_645_463_325_252
        order = (0..<max(count, 100_000)).map { _ in
            state ^= state << 13
            state ^= state >> 7
            state ^= state << 17
            return UInt32(state % UInt64(count))
        }
    }

    func session(_ number: UInt32) -> SessionID { Self.session(Int(number)) }

    private static func id<Kind>(_ number: Int, _ salt: UInt8) -> Identifier<Kind> {
        Identifier(
            milliseconds: 1_780_000_000_000 + Int64(number) * 1_000,
            random: RandomSource { count in
                (0..<count).map { UInt8(truncatingIfNeeded: number &* 167 &+ $0 &* 31) ^ salt }
            })
    }

    private static func session(_ number: Int) -> SessionID { id(number, 1) }

    func fill(_ folder: String) async throws {
        let store = try SQLiteStore(folder: folder, .serving)
        for start in stride(from: 0, to: count, by: 1_000) {
            let end = min(start + 1_000, count)
            try await store.transact { tx throws(StoreFault) in
                for number in start..<end { try Self.put(number, tx) }
            }
        }
        await store.close()
    }

    private static func put(_ number: Int, _ tx: any StoreTransaction) throws(StoreFault) {
        let account = Account(
            id: id(number, 2), email: try? EmailAddress("person.number.\(number)@mail.example.org"), emailProvenAt: 1,
            userData: #"{"name":"Somebody with a usual name","locale":"en"}"#, createdAt: 1_780_000_000)
        try tx.put(account)
        try tx.put(
            StoredPassword(
                account: account.id,
                hash: Secret(
                    "$argon2id$v=19$m=19456,t=2,p=1$MDEyMzQ1Njc4OWFiY2RlZg$MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY"),
                changedAt: 1_780_000_000))
        try tx.put(
            Session(
                id: session(number), account: account.id, method: .password, createdAt: 1_780_000_000,
                expiresAt: 1_783_000_000,
                userAgent:
                    "Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 Version/18.5 Mobile",
                maskedAddress: "192.0.2.0/24"))
    }
}
