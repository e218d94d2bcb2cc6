import Foundation
import Glibc
import PosternTestSupport
import Testing

/// `postern serve` as a backend meets it.
@Suite struct ServeTests {
    @Test func aSignIn() throws {
        let daemon = try DaemonIssuer.daemon()
        let client = try daemon.connect()
        let nonce = try client.nonce()
        let token = try DaemonIssuer.token(nonce)
        #expect(try client.verify(token, nonce, #","consume":false"#).word == "accepted")
        let reply = try client.verify(token, nonce)
        #expect(reply.status == 200)
        #expect((reply.json["identity"] as? [String: Any])?["subject"] as? String == "001234.abc")
        #expect(try client.verify(token, nonce).word == "nonce_used")
        #expect(try client.ask("GET", "/health/ready").status == 200)
        #expect(try client.ask("GET", "/nothing").word == "path_unknown")
        daemon.signal(SIGTERM)
        #expect(daemon.end() == 0)
        try daemon.wait(for: "stopped")
        #expect(!FileManager.default.fileExists(atPath: daemon.socket))
        // What a log must not hold.
        let claim = token.components(separatedBy: ".")[2]
        for secret in [nonce, claim, "somebody@example.com", "001234.abc"] { #expect(!daemon.log.contains(secret)) }
    }

    /// The same token with the same nonce from all sides at once: one is let in.
    @Test func aNonceIsGoodOnce() async throws {
        let rounds = ProcessInfo.processInfo.environment["POSTERN_RACE_ROUNDS"].flatMap { Int($0) } ?? 20
        let daemon = try DaemonIssuer.daemon()
        let first = try daemon.connect()
        for _ in 0..<rounds {
            let nonce = try first.nonce()
            let token = try DaemonIssuer.token(nonce)
            let words = try await Self.race(daemon, connections: 8, requests: 50, token, nonce)
            #expect(words.filter { $0 == "accepted" }.count == 1)
            #expect(words.filter { $0 == "nonce_used" }.count == 49)
        }
    }

    /// Everything is written before anything is read, so that the requests meet in the daemon.
    private static func race(
        _ daemon: DaemonProcess, connections: Int, requests: Int, _ token: String, _ nonce: String
    ) async throws -> [String] {
        let body = #"{"token":"\#(token)","nonce":"\#(nonce)"}"#
        let request =
            "POST /v1/verify HTTP/1.1\r\nHost: p\r\nContent-Type: application/json\r\n"
            + "Content-Length: \(body.utf8.count)\r\n\r\n\(body)"
        return try await withThrowingTaskGroup(of: [String].self) { group in
            for number in 0..<connections {
                let count = requests / connections + (number < requests % connections ? 1 : 0)
                let socket = daemon.socket
                group.addTask {
                    let client = try SocketClient(unix: socket)
                    try client.write(String(repeating: request, count: count))
                    return try (0..<count).map { _ in try client.reply().word }
                }
            }
            return try await group.reduce(into: []) { $0 += $1 }
        }
    }

    @Test func aRestartForgetsItsNonces() throws {
        let first = try DaemonIssuer.daemon()
        let client = try first.connect()
        let used = try client.nonce()
        let fresh = try client.nonce()
        #expect(try client.verify(DaemonIssuer.token(used), used).word == "accepted")
        // Killed, so that it has no chance to tidy up.
        first.signal(SIGKILL)
        #expect(first.end() == -SIGKILL)
        #expect(FileManager.default.fileExists(atPath: first.socket))
        let second = try DaemonProcess(
            arguments: ["--config", first.folder.url.appendingPathComponent("settings.json").path], in: first.folder)
        let again = try second.connect()
        for nonce in [used, fresh] {
            #expect(try again.verify(DaemonIssuer.token(nonce), nonce).word == "nonce_unknown")
        }
        let new = try again.nonce()
        #expect(try again.verify(DaemonIssuer.token(new), new).word == "accepted")
    }

    @Test func twoDoNotServeOneSocket() throws {
        let daemon = try DaemonIssuer.daemon()
        _ = try daemon.connect()
        let settings = daemon.folder.url.appendingPathComponent("settings.json").path
        let second = try Invocation.run(["serve", "--config", settings])
        #expect(second.status == 2)
        #expect(second.complaint.contains("in_use"))
        #expect(try SocketClient(unix: daemon.socket).ask("GET", "/health/live").status == 200)
    }

    // MARK: - Callers

    @Test func overTCPAKeyIsNeeded() throws {
        let key = try Invocation.run(["api-key", "--format", "json"]).json()
        let hash = try #require(key["sha256"] as? String)
        let secret = try #require(key["key"] as? String)
        let daemon = try DaemonIssuer.daemon(
            listeners: #"{"tcp":"127.0.0.1:0","doors":["native"]}"#,
            more: #""api_keys":[{"name":"a","sha256":"\#(hash)"}]"#)
        let port = try #require(daemon.wait(for: "listening")["port"] as? Int)
        let client = try SocketClient(port: port)
        #expect(try client.ask("POST", "/v1/nonces").status == 401)
        #expect(
            try client.ask("POST", "/v1/nonces", "", ["Authorization: Bearer \(secret)x"]).word == "api_key_unknown")
        #expect(try client.ask("POST", "/v1/nonces", "", ["Authorization: Bearer \(secret)"]).status == 201)
        #expect(try client.ask("GET", "/health/live").status == 200)
        #expect(try client.ask("GET", "/health/ready").status == 404)
        #expect(!daemon.log.contains(secret))
    }

    /// Nobody is let in who is not named, and the kernel says who calls.
    @Test func onlyThoseNamedMayCall() throws {
        let own = getuid()
        for (list, status) in [("\(own)", 200), ("\(own + 1)", 403)] {
            let daemon = try DaemonIssuer.daemon(listeners: #"{"unix":"SOCKET","allow_users":["\#(list)"]}"#)
            #expect(try daemon.connect().ask("GET", "/v1/keys").status == status)
        }
        let daemon = try DaemonIssuer.daemon(listeners: #"{"unix":"SOCKET","allow_groups":["\#(getgid())"]}"#)
        #expect(try daemon.connect().ask("GET", "/v1/keys").status == 200)
    }

    @Test func theLimitOfACallerHolds() throws {
        let daemon = try DaemonIssuer.daemon(more: #""limits":{"requests_per_second":1,"burst":3}"#)
        let client = try daemon.connect()
        let replies = try (0..<10).map { _ in try client.ask("GET", "/v1/keys") }
        #expect(replies.prefix(3).allSatisfy { $0.status == 200 })
        #expect(replies.contains { $0.status == 429 && $0.head.lowercased().contains("retry-after: 1") })
    }

    // MARK: - The end

    @Test func requestsInFlightAreAnswered() throws {
        let daemon = try DaemonIssuer.daemon()
        let client = try daemon.connect()
        let body = #"{"token":"x"}"#
        try client.write(
            "POST /v1/verify HTTP/1.1\r\nHost: p\r\nContent-Type: application/json\r\nContent-Length: \(body.utf8.count)\r\n\r\n{"
        )
        // An answer on another connection says that the daemon has read what came before.
        #expect(try SocketClient(unix: daemon.socket).ask("GET", "/health/live").status == 200)
        daemon.signal(SIGINT)
        try daemon.wait(for: "stopping")
        try client.write(String(body.dropFirst()))
        #expect(try client.reply().word == "token_malformed")
        #expect(daemon.end() == 0)
    }

    @Test func aSecondSignalEndsAtOnce() throws {
        let daemon = try DaemonIssuer.daemon()
        let client = try daemon.connect()
        try client.write("POST /v1/verify HTTP/1.1\r\nHost: p\r\nContent-Length: 100\r\n\r\n{")
        #expect(try SocketClient(unix: daemon.socket).ask("GET", "/health/live").status == 200)
        daemon.signal(SIGTERM)
        try daemon.wait(for: "stopping")
        daemon.signal(SIGTERM)
        #expect(daemon.end() == 2)
    }
}
