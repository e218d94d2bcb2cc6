package import Foundation

/// The server of `Tests/TestServers/tls_server.py`, one for a test run; it ends when this process does.
///
/// Tests run beside each other: each takes paths of its own.
package final class TestServer: Sendable {
    package static let shared = Result { try TestServer() }

    /// The ports on 127.0.0.1 by the kind of listener; `plain-ipv6` is on `::1` and missing where there is no IPv6.
    package let ports: [String: Int]
    /// Holds `ca.pem`, which signed the certificates that are any good, and `other-ca.pem`, which did not.
    package let folder: URL
    private let process: Process
    /// Its end ends the server.
    private let input: Pipe

    private init() throws {
        let script = TestPaths.package.appending(path: "Tests/TestServers/tls_server.py")
        process = Process()
        process.executableURL = URL(filePath: "/usr/bin/python3")
        process.arguments = ["-B", script.path]
        process.environment = ["PATH": "/usr/bin:/bin"]
        input = Pipe()
        let output = Pipe()
        process.standardInput = input
        process.standardOutput = output
        try process.run()
        var line = Data()
        while !line.contains(0x0A) {
            let piece = output.fileHandleForReading.piece()
            guard !piece.isEmpty else { throw CocoaError(.executableLoad) }
            line += piece
        }
        let start = try JSONDecoder().decode(Start.self, from: line)
        ports = start.ports
        folder = URL(filePath: start.folder)
    }

    private struct Start: Decodable {
        let ports: [String: Int]
        let folder: String
    }

    package var caFile: String { folder.appending(path: "ca.pem").path }

    /// The port of a listener; 0, where nobody listens, when there is none of that kind.
    package func port(_ listener: String) -> Int { ports[listener] ?? 0 }

    package func url(_ path: String, listener: String = "good", host: String = "127.0.0.1") -> String {
        "\(listener.hasPrefix("plain") ? "http" : "https")://\(host):\(port(listener))\(path)"
    }

    package func url(_ path: String, on listener: Listener) -> String {
        "\(listener.name.hasPrefix("plain") ? "http" : "https")://127.0.0.1:\(listener.port)\(path)"
    }

    /// What the path answers from now on: each answer once, the last for ever.
    package func set(_ path: String, _ answers: TestAnswer...) async throws {
        _ = try await order(["do": "set", "path": path, "answers": answers.map(\.object)])
    }

    /// The requests to the path so far.
    package func requests(_ path: String) async throws -> [SeenRequest] {
        struct Reply: Decodable { let requests: [SeenRequest] }
        return try JSONDecoder().decode(Reply.self, from: try await order(["do": "requests", "path": path])).requests
    }

    /// What proxies were asked, as it came.
    package func proxyHeads() async throws -> [String] {
        struct Reply: Decodable { let requests: [String] }
        return try JSONDecoder().decode(Reply.self, from: try await order(["do": "requests", "path": "proxy"])).requests
    }

    /// Waits until the path has had so many requests, and so many clients left while they were held or fed; false when
    /// that does not happen within twenty minutes.
    package func wait(_ path: String, requests: Int = 0, closed: Int = 0) async throws -> Bool {
        struct Reply: Decodable { let came: Bool }
        let message: [String: Any] = ["do": "wait", "path": path, "requests": requests, "closed": closed]
        return try JSONDecoder().decode(Reply.self, from: try await order(message)).came
    }

    /// Another listener of the kind, on a port where nobody else asks.
    package func listen(_ kind: String) async throws -> Listener {
        try JSONDecoder().decode(Listener.self, from: try await order(["do": "listen", "kind": kind]))
    }

    package struct Listener: Decodable, Sendable {
        package let name: String
        package let port: Int
    }

    /// The connections that a listener has accepted so far.
    package func contacts(_ listener: String) async throws -> Int {
        struct Reply: Decodable { let count: Int }
        let reply = try await order(["do": "contacts", "listener": listener])
        return try JSONDecoder().decode(Reply.self, from: reply).count
    }

    /// Lets the answers go on that `.hold` stopped.
    package func release(_ path: String) async throws { _ = try await order(["do": "release", "path": path]) }

    /// Waits on a thread outside the pool of tasks: the pool is as small as the machine, and what is waited for needs it.
    private func order(_ message: [String: Any]) async throws -> Data {
        let line = try JSONSerialization.data(withJSONObject: message) + [0x0A]
        let port = port("control")
        return try await withCheckedThrowingContinuation { continuation in
            Thread.detachNewThread {
                continuation.resume(with: Result { try Loopback.exchange(line, port: port) })
            }
        }
    }
}

/// A request as the server saw it.
package struct SeenRequest: Decodable, Sendable {
    package let method: String
    package let target: String
    /// Name and value, in order.
    package let fields: [[String]]
    package let body: Data
    package let listener: String
    /// The number of the connection on its listener.
    package let connection: Int

    /// The values of a field, its name as it was sent.
    package func values(_ name: String) -> [String] { fields.filter { $0.first == name }.compactMap(\.last) }
}
