import CLinux
import Dispatch
import Glibc
import PosternHTTP
import PosternHTTPServer

/// What a request costs the server when the responder costs nothing, and what an idle connection holds.
enum HTTPBench {
    static func run(rounds: Int) async throws {
        for connections in [1, 8, 64, 512] { try await measure(connections, rounds) }
        // Both ends are in this process, which may have 20,000 descriptors here.
        try await idle(9_500)
    }

    /// Prints `http, 64 connections  4.1 us CPU/request (4.0-4.3)  160000 requests/s`.
    private static func measure(_ connections: Int, _ rounds: Int) async throws {
        try await withServer { path in
            var costs: [Double] = []
            var rates: [Double] = []
            let load = try HTTPLoad(path, connections)
            for round in 0...max(rounds, 1) {
                let count = connections == 1 ? 20_000 : 100_000
                let start = (cpu: try load.serverTime(), wall: wallTime())
                try load.run(count)
                let cost = try load.serverTime() - start.cpu
                guard round > 0 else { continue }
                costs.append(cost / Double(count) * 1e6)
                rates.append(Double(count) / (wallTime() - start.wall))
            }
            costs.sort()
            let range = "\(Measurement.fixed(costs[0]))-\(Measurement.fixed(costs[costs.count - 1]))"
            print(
                "http, \(connections) connections  \(Measurement.fixed(costs[costs.count / 2])) us CPU/request (\(range))  "
                    + "\(Int(rates.sorted()[rates.count / 2])) requests/s"
            )
        }
    }

    /// Prints `http, 10000 idle connections  3.1 MiB more`.
    private static func idle(_ count: Int) async throws {
        var limit = rlimit()
        getrlimit(__rlimit_resource_t(UInt32(RLIMIT_NOFILE.rawValue)), &limit)
        limit.rlim_cur = min(limit.rlim_max, rlim_t(2 * count + 256))
        setrlimit(__rlimit_resource_t(UInt32(RLIMIT_NOFILE.rawValue)), &limit)
        try await withServer { path in
            let warm = try HTTPLoad(path, 8)
            try warm.run(1_000)
            let before = residentKiB()
            let load = try HTTPLoad(path, count)
            let opened = residentKiB()
            try load.run(count)
            print(
                "http, \(count) idle connections  \(Measurement.fixed(Double(opened - before) / 1024)) MiB more before, "
                    + "\(Measurement.fixed(Double(residentKiB() - before) / 1024)) MiB more after a request on each"
            )
        }
    }

    private static func withServer(_ body: (String) throws -> Void) async throws {
        var template = Array("/tmp/postern-bench-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else { throw HTTPLoad.Failure(what: "mkdtemp") }
        let folder = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        defer { rmdir(folder) }
        let path = folder + "/s"
        let server = HTTPServer(listeners: [.unix(UnixSocket(path: path))], threads: 1, responder: TrivialResponder())
        try server.start()
        do {
            try body(path)
        } catch {
            await server.stop()
            throw error
        }
        await server.stop()
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

    static func wallTime() -> Double {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }
}

/// Answers like a verdict, without any work. `GET /time` tells the CPU time of the server's thread.
private struct TrivialResponder: HTTPResponder {
    private let verdict: HTTPResponse = {
        var fields = HTTPFields()
        fields.append("Content-Type", "application/json")
        return HTTPResponse(status: 200, fields: fields, body: [UInt8](repeating: 0x20, count: 200))
    }()

    func respond(to request: ReceivedRequest) async -> HTTPResponse {
        guard request.path == "/time" else { return verdict }
        return HTTPResponse(status: 200, body: Array("\(Measurement.cpuTime())".utf8))
    }
}
