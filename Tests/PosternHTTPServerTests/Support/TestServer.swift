import Glibc
import PosternBase
import PosternHTTP
import PosternHTTPServer
import PosternLoop

/// A server with a Unix socket and a port, for one test.
final class TestServer: Sendable {
    enum Door: CaseIterable, Sendable { case unix, tcp }

    /// Bytes of the answer of `/large`, more than sockets hold.
    static let largeBody = 8_000_000

    let server: HTTPServer
    let folder: String
    let echo: EchoResponder
    private let told: Lock<[ServerTrouble]>
    /// What the server has told of.
    var troubles: [ServerTrouble] { told.withLock { $0 } }

    var path: String { folder + "/s" }

    init(
        limits: ServerLimits = ServerLimits(),
        deadlines: ServerDeadlines = .patient,
        threads: Int = 2,
        shut: Int? = nil
    ) throws {
        let told = Lock<[ServerTrouble]>([])
        self.told = told
        echo = EchoResponder(shut: shut)
        folder = try TestServer.makeFolder()
        server = HTTPServer(
            listeners: [.unix(UnixSocket(path: folder + "/s")), .tcp(address: "127.0.0.1", port: 0)],
            limits: limits,
            deadlines: deadlines,
            threads: threads,
            responder: echo,
            observer: { trouble in told.withLock { $0.append(trouble) } }
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
    static func run<Result: Sendable>(
        limits: ServerLimits = ServerLimits(),
        deadlines: ServerDeadlines = .patient,
        threads: Int = 2,
        shut: Int? = nil,
        _ body: @escaping @Sendable (TestServer) async throws -> Result
    ) async throws -> Result {
        try await onThread {
            let server = try TestServer(limits: limits, deadlines: deadlines, threads: threads, shut: shut)
            do {
                let result = try await body(server)
                await server.server.stop()
                return result
            } catch {
                await server.server.stop()
                throw error
            }
        }
    }

    /// Runs on a thread of its own: clients block, and the pool of tasks has as few threads as the machine has cores.
    static func onThread<Result: Sendable>(
        _ body: @escaping @Sendable () async throws -> Result
    ) async throws -> Result {
        let loop = try EventLoop(name: "test")
        try loop.start()
        let result = await Task(executorPreference: loop) { try await body() }.result
        loop.stop()
        loop.join()
        return try result.get()
    }

    /// Begins the end of the server on a thread of its own: in the pool of tasks it might wait for tests that block.
    func beginDrain(deadline: Duration) throws -> Task<Void, Never> {
        let loop = try EventLoop(name: "drain")
        try loop.start()
        return Task.detached(executorPreference: loop) { [server] in
            await server.drain(deadline: deadline)
            loop.stop()
        }
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

extension ServerDeadlines {
    /// For tests that are not about time: what takes a moment may take a minute on a busy machine.
    static let patient = {
        var deadlines = ServerDeadlines()
        deadlines.header = .seconds(600)
        deadlines.body = .seconds(600)
        deadlines.idle = .seconds(600)
        deadlines.write = .seconds(600)
        return deadlines
    }()
}
