import CLinux
import Dispatch
import Glibc
import PosternHTTP
import PosternHTTPServer

/// What a request costs the server when the responder costs nothing, and what an idle connection holds.
enum HTTPBench {
    /// As large as an identity token in JSON.
    private static let request = Array(
        ("POST /v1/verify HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nAccept: */*\r\n"
            + "User-Agent: bench\r\nContent-Length: 1000\r\n\r\n" + String(repeating: "x", count: 1_000)).utf8)

    static func run(rounds: Int) async throws {
        for connections in [1, 8, 64, 512] { try await measure(connections, rounds) }
        // Both ends are in this process, which may have 20,000 descriptors here.
        try await idle(9_500)
    }

    /// Prints `http, 64 connections  4.10 us CPU/request (4.00-4.30)  raw 2.50  beyond 1.60 (1.50-1.80)`.
    private static func measure(_ connections: Int, _ rounds: Int) async throws {
        try await withServer { path in
            let raw = try RawServer(path + ".raw")
            defer {
                raw.end()
                unlink(path + ".raw")
            }
            let ourLoad = try HTTPLoad(.unix(path), connections, [request])
            let rawLoad = try HTTPLoad(.unix(path + ".raw"), connections, [request])
            let clocks = (ours: try ServerClock(.unix(path)), raw: try ServerClock(.unix(path + ".raw")))
            var (ours, limit, beyond): ([Double], [Double], [Double]) = ([], [], [])
            for round in 0...max(rounds, 1) {
                var pair = (ours: 0.0, raw: 0.0)
                // Short slices in turn: what else the machine does meets both.
                let count = connections == 1 ? 2_000 : 10_000
                for _ in 0..<10 {
                    pair.ours += try cost(ourLoad, count, clocks.ours) / 10
                    pair.raw += try cost(rawLoad, count, clocks.raw) / 10
                }
                guard round > 0 else { continue }
                ours.append(pair.ours)
                limit.append(pair.raw)
                beyond.append(pair.ours - pair.raw)
            }
            print(
                "http, \(connections) connections  \(Spread(ours)) us CPU/request  raw \(Spread(limit))  "
                    + "beyond \(Spread(beyond))"
            )
        }
    }

    /// Microseconds of the server's thread for each of so many requests.
    private static func cost(_ load: HTTPLoad, _ count: Int, _ clock: ServerClock) throws -> Double {
        let start = try clock.seconds()
        try load.run(count)
        return (try clock.seconds() - start) / Double(count) * 1e6
    }

    /// Prints `http, 10000 idle connections  3.1 MiB more`.
    private static func idle(_ count: Int) async throws {
        var limit = rlimit()
        getrlimit(__rlimit_resource_t(UInt32(RLIMIT_NOFILE.rawValue)), &limit)
        limit.rlim_cur = min(limit.rlim_max, rlim_t(2 * count + 256))
        setrlimit(__rlimit_resource_t(UInt32(RLIMIT_NOFILE.rawValue)), &limit)
        try await withServer { path in
            let warm = try HTTPLoad(.unix(path), 8, [request])
            try warm.run(1_000)
            let before = BenchProcess.residentKiB()
            let load = try HTTPLoad(.unix(path), count, [request])
            let opened = BenchProcess.residentKiB()
            try load.run(count)
            print(
                "http, \(count) idle connections  \(Measurement.fixed(Double(opened - before) / 1024)) MiB more before, "
                    + "\(Measurement.fixed(Double(BenchProcess.residentKiB() - before) / 1024)) MiB more after a request on each"
            )
        }
    }

    private static func withServer(_ body: (String) throws -> Void) async throws {
        let folder = try BenchProcess.newFolder()
        defer { rmdir(folder) }
        let path = folder + "/s"
        var limits = ServerLimits()
        limits.connectionsPerPeer = limits.connections
        let server = HTTPServer(
            listeners: [.unix(UnixSocket(path: path))], limits: limits, threads: 1, responder: TrivialResponder())
        try server.start()
        do {
            try body(path)
        } catch {
            await server.stop()
            throw error
        }
        await server.stop()
    }
}

/// Answers like a verdict, without any work. `GET /time` tells the CPU time of the server's thread.
private struct TrivialResponder: HTTPResponder {
    private let verdict: HTTP.Response = {
        var fields = HTTP.Fields()
        fields.append("Content-Type", "application/json")
        return HTTP.Response(status: 200, fields: fields, body: [UInt8](repeating: 0x20, count: 200))
    }()

    func respond(to request: ReceivedRequest) async -> HTTP.Response {
        guard request.path == "/time" else { return verdict }
        return HTTP.Response(status: 200, body: Array("\(Measurement.cpuTime())".utf8))
    }
}
