import Foundation
import Glibc
import PosternTestSupport
import Testing

/// `postern serve` and its issuer, which may be away.
@Suite struct ServeKeysTests {
    private let server: TestServer

    init() throws { server = try TestServer.shared.get() }

    private func daemon(_ path: String, in folder: TemporaryFolder) throws -> DaemonProcess {
        let provider = DaemonIssuer.provider(keys: server.url(path), more: #""ca_file":"\#(server.caFile)","#)
        return try DaemonProcess(DaemonIssuer.settings(provider), in: folder)
    }

    private func good() throws -> TestAnswer {
        .answer(200, [("Cache-Control", "max-age=600")], body: try TestIssuer.rsa.get().keySet)
    }

    /// It starts without keys, says so, and gets ready by itself.
    @Test func withoutItsIssuerItStarts() async throws {
        let path = "/serve/away"
        try await server.set(path, .answer(500, [], body: "no"))
        let daemon = try daemon(path, in: TemporaryFolder())
        let client = try daemon.connect()
        let failure = try daemon.wait(for: "keys_failed")
        #expect(failure["code"] as? String == "bad_status")
        #expect(failure["provider"] as? String == "test")
        let ready = try client.ask("GET", "/health/ready")
        #expect(ready.status == 503)
        #expect(String(decoding: ready.body, as: UTF8.self).contains("bad_status"))
        #expect(try client.ask("GET", "/health/live").status == 200)
        let nonce = try client.nonce()
        let token = try DaemonIssuer.token(nonce)
        let reply = try client.verify(token, nonce)
        #expect(reply.status == 503)
        #expect(reply.word == "keys_unavailable")
        #expect(reply.head.contains("Retry-After: 30"))
        // A token that no key could save is refused all the same.
        #expect(try client.verify("x", nonce).word == "token_malformed")
        try await server.set(path, good())
        try daemon.wait(for: "keys_replaced")
        #expect(try client.ask("GET", "/health/ready").status == 200)
        // The fault used up nothing.
        #expect(try client.verify(token, nonce).word == "accepted")
    }

    /// Keys that are known go on verifying while the issuer is away, also after a restart.
    @Test func withItsKeysItServesOn() async throws {
        let path = "/serve/later-away"
        try await server.set(path, good())
        let folder = try TemporaryFolder()
        for round in 0..<2 {
            let daemon = try daemon(path, in: folder)
            let client = try daemon.connect()
            try daemon.wait(for: round == 0 ? "keys_replaced" : "keys_loaded")
            for _ in 0..<3 {
                let nonce = try client.nonce()
                #expect(try client.verify(DaemonIssuer.token(nonce), nonce).word == "accepted")
            }
            #expect(try client.ask("GET", "/health/ready").status == 200)
            daemon.signal(SIGTERM)
            // What came is on disk before it ends.
            #expect(daemon.end() == 0)
            try await server.set(path, .answer(500, [], body: "no"))
        }
    }
}
