import Foundation
import PosternTestSupport
import Testing

/// The daemon behind the programs that people put before it.
@Suite(.onAThreadOfItsOwn) struct ProxyTests {
    /// curl keeps the connection for its second request.
    @Test func curlReusesAConnection() throws {
        let daemon = try DaemonIssuer.daemon()
        try daemon.wait(for: "listening")
        let url = "http://postern/v1/nonces"
        let run = try Invocation.shell(
            #"curl -sS --unix-socket "$1" -w '\n%{http_code} %{num_connects}\n' -X POST "$2" "$2""#,
            [daemon.socket, url])
        #expect(run.status == 0, "\(run.complaint)")
        let lines = run.text.split(separator: "\n")
        #expect(lines.count == 4)
        // The second request needs no connection of its own.
        #expect(lines.enumerated().filter { $0.offset % 2 == 1 }.map(\.element) == ["201 1", "201 0"])
        #expect(lines.first?.hasPrefix(#"{"nonce":""#) == true)
    }

    /// A sign-in through nginx, which keeps its connections to the daemon.
    @Test(.enabled(if: Nginx.program != nil, "there is no nginx: make test-packages brings it"))
    func nginxInFront() throws {
        let daemon = try DaemonIssuer.daemon()
        // One that is open while the others come and go, so that the daemon has been seen to serve.
        let direct = try daemon.connect()
        #expect(try direct.ask("GET", "/health/live").status == 200)
        let before = try daemon.state.sockets()
        let nginx = try Nginx(before: daemon.socket)
        let body = daemon.folder.url.appendingPathComponent("body")

        let nonce = try #require(nginx.curl(["-X", "POST", "/v1/nonces"]).first).text("nonce")
        let token = try DaemonIssuer.token(nonce ?? "")
        try Data(#"{"token":"\#(token)","nonce":"\#(nonce ?? "")"}"#.utf8).write(to: body)
        let verify = ["-H", "Content-Type: application/json", "--data-binary", "@\(body.path)", "/v1/verify"]
        let kept = try daemon.state.sockets()
        #expect(kept.subtracting(before).count == 1)
        let accepted = try #require(nginx.curl(verify).first)
        #expect(accepted.status == 200)
        #expect(accepted.text("verdict") == "accepted")
        // Many on one connection, with and without a body, with a length and in chunks.
        let chunked = ["-H", "Transfer-Encoding: chunked"] + verify
        for arguments in [verify, chunked, ["/v1/keys"], ["/nothing"], ["-X", "POST", "/v1/nonces"]] {
            let answers = try nginx.curl(arguments, count: 20)
            let expected = ["/v1/keys": 200, "/v1/verify": 200, "/nothing": 404, "/v1/nonces": 201]
            #expect(answers.count == 20)
            #expect(answers.allSatisfy { $0.status == expected[arguments.last ?? ""] })
            #expect(answers.map(\.connections) == [1] + Array(repeating: 0, count: 19))
            if arguments.last == "/v1/verify" { #expect(answers.allSatisfy { $0.text("code") == "nonce_used" }) }
        }
        // All the while nginx has used the connection of its first request.
        #expect(try daemon.state.sockets() == kept)
        #expect(try direct.ask("GET", "/health/live").status == 200)
    }
}
