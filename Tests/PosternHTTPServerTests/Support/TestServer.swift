import Glibc
import PosternHTTP
import PosternHTTPServer

/// A server with a Unix socket and a port, for one test.
final class TestServer: Sendable {
    enum Door: CaseIterable, Sendable { case unix, tcp }

    let server: HTTPServer
    let folder: String
    let echo = EchoResponder()

    var path: String { folder + "/s" }

    init(limits: ServerLimits = ServerLimits(), deadlines: ServerDeadlines = ServerDeadlines(), threads: Int = 2) throws
    {
        folder = try TestServer.makeFolder()
        server = HTTPServer(
            listeners: [.unix(UnixSocket(path: folder + "/s")), .tcp(address: "127.0.0.1", port: 0)],
            limits: limits,
            deadlines: deadlines,
            threads: threads,
            responder: echo
        )
        try server.start()
    }

    deinit { TestServer.remove(folder) }

    func connect(_ door: Door) throws -> Wire {
        switch door {
        case .unix: try Wire(path: path)
        case .tcp: try Wire(port: server.port(ofListener: 1) ?? 0)
        }
    }

    /// Runs the test with a server of its own and ends the server in good order.
    static func run(
        limits: ServerLimits = ServerLimits(),
        deadlines: ServerDeadlines = ServerDeadlines(),
        threads: Int = 2,
        _ body: (TestServer) async throws -> Void
    ) async throws {
        let server = try TestServer(limits: limits, deadlines: deadlines, threads: threads)
        do {
            try await body(server)
        } catch {
            await server.server.stop()
            throw error
        }
        await server.server.stop()
    }

    static func makeFolder() throws -> String {
        var template = Array("/tmp/postern-http-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else { throw Wire.Failure(call: "mkdtemp", number: errno) }
        return String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    static func remove(_ folder: String) {
        for name in ["s", "s.lock", "t", "t.lock"] { unlink("\(folder)/\(name)") }
        rmdir(folder)
    }
}
