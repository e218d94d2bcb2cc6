import Foundation
import Glibc
import PosternTestSupport
import Testing

/// `postern doctor` as it is run, beside a daemon that is well and where nothing is.
@Suite(.onAThreadOfItsOwn) struct DoctorRunTests {
    private struct Report {
        let status: Int32
        let text: String
        let levels: [String: String]

        init(_ arguments: [String], environment: [String: String] = [:]) throws {
            try self.init(Invocation.run(["doctor", "--format", "json"] + arguments, environment: environment))
        }

        init(_ run: Invocation) throws {
            status = run.status
            text = run.text
            let findings = try #require(try run.json()["findings"] as? [[String: String]], "\(run.complaint)")
            levels = Dictionary(findings.map { ($0["code"] ?? "", $0["level"] ?? "") }) { first, _ in first }
        }

        func codes(_ level: String) -> [String] { levels.filter { $0.value == level }.map(\.key).sorted() }
    }

    /// What depends on the machine that the test runs on.
    private static let ofTheMachine: Set = ["clock_sync_missing", "clock_sync_unknown", "user_root"]

    @Test func aDaemonThatIsWell() throws {
        let issuer = try IssuerProcess()
        let daemon = try issuer.daemon()
        try daemon.wait(for: "keys_replaced")
        let client = try daemon.connect()
        let nonce = try client.nonce()
        let before = try Self.listing(daemon.folder)
        let settings = daemon.folder.url.appendingPathComponent("settings.json").path
        let report = try Report(["--config", settings, "--socket", daemon.socket])
        #expect(report.codes("problem").isEmpty, "\(report.text)")
        #expect(Set(report.codes("warning")).isSubset(of: Self.ofTheMachine), "\(report.text)")
        for code in ["settings", "keys", "clock_server", "socket", "daemon", "descriptors", "crypto", "entropy"] {
            #expect(report.levels[code] == "ok", "\(code)")
        }
        // It was not disturbed: the nonce is still good, the files are the same.
        #expect(try Self.listing(daemon.folder) == before)
        let token = try issuer.mint(#"{"nonce":"\#(nonce)"}"#)
        #expect(try client.verify(token, nonce).word == "accepted")
        daemon.signal(SIGTERM)
        #expect(daemon.end() == 0)
    }

    private static func listing(_ folder: TemporaryFolder) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder.url.path).sorted().map { name in
            let attributes = try FileManager.default.attributesOfItem(atPath: "\(folder.url.path)/\(name)")
            return "\(name) \(attributes[.modificationDate] ?? "") \(attributes[.systemFileNumber] ?? "")"
        }
    }

    /// Each of these keeps a daemon from serving, and both say so.
    @Test func aDaemonThatIsNot() throws {
        let issuer = try IssuerProcess(["--fault", "empty_set"])
        let daemon = try issuer.daemon()
        try daemon.wait(for: "keys_failed")
        let settings = daemon.folder.url.appendingPathComponent("settings.json").path
        let report = try Report(["--config", settings])
        #expect(report.status == 1)
        #expect(report.codes("problem") == ["daemon_not_ready", "keys_unusable"], "\(report.text)")
        try issuer.set(["server_error"])
        #expect(try Report(["--config", settings]).codes("problem").contains("keys_unreachable"))
        daemon.signal(SIGKILL)
        #expect(daemon.end() == -SIGKILL)
        let left = try Report(["--config", settings, "--offline"])
        #expect(left.codes("problem").isEmpty && left.levels["socket_stale"] == "warning")
        #expect(left.status == 4)
        // Named by hand it is asked for, and missed.
        let missed = try Report(["--config", settings, "--offline", "--socket", daemon.socket])
        #expect(missed.levels["daemon_missing"] == "warning", "\(missed.text)")
    }

    /// A daemon that a credential keeps from starting: nothing else shows it.
    @Test func credentialsOfTheServiceAlone() throws {
        let folder = try TemporaryFolder()
        chmod(folder.url.path, 0o700)
        let more = #""api_keys":[{"name":"a","credential":"none"},{"name":"b","credential":"other"}]"#
        let socket = folder.url.appendingPathComponent("p.sock").path
        let settings = try DaemonIssuer.settings(
            DaemonIssuer.provider(in: folder), listeners: #"{"unix":"\#(socket)"}"#, more: more)
        let file = try folder.file(containing: Data(settings.utf8), called: "settings.json").path
        let run = try Invocation.run(["doctor", "--config", file])
        #expect(run.status == 4, "\(run.text)")
        for name in ["api_keys[0].credential", "api_keys[1].credential"] {
            #expect(run.text.contains("credentials_not_checked  \(name): "), "\(run.text)")
        }
    }

    /// Where the daemon lets in others only, and where it does not tell.
    @Test(arguments: [
        (#"{"unix":"SOCKET","allow_users":["4711"]}"#, "daemon_forbidden"),
        (#"{"unix":"SOCKET","doors":["native"]}"#, "daemon"),
    ])
    func doorsThatAreShut(_ listener: String, _ code: String) throws {
        let daemon = try DaemonIssuer.daemon(listeners: listener)
        try daemon.wait(for: "listening")
        let settings = daemon.folder.url.appendingPathComponent("settings.json").path
        let report = try Report(["--config", settings])
        #expect(report.levels[code] != nil, "\(report.text)")
    }

    @Test func aPortOfTheDaemonAndOneOfAnother() throws {
        let issuer = try IssuerProcess()
        let listener = #"{"unix":"SOCKET"},{"tcp":"127.0.0.1:\#(issuer.port)","doors":[]}"#
        let folder = try TemporaryFolder()
        let text = try DaemonIssuer.settings(DaemonIssuer.provider(in: folder), listeners: listener)
            .replacingOccurrences(of: "SOCKET", with: folder.url.appendingPathComponent("p.sock").path)
        let file = try folder.file(containing: Data(text.utf8))
        let report = try Report(["--config", file.path])
        #expect(report.levels["daemon_foreign"] == "problem", "\(report.text)")
    }

    @Test func socketsThatAreHandedOver() throws {
        let folder = try TemporaryFolder()
        let listeners = #"{"inherited":0,"doors":["native"]},{"inherited":2,"doors":["operations"]}"#
        let settings = try DaemonIssuer.settings(DaemonIssuer.provider(in: folder), listeners: listeners)
        let file = try folder.file(containing: Data(settings.utf8), called: "settings.json").path
        let script = TestPaths.package.appending(path: "Tests/TestServers/hand_over.py").path
        let run = try Invocation.run(
            URL(fileURLWithPath: "/usr/bin/python3"),
            [
                "-B", script, folder.url.appendingPathComponent("h.sock").path, Invocation.program.path, "doctor",
                "--config", file, "--format", "json",
            ], input: .nullDevice, environment: [:], output: nil)
        let report = try Report(run)
        #expect(report.levels["inherited"] == "ok" && report.levels["inherited_missing"] == "problem", "\(report.text)")
    }

    @Test func noPlaceForCopiesAndNoAuthorities() throws {
        let folder = try TemporaryFolder()
        let provider = #"{"provider":"apple","proxy":"x","audiences":[{"client_id":"a","nonce":"issued"}]}"#
        let socket = folder.url.appendingPathComponent("p.sock").path
        let settings = DaemonIssuer.settings(provider, listeners: #"{"unix":"\#(socket)"}"#)
        let file = try folder.file(containing: Data(settings.utf8)).path
        let report = try Report(["--config", file])
        #expect(report.levels["cache_folder_unknown"] == "warning", "\(report.text)")
        #expect(report.levels["keys_settings"] == "problem", "\(report.text)")
    }

    /// No network, and the copy on disk is looked at and not touched, not even what a killed writer has left.
    @Test func theCacheIsLeftAsItIs() throws {
        let folder = try TemporaryFolder()
        chmod(folder.url.path, 0o700)
        let cache = folder.url.appendingPathComponent("cache").path
        try FileManager.default.createDirectory(
            atPath: cache, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
        let left = "\(cache)/.https---appleid-apple-com-auth-keys.0000000000000000.keys.new-00"
        _ = FileManager.default.createFile(
            atPath: left, contents: nil, attributes: [.modificationDate: Date(timeIntervalSince1970: 1_780_000_000)])
        let provider =
            #"{"provider":"apple","proxy":"http://127.0.0.1:1","audiences":[{"client_id":"a","nonce":"issued"}]}"#
        let socket = folder.url.appendingPathComponent("p.sock").path
        let settings = DaemonIssuer.settings(
            provider, listeners: #"{"unix":"\#(socket)"}"#, more: #""cache_folder":"\#(cache)""#)
        let file = try folder.file(containing: Data(settings.utf8)).path
        let report = try Report(["--config", file])
        #expect(
            report.levels["keys_unreachable"] == "problem" && report.levels["cache_folder"] == "ok", "\(report.text)")
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: cache) == [URL(fileURLWithPath: left).lastPathComponent]
        )
        #expect(
            !FileManager.default.fileExists(atPath: socket) && !FileManager.default.fileExists(atPath: socket + ".lock")
        )
    }

    /// What the settings hold that others must not know is in no finding.
    @Test func noSecretIsTold() throws {
        let folder = try TemporaryFolder()
        let key = try #require(try Invocation.run(["api-key", "--format", "json"]).json()["key"] as? String)
        let keyFile = try folder.file(containing: Data(key.utf8), called: "api-key")
        for mode in [0o600, 0o644] {
            chmod(keyFile.path, mode_t(mode))
            let more = #""api_keys":[{"name":"a","file":"\#(keyFile.path)"}]"#
            let settings = try DaemonIssuer.settings(
                DaemonIssuer.provider(in: folder), listeners: #"{"tcp":"127.0.0.1:0","doors":["native"]}"#, more: more)
            let file = try folder.file(containing: Data(settings.utf8), called: "settings.json").path
            let run = try Invocation.run(["doctor", "--config", file])
            #expect(!run.text.contains(key) && !run.complaint.contains(key))
            #expect(run.text.contains("settings_invalid") == (mode == 0o644), "\(run.text)")
        }
    }

    @Test(arguments: [["--socket", "relative"], ["--socket", "/" + String(repeating: "a", count: 107)], ["x"]])
    func whatIsNoOption(_ arguments: [String]) throws {
        #expect(try Invocation.run(["doctor"] + arguments).status == 2)
    }
}
