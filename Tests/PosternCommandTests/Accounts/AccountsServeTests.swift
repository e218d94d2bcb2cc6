import Foundation
import Glibc
import PosternBase
import PosternTestSupport
import Testing

/// Sessions, nonces and accounts outlive the daemon, however it ends; what it is given must be right.
@Suite(.onAThreadOfItsOwn) struct AccountsServeTests {
    @Test(arguments: [SIGTERM, SIGKILL])
    func theyOutliveTheDaemon(_ signal: Int32) throws {
        let folder = try TemporaryFolder()
        let first = try AccountsDaemon.start(in: folder)
        let client = try SocketClient(unix: first.socket)
        let account = try client.signUp("a@example.com")
        let session = try client.signIn("a@example.com")
        #expect(session.status == 201 && session.account == account)
        let used = try client.nonce()
        let kept = try client.nonce()
        let token = try DaemonIssuer.token(used)
        let bought = try client.ask("POST", "/v1/sessions", #"{"token":"\#(token)","nonce":"\#(used)"}"#)
        #expect(bought.status == 201)
        first.signal(signal)
        #expect(first.end() == (signal == SIGTERM ? 0 : -SIGKILL))

        let second = try AccountsDaemon.start(in: folder)
        let other = try SocketClient(unix: second.socket)
        #expect(try other.introspect(session.accessToken).isActive == true)
        let next = try other.refresh(session.refreshToken)
        #expect(next.status == 200 && next.session == session.session)
        // What was used stays used, and what was not can be used.
        let again = try other.verify(DaemonIssuer.token(used), used)
        #expect(again.word == "nonce_used")
        #expect(try other.verify(DaemonIssuer.token(kept), kept).word == "accepted")
        #expect(
            try other.ask(
                "POST", "/v1/sessions",
                #"{"token":"\#(DaemonIssuer.token(used, ["jti": .string("another")]))","nonce":"\#(used)"}"#
            ).word
                == "nonce_used")
        #expect(try other.ask("DELETE", "/v1/sessions/\(next.session)").status == 204)
        second.signal(SIGKILL)
        #expect(second.end() == -SIGKILL)

        let third = try AccountsDaemon.start(in: folder)
        let last = try SocketClient(unix: third.socket)
        #expect(try last.introspect(next.accessToken).isActive == false)
        #expect(try last.refresh(next.refreshToken).word == "session_ended")
        third.signal(SIGTERM)
        #expect(third.end() == 0)
        // The last line of one that was killed may be half.
        try EventListTests.check(third.log)
    }

    /// A wrong master key refuses the start; the right one as a former one lets all go on.
    @Test func masterKeys() throws {
        let folder = try TemporaryFolder()
        let first = try AccountsDaemon.start(in: folder)
        let session = try {
            let client = try SocketClient(unix: first.socket)
            _ = try client.signUp("a@example.com")
            return try client.signIn("a@example.com")
        }()
        first.signal(SIGTERM)
        #expect(first.end() == 0)
        let path = folder.url.appendingPathComponent("master.key").path
        let former = folder.url.appendingPathComponent("former.key").path
        try FileManager.default.moveItem(atPath: path, toPath: former)
        try AccountsDaemon.masterKey("master.key", in: folder)
        let settings = folder.url.appendingPathComponent("settings.json").path
        let wrong = try Invocation.run(["serve", "--config", settings])
        #expect(
            try Self.failure(wrong, of: settings).contains(
                "accounts.master_key_file cannot be used. A signing key is sealed under another"))
        let second = try AccountsDaemon.start(
            in: folder, accounts: AccountsDaemon.passwords + #","former_master_key_files":["\#(former)"]"#)
        let client = try SocketClient(unix: second.socket)
        #expect(try client.introspect(session.accessToken).isActive == true)
        let next = try client.refresh(session.refreshToken)
        #expect(next.status == 200)
        second.signal(SIGTERM)
        #expect(second.end() == 0)
        unlink(path)
        let missing = try Invocation.run(["serve", "--config", settings])
        #expect(missing.status == 2 && missing.complaint.contains("accounts.master_key_file is not there"))
    }

    /// One process serves a folder; a folder that others may look into, or that cannot be written, refuses the start.
    @Test func theFolder() throws {
        let data = try AccountsFolder()
        let second = try Invocation.run(
            ["serve", "--config", data.settings, "--set", #"listeners=[{"unix":"\#(data.folder.url.path)/q.sock"}]"#])
        #expect(
            try Self.failure(second, of: data.settings).contains(
                "accounts.data cannot be used (store_locked): Another postern works"))
        data.daemon.signal(SIGTERM)
        #expect(data.daemon.end() == 0)
        chmod(data.data, 0o755)
        let open = try Invocation.run(["serve", "--config", data.settings])
        #expect(try Self.failure(open, of: data.settings).contains("lets others in: chmod 0700"))
        chmod(data.data, 0o700)
        let terminal = try Invocation.shell(
            #"script -qec "$0 serve --config $1 --set accounts.data=/dev/null" /dev/null < /dev/null"#, [data.settings])
        #expect(
            terminal.text.contains("accounts.data cannot be used (store_") && !terminal.text.contains("start_failed"),
            "\(terminal.text)")
    }

    /// What the one line says that a program reads of a start that failed for the store.
    private static func failure(_ run: Invocation, of settings: String) throws -> String {
        try EventListTests.check(run.complaint)
        let last = run.complaint.split(separator: "\n").last ?? ""
        let line = try #require(try JSONSerialization.jsonObject(with: Data(last.utf8)) as? [String: Any])
        #expect(run.status == 2 && line["event"] as? String == "start_failed" && line["code"] as? String == "store")
        let message = try #require(line["message"] as? String)
        #expect(message.hasPrefix("\(settings):"), "\(message)")
        return message
    }

    /// A database that cannot be written refuses the start. Root may write anything.
    @Test(.enabled(if: geteuid() == 0)) func readOnly() throws {
        let data = try AccountsFolder()
        data.daemon.signal(SIGTERM)
        #expect(data.daemon.end() == 0)
        let nobody: uid_t = 65_534
        for name in ["data", "data/postern.db", "master.key"] {
            chown("\(data.folder.url.path)/\(name)", nobody, nobody)
        }
        chmod("\(data.data)/postern.db", 0o400)
        let run = try Invocation.run(
            URL(fileURLWithPath: "/usr/bin/setpriv"),
            [
                "--reuid=\(nobody)", "--regid=\(nobody)", "--clear-groups", Invocation.program.path, "serve",
                "--config",
                data.settings,
            ],
            input: .nullDevice, environment: [:], output: nil)
        #expect(try Self.failure(run, of: data.settings).contains("accounts.data cannot be used (store_"))
    }

    /// Rules change with SIGHUP and sessions stay; where data are kept waits for the next start.
    @Test func reload() throws {
        let folder = try TemporaryFolder()
        let daemon = try AccountsDaemon.start(in: folder)
        let client = try SocketClient(unix: daemon.socket)
        _ = try client.signUp("a@example.com")
        let session = try client.signIn("a@example.com")
        let file = folder.url.appendingPathComponent("settings.json")
        let text = try String(contentsOf: file, encoding: .utf8)
        func change(_ from: String, _ to: String) throws {
            try text.replacingOccurrences(of: from, with: to).write(to: file, atomically: false, encoding: .utf8)
            daemon.signal(SIGHUP)
        }
        try change(
            AccountsDaemon.passwords, #""sessions":{"single":true},"confirmation":"none",\#(AccountsDaemon.passwords)"#)
        try daemon.wait(for: "reloaded")
        // Whoever signs up has an account now, and who signs in ends all other sessions.
        #expect(
            try client.ask("POST", "/v1/accounts", #"{"email":"b@example.com","password":"\#(SocketClient.password)"}"#)
                .status == 201)
        let next = try client.signIn("a@example.com")
        #expect(try client.introspect(session.accessToken).isActive == false)
        #expect(try client.introspect(next.accessToken).isActive == true)
        let ready = try client.ask("GET", "/health/ready")
        let checks = String(decoding: ready.body, as: UTF8.self)
        #expect(ready.status == 200 && checks.contains(#""accounts:store":[{"status":"pass"}]"#))
        #expect(checks.contains(#""accounts:signing_keys":[{"status":"pass"}]"#))
        try change("\(folder.url.path)/data", "\(folder.url.path)/other")
        let waiting = try daemon.wait(for: "restart_needed")["settings"] as? [String]
        #expect(waiting == ["accounts.data"])
        #expect(try client.introspect(next.accessToken).isActive == true)
        try change(AccountsDaemon.passwords, #""passwords":{"enabled":true,"blocklist":["/nonexistent"]}"#)
        try daemon.wait(for: "reload_failed")
        #expect(try client.signIn("a@example.com").status == 201)
        try change(AccountsDaemon.passwords, #""passwords":{"enabled":false}"#)
        try daemon.wait(for: "reloaded", count: 3)
        #expect(try client.signIn("a@example.com").word == "passwords_off")
        // Without accounts the rules stay as they are, not as they were at the start.
        let bare = text.replacingOccurrences(of: try AccountsDaemon.accounts(in: folder), with: #""log":{}"#)
        try bare.replacingOccurrences(of: #""auth","#, with: "").write(to: file, atomically: false, encoding: .utf8)
        daemon.signal(SIGHUP)
        try daemon.wait(for: "reloaded", count: 4)
        #expect(try client.signIn("a@example.com").word == "passwords_off")
        // What waits for the next start must go with what does not.
        try change(AccountsDaemon.passwords, #""access_token_lifetime":600,"sessions":{"inactivity":3600}"#)
        try daemon.wait(for: "reload_failed", count: 2)
        try change(AccountsDaemon.passwords, #""access_token_lifetime":600,"sessions":{"inactivity":3601}"#)
        try daemon.wait(for: "reloaded", count: 5)
        daemon.signal(SIGTERM)
        #expect(daemon.end() == 0)
    }

    /// A store that fails is told once, and that it works again.
    @Test func aStoreThatFails() throws {
        let folder = try TemporaryFolder()
        let daemon = try AccountsDaemon.start(in: folder)
        let made = try daemon.wait(for: "store_made")
        #expect(made["data"] as? String == "\(folder.url.path)/data")
        let client = try SocketClient(unix: daemon.socket)
        let account = try client.signUp("a@example.com")
        let database = "\(folder.url.path)/data/postern.db"
        try FileManager.default.moveItem(atPath: database, toPath: "\(database).away")
        for _ in 0..<3 { #expect(try client.signIn("a@example.com").word == "store_unavailable") }
        #expect(try daemon.wait(for: "store_failed")["code"] as? String == "store_unavailable")
        try FileManager.default.moveItem(atPath: "\(database).away", toPath: database)
        #expect(try client.signIn("a@example.com").account == account)
        try daemon.wait(for: "store_recovered")
        daemon.signal(SIGTERM)
        #expect(daemon.end() == 0)
        #expect(daemon.log.components(separatedBy: #""event":"store_failed""#).count == 2)
        try EventListTests.check(daemon.log)
        // The next start makes nothing.
        let next = try AccountsDaemon.start(in: folder)
        next.signal(SIGTERM)
        #expect(next.end() == 0)
        #expect(!next.log.contains("store_made"))
    }

    /// How much a file of the process may hold, which is to it what a full disk is.
    private static func limit(_ daemon: DaemonProcess, to bytes: String) throws {
        let process = try Process.run(
            URL(fileURLWithPath: "/usr/bin/prlimit"),
            arguments: ["--pid", "\(daemon.identifier)", "--fsize=\(bytes):unlimited"])
        process.waitUntilExit()
        #expect(process.terminationStatus == 0)
    }

    /// It is not ready from the first failure on until something is written again, whatever goes well meanwhile because it writes
    /// nothing; nor from the start on, where nothing can be written then.
    @Test func aFullDisk() throws {
        let folder = try TemporaryFolder()
        let daemon = try AccountsDaemon.start(in: folder)
        let client = try SocketClient(unix: daemon.socket)
        for name in ["a", "b", "c", "d"] { _ = try client.signUp("\(name)@example.com") }
        let session = try client.signIn("a@example.com")
        #expect(try Self.ready(client) == 200)
        try Self.limit(daemon, to: "1")
        #expect(try client.signIn("b@example.com").word == "store_full")
        // To end a session that never was writes nothing, and goes well.
        let none = try client.ask("DELETE", "/v1/sessions/00000000-0000-7000-8000-000000000000")
        #expect(none.word == "session_unknown")
        #expect(try client.introspect(session.accessToken).isActive == true)
        #expect(try Self.ready(client) == 503)
        try Self.limit(daemon, to: "unlimited")
        #expect(try client.signIn("b@example.com").status == 201)
        #expect(try Self.ready(client) == 200)
        #expect(daemon.log.components(separatedBy: #""event":"store_recovered""#).count == 2)
        daemon.signal(SIGKILL)
        #expect(daemon.end() == -SIGKILL)
        // Thread Sanitizer cannot start under such a limit: it maps a file of its own.
        #if !POSTERN_SANITIZE
            try Self.startOnAFullDisk(in: folder, session)
        #endif
    }

    private static func ready(_ client: SocketClient) throws -> Int { try client.ask("GET", "/health/ready").status }

    private static func startOnAFullDisk(in folder: TemporaryFolder, _ session: SocketClient.Reply) throws {
        // The log is longer than this one may write.
        let next = try DaemonProcess(
            command: [
                "/bin/sh", "-c", #"ulimit -S -f 128 && exec "$@""#, "sh", Invocation.program.path, "serve", "--config",
                folder.url.appendingPathComponent("settings.json").path,
            ], in: folder)
        try next.wait(for: "listening")
        #expect(try next.wait(for: "store_failed")["code"] as? String == "store_full")
        let other = try SocketClient(unix: next.socket)
        #expect(try ready(other) == 503)
        #expect(try other.introspect(session.accessToken).isActive == true)
        try limit(next, to: "unlimited")
        #expect(try other.signIn("c@example.com").status == 201)
        #expect(try ready(other) == 200)
    }

    /// Nothing of a person, and no secret, is in the log or in the files but where it belongs.
    @Test func nothingLeaks() throws {
        let folder = try TemporaryFolder()
        let daemon = try AccountsDaemon.start(in: folder, more: #""log":{"requests":"all"}"#)
        let client = try SocketClient(unix: daemon.socket)
        let (email, password) = ("secret.person@example.com", "the password that must not leak")
        let account = try client.signUp(email, password)
        var secrets = [password, "wrong \(password)"]
        let session = try client.signIn(email, password)
        #expect(try client.signIn(email, secrets[1]).word == "invalid_credentials")
        let next = try client.refresh(session.refreshToken)
        _ = try client.introspect(next.accessToken)
        let nonce = try client.nonce()
        let token = try DaemonIssuer.token(nonce)
        let linked = try client.ask(
            "POST", "/v1/sessions",
            #"{"token":"\#(token)","nonce":"\#(nonce)","link_to":"\#(next.accessToken)","client":{"address":"203.0.113.77"}}"#
        )
        #expect(linked.status == 201 && linked.account == account)
        _ = try client.ask("GET", "/v1/accounts?email=secret.person%40example.com")
        _ = try client.ask(
            "PUT", "/v1/accounts/\(account)/password",
            #"{"old_password":"\#(password)","new_password":"another \#(password)"}"#)
        secrets += [session, next, linked].flatMap { [$0.accessToken, $0.refreshToken] }
        secrets += [nonce, token, "another \(password)", "203.0.113.77"]
        let key = try Data(contentsOf: folder.url.appendingPathComponent("master.key"))
        let keys = try Invocation.run([
            "users", "list", "--config", folder.url.appendingPathComponent("settings.json").path,
        ])
        #expect(keys.text.contains(email))
        daemon.signal(SIGTERM)
        #expect(daemon.end() == 0)
        for secret in secrets + [email, "secret.person"] {
            #expect(!secret.isEmpty && !daemon.log.contains(secret), "\(secret)")
        }
        for name in try FileManager.default.contentsOfDirectory(atPath: "\(folder.url.path)/data") {
            let bytes = try Data(contentsOf: URL(fileURLWithPath: "\(folder.url.path)/data/\(name)"))
            for secret in secrets { #expect(bytes.firstRange(of: Data(secret.utf8)) == nil, "\(name): \(secret)") }
            #expect(bytes.firstRange(of: key) == nil)
        }
    }
}
