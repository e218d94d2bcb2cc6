import Glibc
import PosternBase
import PosternService

/// `make bench-server`: the daemon as it is served, a process of its own, against a closed loop in this one.
///
/// The server's time is that of all its threads, the system's work for it included. The limit is measured in turn with it.
final class ServerBench {
    private static let accepted = #"{"verdict":"accepted""#
    private static let acceptedList = #"{"verdicts":[{"verdict":"accepted""#

    private let program: String
    private let rounds: Int
    private let folder: String
    private let pool = Result { try TokenPool() }
    private let apiKey = APIKeys.random()

    private var socket: ServerPlace { .unix(folder + "/s") }

    init(program: String, rounds: Int) throws {
        self.program = program
        self.rounds = max(rounds, 1)
        folder = try BenchProcess.newFolder()
        let hash = Hex.encode(APIKeys.digest(of: apiKey) ?? [])
        try write("keys.json", pool.get().keySet())
        for threads in Set([1, Self.cores]) {
            let settings = TokenPool.settings(folder: folder, apiKeyHash: hash, threads: threads)
            try write("settings-\(threads).json", settings)
        }
        Self.raiseDescriptors()
    }

    deinit {
        let settings = ["settings-1.json", "settings-\(Self.cores).json"]
        for name in settings + ["keys.json", "log", "s", "s.lock"] { unlink("\(folder)/\(name)") }
        rmdir(folder)
    }

    private func write(_ name: String, _ text: String) throws {
        guard let file = fopen("\(folder)/\(name)", "w") else { throw HTTPLoad.Failure(what: "fopen") }
        defer { fclose(file) }
        fputs(text, file)
    }

    /// As many as this process may have; the server inherits it.
    private static func raiseDescriptors() {
        var limit = rlimit()
        let descriptors = __rlimit_resource_t(UInt32(RLIMIT_NOFILE.rawValue))
        getrlimit(descriptors, &limit)
        limit.rlim_cur = limit.rlim_max
        setrlimit(descriptors, &limit)
    }

    private func start(threads: Int = cores) throws -> ServedProcess {
        try ServedProcess(program, threads, settings: "\(folder)/settings-\(threads).json", log: folder + "/log")
    }

    /// Runs the parts that are named, or all.
    func run(_ parts: [String]) throws {
        func has(_ part: String) -> Bool { parts.isEmpty || parts.contains(part) }
        if has("start") { try beginnings() }
        if has("one-thread") {
            let server = try start(threads: 1)
            close(try server.connect(socket))
            try singles(server, "one thread", socket, 64)
            try lists(server, "one thread, ")
            try besideLists(server, "one thread, ")
            server.end()
        }
        let server = try start()
        let tcp = ServerPlace.loopback(port: try server.port())
        for connections in [1, 8, 64, 512] {
            if has("unix") || has("unix-\(connections)") { try singles(server, "unix", socket, connections) }
        }
        for connections in [1, 8, 64, 512] where has("tcp") {
            try singles(server, "tcp", tcp, connections, apiKey.revealed)
        }
        if has("lists") { try lists(server) }
        if has("beside") { try besideLists(server) }
        print("server, after that  \(Measurement.fixed(try server.ownMemory())) MiB RssAnon")
        server.end()
        if has("idle") { try idle() }
    }

    // MARK: - Start

    /// Prints `server, start to first verdict  14.20 (12.80-19.00) ms  3.40 (3.30-3.50) MiB RssAnon afterwards`.
    private func beginnings() throws {
        let request = try pool.get().single()[0]
        var (times, sizes): ([Double], [Double]) = ([], [])
        for _ in 0..<max(rounds, 9) {
            let begin = HTTPLoad.now()
            let server = try start()
            close(try server.connect(socket))
            try HTTPLoad(socket, 1, [request], bodyStart: Self.accepted).run(1)
            times.append((HTTPLoad.now() - begin) * 1e3)
            sizes.append(try server.ownMemory())
        }
        print("server, start to first verdict  \(Spread(times)) ms  \(Spread(sizes)) MiB RssAnon afterwards")
    }

    // MARK: - Load

    /// Prints `server, unix, 64 connections  33000 requests/s  p50 1.90 p99 4.10 ms  32.10 (31.80-32.90) us CPU/request
    /// limit 25.40  beyond the signature 6.70 (6.50-7.20)`, in one line.
    private func singles(
        _ server: ServedProcess,
        _ name: String,
        _ place: ServerPlace,
        _ connections: Int,
        _ apiKey: String? = nil
    ) throws {
        let pool = try pool.get()
        let load = try HTTPLoad(place, connections, pool.single(apiKey: apiKey), bodyStart: Self.accepted)
        let limit = try RawLimit(pool, threads: server.threads)
        var (ours, raw, rates): ([Double], [Double], [Double]) = ([], [], [])
        for round in 0...rounds {
            if round == 1 { load.forgetLatencies() }
            let begin = HTTPLoad.now()
            let count = connections == 1 ? 2_000 : 6_000
            let cost = try self.cost(server, load, count)
            let seconds = HTTPLoad.now() - begin
            let rawCost = try limit.cost(2_000)
            guard round > 0 else { continue }
            ours.append(cost)
            raw.append(rawCost)
            rates.append(Double(count) / seconds)
        }
        let latencies = Spread(load.latencies.map { $0 * 1e3 })
        print(
            "server, \(name), \(connections) connections  \(Int(Spread(rates).median)) requests/s  "
                + "p50 \(Measurement.fixed(latencies.median)) p99 \(Measurement.fixed(latencies.quantile(0.99))) ms  "
                + "\(Spread(ours)) us CPU/request  limit \(Spread(raw))  "
                + "beyond the signature \(Spread(zip(ours, raw).map { $0 - $1 }))"
        )
    }

    private static var cores: Int { max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN))) }

    /// Microseconds of the server for each of so many requests.
    private func cost(_ server: ServedProcess, _ load: HTTPLoad, _ count: Int) throws -> Double {
        let start = try server.cpuTime()
        try load.run(count)
        return (try server.cpuTime() - start) / Double(count) * 1e6
    }

    /// Prints `server, lists of 64  31.20 (30.90-32.00) us CPU/verdict  limit 25.40  ratio 0.86 (0.85-0.87)`.
    private func lists(_ server: ServedProcess, _ name: String = "") throws {
        let pool = try pool.get()
        let size = 64
        let load = try HTTPLoad(socket, 8, [pool.list(size)], bodyStart: Self.acceptedList)
        let limit = try RawLimit(pool, threads: server.threads)
        var (ours, raw): ([Double], [Double]) = ([], [])
        for round in 0...rounds {
            let cost = try self.cost(server, load, 96) / Double(size)
            let rawCost = try limit.cost(2_000)
            guard round > 0 else { continue }
            ours.append(cost)
            raw.append(rawCost)
        }
        print(
            "server, \(name)lists of \(size)  \(Spread(ours)) us CPU/verdict  limit \(Spread(raw))  "
                + "ratio \(Spread(zip(ours, raw).map { $1 / $0 }))"
        )
    }

    /// Prints `server, p99 beside lists of 256  1.20 (1.10-1.30) ms  alone 0.50  ratio 2.40 (2.10-2.90)`.
    private func besideLists(_ server: ServedProcess, _ name: String = "") throws {
        let pool = try pool.get()
        let list = pool.list(256)
        let load = try HTTPLoad(socket, 8, pool.single(), bodyStart: Self.accepted)
        var (with, without): ([Double], [Double]) = ([], [])
        var count = 0
        for round in 0...max(rounds, 7) {
            let alone = try p99(load)
            let pressure = try BatchPressure(socket, list)
            let beside = try p99(load)
            count += try pressure.end()
            guard round > 0 else { continue }
            with.append(beside)
            without.append(alone)
        }
        print(
            "server, \(name)p99 beside lists of 256  \(Spread(with)) ms  alone \(Spread(without))  "
                + "ratio \(Spread(zip(with, without).map { $0 / $1 }))  \(count) lists"
        )
    }

    private func p99(_ load: HTTPLoad) throws -> Double {
        load.forgetLatencies()
        try load.run(8_000)
        return Spread(load.latencies.map { $0 * 1e3 }).quantile(0.99)
    }

    // MARK: - Idle

    /// Prints `server, 10000 idle connections  4.10 MiB more RssAnon, 4.60 after a request on each`.
    private func idle() throws {
        var limit = rlimit()
        getrlimit(__rlimit_resource_t(UInt32(RLIMIT_NOFILE.rawValue)), &limit)
        let count = min(10_000, Int(limit.rlim_cur) - 256)
        let server = try start()
        let requests = try pool.get().single()
        close(try server.connect(socket))
        try HTTPLoad(socket, 8, requests, bodyStart: Self.accepted).run(1_000)
        let before = try server.ownMemory()
        let load = try HTTPLoad(socket, count, requests, bodyStart: Self.accepted)
        // An answer on the connection that came last: all others have been taken before.
        try HTTPLoad(socket, 1, requests, bodyStart: Self.accepted).run(1)
        let opened = try server.ownMemory()
        try load.run(count)
        print(
            "server, \(count) idle connections  \(Measurement.fixed(opened - before)) MiB more RssAnon, "
                + "\(Measurement.fixed(try server.ownMemory() - before)) after a request on each"
        )
    }
}
