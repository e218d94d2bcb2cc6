import Foundation
import Glibc
import PosternBase
import PosternTestSupport
import Testing

/// `postern serve` as a backend meets it.
@Suite(.onAThreadOfItsOwn) struct ServeTests {
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

    /// Refused for any other reason, or only looked at, a token leaves the nonce good.
    @Test func aRefusalConsumesNothing() throws {
        let daemon = try DaemonIssuer.daemon()
        let client = try daemon.connect()
        let nonce = try client.nonce()
        let other = try client.nonce()
        let token = try DaemonIssuer.token(nonce)
        let bent: [(String, String)] = try [
            ("x", "token_malformed"), (token + String(repeating: "A", count: 20_000), "token_too_large"),
            (String(token.dropLast(8)) + "AAAAAAAA", "signature_invalid"),
            (DaemonIssuer.token(nonce, ["iss": .string("https://other.test")]), "issuer_mismatch"),
            (DaemonIssuer.token(nonce, ["aud": .string("com.example.other")]), "audience_mismatch"),
            (DaemonIssuer.token(nonce, ["azp": .string("com.example.other")]), "authorized_party_mismatch"),
            (DaemonIssuer.token(nonce, ["sub": nil]), "subject_missing"),
            (DaemonIssuer.token(nonce, ["iat": .integer(1), "exp": .integer(2)]), "token_expired"),
            (DaemonIssuer.token(nonce, ["nbf": .integer(4_000_000_000)]), "token_not_yet_valid"),
            (
                DaemonIssuer.token(nonce, ["iat": .integer(4_000_000_000), "exp": .integer(4_000_000_001)]),
                "issued_in_future"
            ),
            (DaemonIssuer.token(nonce, ["iat": .integer(1)]), "token_too_old"),
            (DaemonIssuer.token(nonce, ["nonce": nil]), "nonce_missing"), (DaemonIssuer.token(other), "nonce_mismatch"),
        ]
        for (bad, code) in bent { #expect(try client.verify(bad, nonce).word == code) }
        let wrong = #","audience":"\#(TestIssuer.audience)x""#
        #expect(try client.verify(token, nonce, wrong).word == "audience_unknown")
        #expect(try client.verify(token, nonce, #","x":1"#).word == "member_unknown")
        for _ in 0..<3 { #expect(try client.verify(token, nonce, #","consume":false"#).word == "accepted") }
        #expect(try client.verify(token, nonce).word == "accepted")
        #expect(try client.verify(token, nonce, #","consume":false"#).word == "nonce_used")
        // Nor has the one whose token came with the wrong nonce been used up.
        #expect(try client.verify(DaemonIssuer.token(other), other).word == "accepted")
    }

    /// The same token with the same nonce from all sides at once: one is let in.
    @Test func aNonceIsGoodOnce() throws {
        let rounds = ProcessInfo.processInfo.environment["POSTERN_RACE_ROUNDS"].flatMap { Int($0) } ?? 20
        let daemon = try DaemonIssuer.daemon()
        let first = try daemon.connect()
        for _ in 0..<rounds {
            let nonce = try first.nonce()
            let token = try DaemonIssuer.token(nonce)
            let words = try Self.race(daemon, connections: 8, requests: 50, token, nonce)
            #expect(words.filter { $0 == "accepted" }.count == 1)
            #expect(words.filter { $0 == "nonce_used" }.count == 49)
        }
    }

    /// Everything is written before anything is read, so that the requests meet in the daemon.
    private static func race(
        _ daemon: DaemonProcess, connections: Int, requests: Int, _ token: String, _ nonce: String
    ) throws -> [String] {
        let body = #"{"token":"\#(token)","nonce":"\#(nonce)"}"#
        let request =
            "POST /v1/verify HTTP/1.1\r\nHost: p\r\nContent-Type: application/json\r\n"
            + "Content-Length: \(body.utf8.count)\r\n\r\n\(body)"
        let clients = try (0..<connections).map { number in
            let count = requests / connections + (number < requests % connections ? 1 : 0)
            return (try SocketClient(unix: daemon.socket), count)
        }
        for (client, count) in clients { try client.write(String(repeating: request, count: count)) }
        return try clients.flatMap { client, count in try (0..<count).map { _ in try client.reply().word } }
    }

    /// Killed, it has no chance to tidy up, and leaves nothing that blocks the next start.
    @Test(arguments: [SIGKILL, SIGTERM])
    func aRestartForgetsItsNonces(signal: Int32) throws {
        let listeners = #"{"unix":"SOCKET"},{"tcp":"127.0.0.1:\#(try FreePort.find())"}"#
        let folder = try TemporaryFolder()
        let settings = try DaemonIssuer.settings(DaemonIssuer.provider(in: folder), listeners: listeners)
        var old: [String] = []
        // What was connected stays so, as it does where nobody has noticed yet.
        var left: [SocketClient] = []
        for _ in 0..<5 {
            let daemon = try DaemonProcess(settings, in: folder)
            let port = try #require(daemon.wait(for: "listening", count: 2)["port"] as? Int)
            let client = try daemon.connect()
            left += [client, try SocketClient(port: port)]
            #expect(try left.last?.ask("GET", "/health/live").status == 200)
            for nonce in old {
                #expect(try client.verify(DaemonIssuer.token(nonce), nonce).word == "nonce_unknown")
            }
            let used = try client.nonce()
            #expect(try client.verify(DaemonIssuer.token(used), used).word == "accepted")
            old += [used, try client.nonce()]
            daemon.signal(signal)
            #expect(daemon.end() == (signal == SIGKILL ? -SIGKILL : 0))
            #expect(FileManager.default.fileExists(atPath: daemon.socket) == (signal == SIGKILL))
        }
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

    /// Half a body has come when the signal does: the request is answered and counts, and all else ends.
    @Test(arguments: [SIGTERM, SIGINT])
    func requestsInFlightAreAnswered(signal: Int32) throws {
        let key = try Invocation.run(["api-key", "--format", "json"]).json()
        let hash = try #require(key["sha256"] as? String)
        let daemon = try DaemonIssuer.daemon(
            listeners: #"{"unix":"SOCKET"},{"tcp":"127.0.0.1:0","doors":["native"]}"#,
            // One thread, so that the end of one connection says that all others know.
            more: #""api_keys":[{"name":"a","sha256":"\#(hash)"}],"limits":{"threads":1}"#)
        let port = try #require(daemon.wait(for: "listening", count: 2)["port"] as? Int)
        let idle = try [daemon.connect(), SocketClient(port: port)]
        for client in idle { #expect(try client.ask("GET", "/health/live").status == 200) }
        let clients = try [daemon.connect(), SocketClient(port: port)]
        var rest: [String] = []
        for client in clients {
            let nonce = try idle[0].nonce()
            let body = #"{"token":"\#(try DaemonIssuer.token(nonce))","nonce":"\#(nonce)"}"#
            let head =
                "POST /v1/verify HTTP/1.1\r\nHost: p\r\nContent-Type: application/json\r\n"
                + "Authorization: Bearer \(key["key"] as? String ?? "")\r\nContent-Length: \(body.utf8.count)\r\n\r\n"
            // An answer on the same connection says that the daemon has read up to there.
            try client.write("GET /health/live HTTP/1.1\r\nHost: p\r\n\r\n" + head + body.prefix(300))
            #expect(try client.reply().status == 200)
            rest.append(String(body.dropFirst(300)))
        }
        daemon.signal(signal)
        try daemon.wait(for: "stopping")
        for client in idle { #expect(client.hasEnded()) }
        #expect(throws: (any Error).self) { try SocketClient(unix: daemon.socket) }
        #expect(throws: (any Error).self) { try SocketClient(port: port) }
        for (client, rest) in zip(clients, rest) {
            try client.write(rest)
            let reply = try client.reply()
            #expect(reply.word == "accepted")
            #expect(reply.head.contains("Connection: close"))
            #expect(client.hasEnded())
        }
        #expect(daemon.end() == 0)
        try daemon.wait(for: "stopped")
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
        #expect(try daemon.wait(for: "killed")["signal"] as? String == "SIGTERM")
        // What it has left stops nobody.
        let next = try DaemonProcess(
            arguments: ["--config", daemon.folder.url.appendingPathComponent("settings.json").path], in: daemon.folder)
        #expect(try next.connect().ask("GET", "/health/live").status == 200)
        next.signal(SIGTERM)
        #expect(next.end() == 0)
    }
}
