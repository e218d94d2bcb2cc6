import Foundation
import Glibc
import PosternTestSupport
import Testing

/// Sockets that somebody else has opened, as systemd does.
@Suite(.onAThreadOfItsOwn) struct InheritedSocketTests {
    private static let activator = "/usr/bin/systemd-socket-activate"
    private static let both =
        #"{"inherited":0,"doors":["native","operations"]},{"inherited":1,"doors":["native"]}"#

    /// The words that start a daemon with these listeners.
    private static func command(_ listeners: String, _ more: String, in folder: TemporaryFolder) throws -> [String] {
        let settings = try DaemonIssuer.settings(DaemonIssuer.provider(in: folder), listeners: listeners, more: more)
        let file = try folder.file(containing: Data(settings.utf8), called: "settings.json")
        return [Invocation.program.path, "serve", "--config", file.path]
    }

    private func signIn(_ client: SocketClient) throws {
        let nonce = try client.nonce()
        let token = try DaemonIssuer.token(nonce)
        #expect(try client.verify(token, nonce).word == "accepted")
        #expect(try client.verify(token, nonce).word == "nonce_used")
    }

    @Test func bothKindsAreServed() throws {
        let key = try Invocation.run(["api-key", "--format", "json"]).json()
        let hash = try #require(key["sha256"] as? String)
        let folder = try TemporaryFolder()
        let more = #""api_keys":[{"name":"a","sha256":"\#(hash)"}]"#
        let script = TestPaths.package.appending(path: "Tests/TestServers/hand_over.py").path
        let path = folder.url.appendingPathComponent("p.sock").path
        let daemon = try DaemonProcess(
            command: ["/usr/bin/python3", "-B", script, path] + Self.command(Self.both, more, in: folder), in: folder)
        let port = try #require(daemon.wait(for: "handed_over")["port"] as? Int)
        try daemon.wait(for: "listening", count: 2)

        let local = try daemon.connect()
        try signIn(local)
        // A port is a port, whoever opened it: it takes a key.
        let remote = try SocketClient(port: port)
        #expect(try remote.ask("POST", "/v1/nonces").word == "api_key_missing")
        remote.fields = ["Authorization: Bearer \(try #require(key["key"] as? String))"]
        try signIn(remote)

        daemon.signal(SIGTERM)
        #expect(daemon.end() == 0)
        // Who made the file takes it away.
        #expect(FileManager.default.fileExists(atPath: path))
    }

    /// Nobody would answer there, and the caller would wait.
    @Test(arguments: [(#"{"inherited":0,"doors":["native"]}"#, [1]), (#"{"unix":"OWN"}"#, [0, 1]), (both, [])])
    func whatNobodyTakesIsTold(_ listeners: String, _ left: [Int]) throws {
        let folder = try TemporaryFolder()
        let path = folder.url.appendingPathComponent("p.sock").path
        let key = try Invocation.run(["api-key", "--format", "json"]).json()
        let more = #""api_keys":[{"name":"a","sha256":"\#(try #require(key["sha256"] as? String))"}]"#
        let script = TestPaths.package.appending(path: "Tests/TestServers/hand_over.py").path
        let own = folder.url.appendingPathComponent("own.sock").path
        let command = try Self.command(listeners.replacingOccurrences(of: "OWN", with: own), more, in: folder)
        let daemon = try DaemonProcess(command: ["/usr/bin/python3", "-B", script, path] + command, in: folder)
        // Ended before it listens it would tell less.
        try daemon.wait(for: "listening")
        daemon.signal(SIGTERM)
        #expect(daemon.end() == 0)
        let told = daemon.log.split(separator: "\n").filter { $0.contains("\"socket_not_taken\"") }
        #expect(told.count == left.count)
        for (line, index) in zip(told, left) {
            #expect(line.contains(#""level":"warning""#) && line.contains(#""inherited":\#(index)"#), "\(line)")
        }
    }

    @Test(.enabled(if: FileManager.default.isExecutableFile(atPath: activator), "there is no systemd-socket-activate"))
    func systemdHandsOneOver() throws {
        let folder = try TemporaryFolder()
        let path = folder.url.appendingPathComponent("p.sock").path
        let daemon = try DaemonProcess(
            command: [Self.activator, "--listen", path]
                + Self.command(#"{"inherited":0,"doors":["native"]}"#, "", in: folder),
            in: folder)
        _ = try daemon.wait("systemd does not listen") { lines in lines.first { $0.contains("Listening on") } }
        // The first connection starts the daemon, and waits for it.
        try signIn(SocketClient(unix: path))
        try daemon.wait(for: "listening")
        daemon.signal(SIGTERM)
        #expect(daemon.end() == 0)
    }

    /// Settings that name the path of a socket that is handed over, as a file to start from does: the failure says what to write.
    @Test(arguments: [true, false])
    func thePathOfOneThatSomebodyHas(isHandedOver: Bool) throws {
        let folder = try TemporaryFolder()
        let path = folder.url.appendingPathComponent("p.sock").path
        let words = try Self.command(#"{"unix":"\#(path)"}"#, "", in: folder)
        let script = TestPaths.package.appending(path: "Tests/TestServers/hand_over.py").path
        let other = isHandedOver ? nil : try CannedServer(path, answer: nil)
        let command = isHandedOver ? ["/usr/bin/python3", "-B", script, path] + words : words
        let run = try Invocation.run(
            URL(filePath: command[0]), Array(command.dropFirst()), input: .nullDevice, environment: [:], output: nil)
        withExtendedLifetime(other) {}
        #expect(run.status == 2)
        #expect(run.complaint.contains("listeners[0] cannot be opened (in_use)"), "\(run.complaint)")
        let hint = isHandedOver ? "The service manager hands this very socket over: " : "If it is systemd for this "
        #expect(run.complaint.contains(hint) && run.complaint.contains(#"\"inherited\": 0"#), "\(run.complaint)")
    }

    /// Variables that are meant for another process hand nothing over.
    @Test func whatIsMeantForOthersIsNotTaken() throws {
        let folder = try TemporaryFolder()
        let words = try Self.command(#"{"inherited":0,"doors":["native"]}"#, "", in: folder)
        let run = try Invocation.run(
            URL(filePath: words[0]), Array(words.dropFirst()), input: .nullDevice,
            environment: ["LISTEN_FDS": "1", "LISTEN_PID": "1"], output: nil)
        #expect(run.status == 2)
        #expect(run.complaint.contains("listeners[0] cannot be opened (invalid)"), "\(run.complaint)")
    }
}
