import Foundation
import Glibc
import PosternBase
import PosternTestSupport
import Testing

/// SIGHUP, which makes the daemon read its settings anew.
@Suite(.onAThreadOfItsOwn) struct ReloadTests {
    /// A daemon whose file can be written anew.
    private struct Reloading {
        let folder: TemporaryFolder
        let daemon: DaemonProcess
        let provider: String

        init(more: String = "", environment: [String: String] = [:]) throws {
            folder = try TemporaryFolder()
            provider = try DaemonIssuer.provider(in: folder)
            daemon = try DaemonProcess(
                DaemonIssuer.settings(provider, more: more), in: folder, environment: environment)
        }

        var file: String { folder.url.appendingPathComponent("settings.json").path }

        /// Writes the file and sends the signal; the `count`th event called `event`, which says how it ended.
        @discardableResult
        func reload(_ settings: String, _ event: String = "reloaded", count: Int = 1) throws -> [String: Any] {
            let text = settings.replacingOccurrences(of: "SOCKET", with: daemon.socket)
            try Data(text.utf8).write(to: URL(fileURLWithPath: file))
            daemon.signal(SIGHUP)
            return try daemon.wait(for: event, count: count)
        }
    }

    /// Other audiences count at once; what was issued before stays good.
    @Test func otherAudiences() throws {
        let run = try Reloading()
        let client = try run.daemon.connect()
        let early = try client.nonce()
        let other = run.provider.replacingOccurrences(
            of: #""audiences":["#, with: #""audiences":[{"client_id":"com.example.new","nonce":"issued"},"#)
        let reloaded = try run.reload(DaemonIssuer.settings(other))
        #expect(reloaded["providers"] as? [String] == ["test"])
        // The same connection goes on.
        #expect(try client.verify(DaemonIssuer.token(early), early).word == "accepted")
        #expect(try client.verify(DaemonIssuer.token(early), early).word == "nonce_used")
        let nonce = try client.ask("POST", "/v1/nonces", #"{"audience":"com.example.new"}"#).text("nonce") ?? ""
        let token = try DaemonIssuer.token(nonce, ["aud": .string("com.example.new")])
        #expect(try client.verify(token, nonce).word == "accepted")
        try run.reload(DaemonIssuer.settings(run.provider), count: 2)
        #expect(try client.ask("POST", "/v1/nonces", #"{"audience":"com.example.new"}"#).word == "audience_unknown")
        run.daemon.signal(SIGTERM)
        #expect(run.daemon.end() == 0)
    }

    private static let bad: [(change: @Sendable (String) -> String, message: String)] = [
        ({ _ in "" }, "settings.json:1:1: empty text"), ({ _ in "{" }, "settings.json:1:2: the text ends too early"),
        ({ $0.replacingOccurrences(of: #""listeners""#, with: #""listener""#) }, "is listeners meant?"),
        ({ $0.replacingOccurrences(of: #""issued""#, with: #""none""#) }, "nonce must be one of issued"),
        ({ $0.replacingOccurrences(of: #""audiences":["#, with: "\"audiences\":[],\n\"x\":[") }, "no setting \"x\""),
        ({ $0.replacingOccurrences(of: "keys.json", with: "none.json") }, "keys cannot be used"),
        ({ $0 + "x" }, "something after the value"),
        (
            { $0.replacingOccurrences(of: #""listeners""#, with: #""limits":{"threads":0},"listeners""#) },
            "limits.threads must be"
        ),
    ]

    /// What is wrong changes nothing, and is told as at a start.
    @Test func badFilesLeaveTheOldSettingsWhole() throws {
        let run = try Reloading()
        let client = try run.daemon.connect()
        let good = DaemonIssuer.settings(run.provider)
        for (index, (change, message)) in Self.bad.enumerated() {
            let failed = try run.reload(change(good), "reload_failed", count: index + 1)
            let faults = try #require(failed["faults"] as? [String])
            #expect(faults.contains { $0.contains(message) }, "\(faults)")
            #expect(failed["message"] as? String == faults.first)
            #expect(failed["level"] as? String == "error")
            // The same sentences as those of check-config.
            let check = try Invocation.run(["check-config", "--config", run.file])
            #expect(SettingsRun.withoutWarning(check.text) == faults.map { $0 + "\n" }.joined())
            let nonce = try client.nonce()
            #expect(try client.verify(DaemonIssuer.token(nonce), nonce).word == "accepted")
        }
        unlink(run.file)
        run.daemon.signal(SIGHUP)
        let gone = try run.daemon.wait(for: "reload_failed", count: Self.bad.count + 1)
        #expect((gone["message"] as? String)?.contains("cannot be read") == true)
        mkfifo(run.file, 0o600)
        run.daemon.signal(SIGHUP)
        let pipe = try run.daemon.wait(for: "reload_failed", count: Self.bad.count + 2)
        #expect((pipe["message"] as? String)?.contains("can be read once only") == true)
        unlink(run.file)
        mkdir(run.file, 0o700)
        run.daemon.signal(SIGHUP)
        let folder = try run.daemon.wait(for: "reload_failed", count: Self.bad.count + 3)
        #expect((folder["message"] as? String)?.contains("which is no regular file") == true)
        rmdir(run.file)
        try run.reload(good)
        let nonce = try client.nonce()
        #expect(try client.verify(DaemonIssuer.token(nonce), nonce).word == "accepted")
    }

    /// Faults beside a change that is good: in the provider of that change, in one behind it, and in other rooms.
    private static let faults: [(change: @Sendable (String) -> String, message: String)] = [
        ({ $0.replacingOccurrences(of: #""burst":1"#, with: #""burst":0"#) }, "limits.burst must be"),
        ({ $0.replacingOccurrences(of: #""nonce":"issued"}]"#, with: #""nonce":"none"}]"#) }, "nonce must be one of"),
        ({ $0.replacingOccurrences(of: "keys.json", with: "none.json") }, "keys cannot be used"),
        (
            { $0.replacingOccurrences(of: "}],\"listeners\"", with: "},{}],\"listeners\"") },
            "providers[1].provider is missing"
        ),
        ({ $0.replacingOccurrences(of: #"{"unix""#, with: #"{"mode":"0666","unix""#) }, "mode lets every user"),
        (
            { $0.replacingOccurrences(of: #""limits""#, with: #""nonces":{"lifetime":9},"limits""#) },
            "nonces.lifetime must be"
        ),
        ({ $0.replacingOccurrences(of: #""limits""#, with: #""api_keys":[{"name":"a"}],"limits""#) }, "api_keys[0]"),
        ({ $0.replacingOccurrences(of: #""limits""#, with: #""limit":{},"limits""#) }, "is limits meant?"),
    ]

    /// Of a bad file nothing counts, not even what is good in it.
    @Test func theGoodHalfOfABadFileDoesNotCount() throws {
        let run = try Reloading()
        let client = try run.daemon.connect()
        let audience = #"{"audience":"com.example.new"}"#
        func statuses(_ count: Int = 3) throws -> [Int] {
            try (0..<count).map { _ in try client.ask("POST", "/v1/nonces", audience).status }
        }
        let before = try statuses()
        #expect(Set(before).count == 1 && before[0] != 429)
        let provider = run.provider.replacingOccurrences(
            of: #""audiences":["#, with: #""audiences":[{"client_id":"com.example.new","nonce":"issued"},"#)
        let changed = DaemonIssuer.settings(provider, more: #""limits":{"requests_per_second":1,"burst":1}"#)
        for (index, (fault, message)) in Self.faults.enumerated() {
            let failed = try run.reload(fault(changed), "reload_failed", count: index + 1)
            let told = try #require(failed["faults"] as? [String])
            #expect(told.count == 1 && told[0].contains(message), "\(told)")
            #expect(try statuses() == before, "\(message)")
            #expect(try client.ask("POST", "/v1/nonces", audience).word == "audience_unknown")
        }
        // Without a fault it does count; many, since one more is let in each second.
        try run.reload(changed)
        let after = try statuses(100)
        #expect(after[0] == 201 && after.contains(429))
    }

    @Test func keysAndLimits() throws {
        let made = try (0..<2).map { _ in try Invocation.run(["api-key", "--format", "json"]).json() }
        let hashes = made.compactMap { $0["sha256"] as? String }
        let fields = made.compactMap { $0["key"] as? String }.map { "Authorization: Bearer \($0)" }
        func settings(_ provider: String, _ hash: String, _ limits: String = "") -> String {
            DaemonIssuer.settings(
                provider, listeners: #"{"unix":"SOCKET","require_api_key":true}"#,
                more: #""api_keys":[{"name":"a","sha256":"\#(hash)"}],\#(limits)"#)
        }
        let folder = try TemporaryFolder()
        let provider = try DaemonIssuer.provider(in: folder)
        let daemon = try DaemonProcess(settings(provider, hashes[0]), in: folder)
        let client = try daemon.connect()
        func status(_ place: Int) throws -> Int { try client.ask("GET", "/v1/keys", "", [fields[place]]).status }
        #expect(try [status(0), status(1)] == [200, 401])
        let file = folder.url.appendingPathComponent("settings.json")
        func write(_ text: String) throws {
            try Data(text.replacingOccurrences(of: "SOCKET", with: daemon.socket).utf8).write(to: file)
            daemon.signal(SIGHUP)
        }
        try write(settings(provider, hashes[1]))
        try daemon.wait(for: "reloaded")
        #expect(try [status(0), status(1)] == [401, 200])
        try write(settings(provider, hashes[1], #""limits":{"requests_per_second":1,"burst":1}"#))
        try daemon.wait(for: "reloaded", count: 2)
        #expect(try [status(1), status(1)] == [200, 429])
        try write(settings(provider, hashes[1]))
        try daemon.wait(for: "reloaded", count: 3)
        #expect(try [status(1), status(1)] == [200, 200])
    }

    /// What needs a restart is as it was, and told until it has been one or is as it was again.
    @Test func whatNeedsARestart() throws {
        let run = try Reloading(more: #""limits":{"body_bytes":2048}"#)
        let client = try run.daemon.connect()
        let changed = DaemonIssuer.settings(
            run.provider, listeners: #"{"unix":"SOCKET.other"}"#,
            more: #""nonces":{"lifetime":20},"limits":{"body_bytes":4096,"connections":16384,"drain_seconds":5}"#)
        try run.reload(changed)
        let needed = try run.daemon.wait(for: "restart_needed")
        #expect(needed["settings"] as? [String] == ["listeners", "nonces.lifetime", "limits.body_bytes"])
        #expect(try client.ask("POST", "/v1/verify", String(repeating: " ", count: 3000)).status == 413)
        let again = try run.daemon.connect()
        #expect(try again.ask("POST", "/v1/nonces").json["expires_in"] as? Int == 600)
        #expect(!FileManager.default.fileExists(atPath: run.daemon.socket + ".other"))
        try run.reload(DaemonIssuer.settings(run.provider, more: #""limits":{"body_bytes":2048}"#), count: 2)
        try run.reload(DaemonIssuer.settings(run.provider, more: #""limits":{"body_bytes":2.048e3}"#), count: 3)
        #expect(run.daemon.log.components(separatedBy: "restart_needed").count == 2)
    }

    /// The environment and the command line are what they were.
    @Test func variablesCountOverTheNewFile() throws {
        let run = try Reloading(environment: ["POSTERN_LIMITS_BURST": "1", "POSTERN_LIMITS_REQUESTS_PER_SECOND": "1"])
        let client = try run.daemon.connect()
        #expect(try client.ask("GET", "/v1/keys").status == 200)
        try run.reload(DaemonIssuer.settings(run.provider, more: #""limits":{"burst":500,"requests_per_second":500}"#))
        // Under the file's limits none of them would be refused; under those of the start one is, however long the reload took.
        let statuses = try (0..<50).map { _ in try client.ask("GET", "/v1/keys").status }
        #expect(statuses.contains(429))
    }

    /// Keys that are there are not asked for again; those of a new provider are fetched, those of one that has gone are not.
    @Test func unchangedProvidersKeepTheirKeys() async throws {
        let server = try TestServer.shared.get()
        let keys = try TestIssuer.rsa.get().keySet
        for path in ["/reload/one", "/reload/two"] {
            try await server.set(path, .answer(200, [("Cache-Control", "max-age=600")], body: keys))
        }
        let trusted = #""ca_file":"\#(server.caFile)","#
        let one = DaemonIssuer.provider(keys: server.url("/reload/one"), more: trusted)
        let two = DaemonIssuer.provider(keys: server.url("/reload/two"), more: trusted)
            .replacingOccurrences(of: "\"test\"", with: "\"two\"").replacingOccurrences(
                of: TestIssuer.audience, with: "com.example.two")
        let folder = try TemporaryFolder()
        let daemon = try DaemonProcess(DaemonIssuer.settings(one, more: #""cache_folder":"","#), in: folder)
        let client = try daemon.connect()
        try daemon.wait(for: "keys_replaced")
        let file = folder.url.appendingPathComponent("settings.json")
        for round in 1...5 {
            let providers = round.isMultiple(of: 2) ? one : "\(one),\(two)"
            let more = #""cache_folder":"","limits":{"drain_seconds":\#(round)}"#
            let text = DaemonIssuer.settings(providers, more: more)
            try Data(text.replacingOccurrences(of: "SOCKET", with: daemon.socket).utf8).write(to: file)
            daemon.signal(SIGHUP)
            try daemon.wait(for: "reloaded", count: round)
            let nonce =
                try client.ask("POST", "/v1/nonces", #"{"audience":"\#(TestIssuer.audience)"}"#).text("nonce") ?? ""
            #expect(try client.verify(DaemonIssuer.token(nonce), nonce).word == "accepted")
        }
        #expect(try await server.requests("/reload/one").count == 1)
        #expect(try await server.wait("/reload/two", requests: 3))
    }

    /// A request that waits for keys ends under the settings that it began with, though its provider is gone.
    @Test func whatIsInFlightEndsAsItBegan() async throws {
        let server = try TestServer.shared.get()
        try await server.set("/reload/held", .held(body: TestIssuer.rsa.get().keySet))
        let held = DaemonIssuer.provider(
            keys: server.url("/reload/held"), nonce: "hashed", more: #""ca_file":"\#(server.caFile)","#)
        let folder = try TemporaryFolder()
        let daemon = try DaemonProcess(DaemonIssuer.settings(held), in: folder)
        let client = try daemon.connect()
        #expect(try await server.wait("/reload/held", requests: 1))
        let body = #"{"token":"\#(try DaemonIssuer.token("n"))","nonce":"n"}"#
        try client.write(
            "POST /v1/verify HTTP/1.1\r\nHost: p\r\nContent-Type: application/json\r\n"
                + "Content-Length: \(body.utf8.count)\r\n\r\n\(body)")
        // Answered behind it on the same thread, so the one before has been begun.
        let second = try daemon.connect()
        #expect(try second.ask("GET", "/health/live").status == 200)
        let other = try DaemonIssuer.provider(in: folder).replacingOccurrences(of: "\"test\"", with: "\"other\"")
            .replacingOccurrences(of: TestIssuer.audience, with: "com.example.other")
        let text = DaemonIssuer.settings(other).replacingOccurrences(of: "SOCKET", with: daemon.socket)
        try Data(text.utf8).write(to: folder.url.appendingPathComponent("settings.json"))
        #expect(!client.hasAnswer(within: 0))
        daemon.signal(SIGHUP)
        try daemon.wait(for: "reloaded")
        #expect(try second.verify(DaemonIssuer.token("n"), "n").word == "audience_mismatch")
        try await server.release("/reload/held")
        let reply = try client.reply()
        #expect(reply.word == "accepted")
        #expect((reply.json["identity"] as? [String: Any])?["provider"] as? String == "test")
    }

    /// Reloads while lists of tokens are verified: each answer is of one of both settings.
    @Test func noAnswerIsMixed() throws {
        let rounds = ProcessInfo.processInfo.environment["POSTERN_RACE_ROUNDS"].flatMap { Int($0) } ?? 20
        let folder = try TemporaryFolder()
        let one = try DaemonIssuer.provider(in: folder, nonce: "hashed")
        let two = one.replacingOccurrences(of: "\"test\"", with: "\"two\"")
        let daemon = try DaemonProcess(DaemonIssuer.settings(one), in: folder)
        let clients = try (0..<4).map { _ in try daemon.connect() }
        let token = #"{"token":"\#(try DaemonIssuer.token("n"))","nonce":"n"}"#
        let body = #"{"tokens":[\#(Array(repeating: token, count: 64).joined(separator: ","))]}"#
        let request =
            "POST /v1/verify HTTP/1.1\r\nHost: p\r\nContent-Type: application/json\r\n"
            + "Content-Length: \(body.utf8.count)\r\n\r\n\(body)"
        let texts = [one, two].map {
            DaemonIssuer.settings($0).replacingOccurrences(of: "SOCKET", with: daemon.socket)
        }
        let file = folder.url.appendingPathComponent("settings.json")
        for round in 0..<rounds {
            for client in clients { try client.write(request) }
            try Data(texts[(round + 1) % 2].utf8).write(to: file, options: .atomic)
            daemon.signal(SIGHUP)
            for client in clients {
                let verdicts = try client.reply().json["verdicts"] as? [[String: Any]] ?? []
                let names = verdicts.compactMap { ($0["identity"] as? [String: Any])?["provider"] as? String }
                #expect(names.count == 64 && Set(names).count == 1)
            }
            try daemon.wait(for: "reloaded", count: round + 1)
        }
        #expect(!daemon.log.contains("reload_failed"))
    }

    /// SIGHUP before the daemon serves ends nothing, and counts once it does. The settings come out of a pipe, so that the start
    /// lasts until the signal has come.
    @Test func duringTheStart() throws {
        let folder = try TemporaryFolder()
        let provider = try DaemonIssuer.provider(in: folder)
        let file = folder.url.appendingPathComponent("settings.json").path
        mkfifo(file, 0o600)
        let daemon = try DaemonProcess(arguments: ["--config", file], in: folder)
        var pipe: Int32 = -1
        // It can be opened once the daemon reads it.
        until {
            pipe = open(file, O_WRONLY | O_NONBLOCK)
            return pipe >= 0
        }
        for _ in 0..<3 { daemon.signal(SIGHUP) }
        func text(_ provider: String) -> String {
            DaemonIssuer.settings(provider).replacingOccurrences(of: "SOCKET", with: daemon.socket)
        }
        let next = provider.replacingOccurrences(of: "\"test\"", with: "\"next\"")
        rename(try folder.file(containing: Data(text(next).utf8), called: "next.json").path, file)
        let first = Array(text(provider).utf8)
        #expect(write(pipe, first, first.count) == first.count)
        close(pipe)
        let reloaded = try daemon.wait(for: "reloaded")
        #expect(reloaded["providers"] as? [String] == ["next"])
        #expect(try SocketClient(unix: daemon.socket).ask("GET", "/health/live").status == 200)
        daemon.signal(SIGTERM)
        #expect(daemon.end() == 0)
    }

    /// To what was started to try it out, SIGHUP says that the terminal is gone.
    @Test func notUnderDevelopment() throws {
        let folder = try TemporaryFolder()
        let path = folder.url.appendingPathComponent("development").path
        let daemon = try DaemonProcess(arguments: ["--development", path], in: folder)
        try daemon.wait(for: "listening", count: 2)
        daemon.signal(SIGHUP)
        #expect(daemon.end() == -SIGHUP)
    }

    /// Many at once are as good as one, and none keeps it from its end.
    @Test func aFloodOfSignals() throws {
        let run = try Reloading()
        let client = try run.daemon.connect()
        for _ in 0..<500 { run.daemon.signal(SIGHUP) }
        try run.daemon.wait(for: "reloaded")
        #expect(try client.ask("GET", "/health/live").status == 200)
        for _ in 0..<50 { run.daemon.signal(SIGHUP) }
        run.daemon.signal(SIGTERM)
        for _ in 0..<50 { run.daemon.signal(SIGHUP) }
        #expect(run.daemon.end() == 0)
    }
}
