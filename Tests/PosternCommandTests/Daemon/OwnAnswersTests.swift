import Foundation
import Glibc
import Testing

/// What the daemon answers before any path is looked at has the form of all its answers.
@Suite(.onAThreadOfItsOwn) struct OwnAnswersTests {
    private func field(_ reply: SocketClient.Reply, _ name: String) -> String? {
        reply.head.components(separatedBy: "\r\n").first { $0.lowercased().hasPrefix("\(name): ") }
            .map { String($0.dropFirst(name.count + 2)) }
    }

    private func check(_ reply: SocketClient.Reply, _ status: Int, _ code: String, id: String? = nil) {
        #expect(reply.status == status)
        #expect(reply.text("code") == code)
        #expect(reply.json["status"] as? Int == status)
        #expect(reply.text("type") == "about:blank")
        #expect(reply.text("title")?.isEmpty == false)
        #expect(reply.text("detail")?.isEmpty == false)
        #expect(field(reply, "content-type") == "application/problem+json")
        #expect(field(reply, "cache-control") == "no-store")
        let given = field(reply, "x-request-id")
        #expect(given?.isEmpty == false)
        #expect(id == nil || given == id)
        #expect(reply.text("request_id") == given)
        #expect((field(reply, "retry-after") != nil) == (status == 429))
    }

    @Test(arguments: [
        ("GET /\r\n\r\n", 400, "request_line_malformed", false),
        ("GET / HTTP/1.1\r\nX-Request-Id: mine\r\n\r\n", 400, "host_missing", true),
        (
            "POST /v1/verify HTTP/1.1\r\nHost: a\r\nX-Request-Id: mine\r\nContent-Length: 10000000\r\n\r\n", 413,
            "body_too_large", true
        ),
        ("GET /\(String(repeating: "a", count: 9_000)) HTTP/1.1\r\n", 414, "request_line_too_long", false),
        (
            "GET / HTTP/1.1\r\nHost: a\r\nX: \(String(repeating: "a", count: 20_000))\r\n", 431, "header_too_large",
            false
        ),
        ("get / HTTP/1.1\r\nHost: a\r\n\r\n", 501, "method_unknown", false),
        ("GET / HTTP/2.0\r\nHost: a\r\n\r\n", 505, "version_unsupported", false),
        ("GET / HTTP/1.1\r\nHost: a\r\nExpect: x\r\n\r\n", 417, "expectation_unknown", false),
        (
            "POST /v1/verify HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nX-Request-Id: mine\r\nContent-Length: 5\r\n\r\nx",
            400, "cut_short", true
        ),
    ])
    func refusalsOfTheReader(text: String, status: Int, code: String, isNamed: Bool) throws {
        let daemon = try DaemonIssuer.daemon()
        let client = try daemon.connect()
        try client.write(text)
        client.endSending()
        check(try client.reply(), status, code, id: isNamed ? "mine" : nil)
    }

    @Test func timesThatAreUp() throws {
        // Each is short where it is waited for alone: the other client may be slow.
        let daemon = try DaemonIssuer.daemon(more: #""limits":{"header_seconds":1}"#)
        let patient = try DaemonIssuer.daemon(more: #""limits":{"body_seconds":1,"header_seconds":600}"#)
        // Last the one whose time runs from the beginning.
        let body = try patient.connect()
        let head = try daemon.connect()
        try head.write("GET / HTTP/1.1\r\nX-Request-Id: mine\r\n")
        try body.write(
            "POST /v1/verify HTTP/1.1\r\nHost: a\r\nX-Request-Id: mine\r\nContent-Type: application/json\r\n"
                + "Content-Length: 5\r\n\r\n")
        check(try head.reply(), 408, "header_timeout")
        check(try body.reply(), 408, "body_timeout", id: "mine")
    }

    @Test func tooManyConnections() throws {
        let daemon = try DaemonIssuer.daemon(more: #""limits":{"connections":1}"#)
        let inside = try daemon.connect()
        #expect(try inside.ask("GET", "/health/live").status == 200)
        check(try daemon.connect().reply(), 429, "too_many_connections")
        let told = try daemon.wait(for: "connections_refused")
        #expect(told["count"] as? Int == 1)
        #expect(told["listener"] as? Int == 0)
        #expect(told["level"] as? String == "warning")
    }

    @Test func tooMuchBuffered() throws {
        let daemon = try DaemonIssuer.daemon(
            more: #""limits":{"buffered_bytes":65536,"body_bytes":40000}"#)
        let open =
            "POST /v1/verify HTTP/1.1\r\nHost: a\r\nX-Request-Id: mine\r\nContent-Type: application/json\r\n"
            + "Content-Length: 40000\r\n\r\n"
        let (first, second) = (try daemon.connect(), try daemon.connect())
        for client in [first, second] { try client.write(open + String(repeating: " ", count: 30_000)) }
        // One of the two was too much, and the other goes on.
        let refused = try SocketClient.firstToHear([first, second])
        check(try refused.reply(), 429, "too_much_buffered", id: "mine")
        let other = refused === first ? second : first
        try other.write(String(repeating: " ", count: 10_000))
        #expect(try other.reply().text("code") == "body_malformed")
    }

    @Test func aboutTheServer() throws {
        let daemon = try DaemonIssuer.daemon()
        let client = try daemon.connect()
        try client.write("OPTIONS * HTTP/1.1\r\nHost: a\r\nX-Request-Id: mine\r\n\r\n")
        let reply = try client.reply()
        #expect(reply.status == 204)
        #expect(field(reply, "x-request-id") == "mine")
        #expect(field(reply, "cache-control") == "no-store")
    }

    /// Who may not come in learns that without having asked, and no more than that.
    @Test func peersThatMayNotComeIn() throws {
        let daemon = try DaemonIssuer.daemon(listeners: #"{"unix":"SOCKET","allow_users":["4294967294"]}"#)
        for text in ["", "GET /health/live HTTP/1.1\r\nHost: a\r\nX-Request-Id: mine\r\n\r\n", "no request\n\n"] {
            let client = try daemon.connect()
            try client.write(text)
            check(try client.reply(), 403, "peer_not_allowed")
            #expect(client.hasEnded())
        }
        #expect(try daemon.wait(for: "peers_refused")["count"] as? Int == 1)
    }

    /// Over TCP nobody without a key makes the daemon keep a body, and a listener without doors keeps none at all.
    @Test func strangersAreToldByTheirHead() throws {
        let (shut, keyed) = (try FreePort.find(), try FreePort.find())
        let listeners =
            #"{"unix":"SOCKET"},{"tcp":"127.0.0.1:\#(shut)"},{"tcp":"127.0.0.1:\#(keyed)","doors":["native"]}"#
        let key = String(repeating: "ab", count: 32)
        let daemon = try DaemonIssuer.daemon(
            listeners: listeners, more: #""api_keys":[{"name":"a","sha256":"\#(key)"}]"#)
        try daemon.wait(for: "listening", count: 3)
        #expect(try daemon.wait(for: "no_doors")["port"] as? Int == shut)
        let head = "POST /v1/verify HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n"
        for (port, status) in [(shut, 404), (keyed, 401)] {
            let small = try SocketClient(port: port)
            try small.write(head + "Content-Length: 100\r\n\r\n")
            #expect(try small.reply().status == status)
            try small.write(String(repeating: " ", count: 100))
            #expect(try small.ask("GET", "/health/live").status == 200)
            let waiting = try SocketClient(port: port)
            try waiting.write(head + "Content-Length: 100\r\nExpect: 100-continue\r\n\r\n")
            #expect(try waiting.reply().status == status)
            #expect(waiting.hasEnded())
        }
        // Many large ones leave nothing behind.
        let before = try daemon.state.memory()
        var open: [SocketClient] = []
        for _ in 0..<100 {
            let client = try SocketClient(port: keyed)
            try client.write(head + "Content-Length: 1000000\r\n\r\n" + String(repeating: " ", count: 300_000))
            #expect(try client.reply().status == 401)
            open.append(client)
        }
        let grown = try daemon.state.memory() - before
        if !ProcessState.hasSanitizer { #expect(grown < 4_096) }
    }
}
