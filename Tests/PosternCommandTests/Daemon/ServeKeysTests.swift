import Foundation
import Glibc
import PosternKeySets
import PosternTestSupport
import Testing

/// `postern serve` and its issuer, which may be away.
@Suite(.onAThreadOfItsOwn) struct ServeKeysTests {
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

    /// While its issuer has not answered yet it says so, and once it does nobody need ask again.
    @Test func whileItsIssuerIsSilentItSaysSo() async throws {
        let path = "/serve/silent"
        let keys = try TestIssuer.rsa.get().keySet
        try await server.set(path, .held(body: keys))
        let daemon = try daemon(path, in: TemporaryFolder())
        let client = try daemon.connect()
        #expect(try await server.wait(path, requests: 1))
        let ready = try client.ask("GET", "/health/ready")
        #expect(ready.status == 503)
        #expect(String(decoding: ready.body, as: UTF8.self).contains("No keys have come yet."))
        try await server.release(path)
        try daemon.wait(for: "keys_replaced")
        #expect(try client.ask("GET", "/health/ready").status == 200)
    }

    /// Past their time the keys go on verifying, and readiness says since when.
    @Test func withOldKeysItSaysHowOld() async throws {
        let path = "/serve/stale"
        try await server.set(path, good())
        let folder = try TemporaryFolder()
        let first = try daemon(path, in: folder)
        try first.wait(for: "keys_replaced")
        first.signal(SIGTERM)
        #expect(first.end() == 0)
        try Self.ageCopy(in: folder, by: 7200)
        try await server.set(path, .answer(500, [], body: "no"))
        let daemon = try daemon(path, in: folder)
        let client = try daemon.connect()
        try daemon.wait(for: "keys_failed")
        let nonce = try client.nonce()
        #expect(try client.verify(DaemonIssuer.token(nonce), nonce).word == "accepted")
        let ready = try client.ask("GET", "/health/ready")
        #expect(ready.status == 200)
        #expect(ready.text("status") == "warn")
        let check = (ready.json["checks"] as? [String: [[String: Any]]])?["test:keys"]?.first
        #expect(check?["observedValue"] as? String == "stale")
        let output = try #require(check?["output"] as? String)
        // Fetched two hours ago to serve for ten minutes: past their time for 6600 s and what this has taken since.
        let seconds = try #require(output.split(separator: " ").compactMap { Int($0) }.first { $0 > 500 })
        #expect((6600..<7200).contains(seconds), "\(output)")
    }

    /// Makes the copy on disk as much older.
    private static func ageCopy(in folder: TemporaryFolder, by seconds: Int64) throws {
        let files = try #require(FileManager.default.enumerator(at: folder.url, includingPropertiesForKeys: nil))
        var aged = 0
        for case let file as URL in files {
            guard let old = try? StoredKeySet(Array(Data(contentsOf: file))) else { continue }
            let new = StoredKeySet(
                source: old.source, keySetURL: old.keySetURL, fetchedAt: old.fetchedAt - seconds,
                timeToLive: old.timeToLive, entityTag: old.entityTag, set: old.set)
            // In place, so that the file keeps its mode.
            let handle = try FileHandle(forWritingTo: file)
            try handle.write(contentsOf: Data(new.bytes))
            try handle.truncate(atOffset: UInt64(new.bytes.count))
            aged += 1
        }
        #expect(aged == 1)
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
