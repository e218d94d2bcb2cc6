import Foundation
import Glibc
import Testing

/// The commands of operators, beside a daemon that runs and without one.
@Suite(.onAThreadOfItsOwn) struct UsersCommandTests {
    @Test func peopleBesideADaemon() throws {
        let data = try AccountsFolder()
        let made = try data.json(
            ["users", "create", "new@example.com", "--proven", "--password", "-"], input: "\(SocketClient.password)\n")
        #expect(made["email"] as? String == "new@example.com" && made["email_proven"] as? Bool == true)
        let id = try #require(made["id"] as? String)
        let session = try data.client.signIn("NEW@example.com")
        #expect(session.status == 201 && session.account == id)
        // By name and by address alike.
        for user in [id, id.uppercased(), "new@example.com", "New@EXAMPLE.com"] {
            #expect(try data.json(["users", "show", user])["id"] as? String == id)
        }
        let sessions = try #require(data.json(["users", "sessions", id])["sessions"] as? [[String: Any]])
        #expect(sessions.map { $0["id"] as? String } == [session.session])
        #expect(try data.run(["users", "sessions", id, "--end", session.session.uppercased()]).text == "no session\n")
        #expect(try data.client.introspect(session.accessToken).isActive == false)
        #expect(try data.run(["users", "ban", id]).text.contains("for ever"))
        #expect(try data.client.signIn("new@example.com").word == "account_banned")
        #expect(try data.json(["users", "unban", id])["banned"] as? Bool == false)
        // Nothing is done, and nothing written, where there is no ban.
        let unneeded = try data.run(["users", "unban", id])
        #expect(
            unneeded.status == 0 && unneeded.text.hasPrefix("not banned: nothing was changed\n"), "\(unneeded.text)")
        let again = try data.client.signIn("new@example.com")
        #expect(again.status == 201)
        #expect(try data.json(["users", "sessions", id, "--end-all"])["sessions"] as? [String] == [])
        let export = try data.json(["users", "export", id])
        let events = (export["entries"] as? [[String: Any]] ?? []).compactMap { $0["event"] as? String }
        #expect(
            events.count { $0 == "account_unbanned" } == 1 && events.first == "account_exported"
                && events.last == "account_created" && events.contains("sessions_ended"))
        #expect(export["mailed_proofs"] as? [String] == [])
        #expect(try data.run(["users", "delete", id]).status == 2)
        #expect(try data.run(["users", "delete", "--yes", id]).text == "deleted \(id)\n")
        #expect(try data.client.signIn("new@example.com").word == "invalid_credentials")
        // The trail of who is gone can still be read by name.
        let trail = try #require(data.json(["audit", "--user", id.uppercased()])["entries"] as? [[String: Any]])
        #expect(trail.first?["event"] as? String == "account_deleted")
        #expect(trail.first?["caller"] as? String == "command uid:\(geteuid())")
        #expect(trail.last?["event"] as? String == "account_created" && trail.last?["detail"] as? String == "operator")
    }

    /// A session that the daemon takes is listed and can be ended, however long its settings let it rest; and all that is kept of one that
    /// is over stands in the export.
    @Test func sessionsByTheRulesOfTheDaemon() throws {
        let data = try AccountsFolder(AccountsDaemon.passwords + #","sessions":{"inactivity":20000000}"#)
        let session = try data.signIn("a@example.com")
        let script = """
            import sqlite3, sys
            c = sqlite3.connect(sys.argv[1])
            c.execute("UPDATE sessions SET created_at = created_at - ?1, rotated_at = rotated_at - ?1", (int(sys.argv[2]),))
            c.execute("UPDATE sessions SET expires_at = expires_at - ?1, expires_about = (expires_at - ?1) >> 16", (int(sys.argv[2]),))
            c.commit()
            """
        /// As if the last refresh was so many seconds earlier.
        func rest(_ seconds: Int) throws {
            let written = try Invocation.run(
                URL(fileURLWithPath: "/usr/bin/python3"), ["-c", script, "\(data.data)/postern.db", "\(seconds)"],
                input: .nullDevice, environment: [:], output: nil)
            #expect(written.status == 0, "\(written.complaint)")
        }
        func listed(_ place: [String]) throws -> Int? {
            let run = try Invocation.run(["users", "sessions", "a@example.com", "--format", "json"] + place)
            return (try run.json()["sessions"] as? [Any])?.count
        }
        try rest(100 * 86_400)
        for place in [["--config", data.settings], ["--data", data.data]] { #expect(try listed(place) == 1) }
        #expect(try data.client.introspect(session.accessToken).isActive == true)
        // By shorter rules it is over, as it would be for a daemon under them.
        let shorter = ["--config", data.settings, "--set", "accounts.sessions.inactivity=86400"]
        #expect(try listed(shorter) == 0)
        try rest(20_000_000)
        for place in [["--config", data.settings], ["--data", data.data]] { #expect(try listed(place) == 0) }
        let export = try data.json(["users", "export", "a@example.com"])
        let kept = try #require(export["sessions"] as? [[String: Any]])
        #expect(kept.map { $0["id"] as? String } == [session.session])
    }

    /// What commands print and what requests are answered is written in two places; it says the same under the same names.
    @Test func commandsAndRequestsSayTheSame() throws {
        let data = try AccountsFolder()
        let id = try data.client.signUp("a@example.com")
        let nonce = try data.client.nonce()
        let client = #""client":{"user_agent":"App/1 \u0007","address":"203.0.113.9"}"#
        let session = try data.client.ask(
            "POST", "/v1/sessions", #"{"email":"a@example.com","password":"\#(SocketClient.password)",\#(client)}"#)
        let linked = try data.client.ask(
            "POST", "/v1/sessions",
            #"{"token":"\#(DaemonIssuer.token(nonce))","nonce":"\#(nonce)","link_to":"\#(session.accessToken)"}"#)
        #expect(linked.status == 201 && linked.account == id)
        let changes = #"{"user_data":{"a":[1,{"b":null}]},"backend_data":{"\u00e9":"\u202e"}}"#
        #expect(try data.client.ask("PATCH", "/v1/accounts/\(id)", changes).status == 200)
        func expectSame(_ arguments: [String], _ path: String) throws {
            let (told, answered) = (try data.json(arguments), try data.client.ask("GET", path).json)
            #expect(!told.isEmpty && told as NSDictionary == answered as NSDictionary, "\(told)\n\(answered)")
        }
        try expectSame(["users", "show", id], "/v1/accounts/\(id)")
        try expectSame(["users", "list"], "/v1/accounts")
        try expectSame(["users", "sessions", id], "/v1/sessions?user=\(id)")
        #expect(try data.run(["users", "ban", id, "--until", "2100-01-01T00:00:00Z"]).status == 0)
        try expectSame(["users", "show", id], "/v1/accounts/\(id)")
        // A command names the account in each line, since it tells of all.
        var told = try data.json(["audit", "--user", id])
        let entries = try #require(told["entries"] as? [[String: Any]])
        #expect(entries.allSatisfy { $0["account"] as? String == id })
        told["entries"] = entries.map { $0.filter { $0.key != "account" } }
        let answered = try data.client.ask("GET", "/v1/accounts/\(id)/audit").json
        #expect(told as NSDictionary == answered as NSDictionary, "\(told)\n\(answered)")
    }

    @Test func withoutADaemon() throws {
        let data = try AccountsFolder()
        try data.signIn("a@example.com")
        data.daemon.signal(SIGKILL)
        #expect(data.daemon.end() == -SIGKILL)
        // The folder alone is enough.
        let list = try Invocation.run(["users", "list", "--data", data.data])
        #expect(list.status == 0 && list.text.contains("a@example.com"), "\(list.complaint)")
        #expect(try data.json(["migrate"])["current"] as? Bool == true)
        let copy = data.folder.url.appendingPathComponent("copy/postern.db")
        mkdir(copy.deletingLastPathComponent().path, 0o700)
        #expect(try data.run(["backup", copy.path]).status == 0)
        // A backup is data to start from.
        let restored = try Invocation.run(["users", "list", "--data", copy.deletingLastPathComponent().path])
        #expect(restored.text == list.text)
        #expect(
            try data.run(["backup", "\(data.data)/copy.db"]).complaint.contains("does not belong into the data folder"))
    }

    /// What was mailed to somebody is theirs to know. Nothing is mailed yet, so the test writes it down.
    @Test func anExportTellsWhatWasMailed() throws {
        let data = try AccountsFolder()
        let id = try data.signIn("a@example.com").account
        let script = """
            import sqlite3, sys
            c = sqlite3.connect(sys.argv[1])
            account = bytes.fromhex(sys.argv[2].replace('-', ''))
            proof, mail = b'p' * 16, b'm' * 16
            c.execute("INSERT INTO mailed_proofs VALUES (?, 'reset', ?, NULL, 'A@example.com', 'a@example.com', 5, 9, 2, 7)",
                (proof, account))
            c.execute("INSERT INTO outbox VALUES (?, ?, 'reset', 'A@example.com', 5, 6, 1, 9)", (mail, proof))
            c.commit()
            """
        data.daemon.signal(SIGTERM)
        #expect(data.daemon.end() == 0)
        let written = try Invocation.run(
            URL(fileURLWithPath: "/usr/bin/python3"), ["-c", script, "\(data.data)/postern.db", id],
            input: .nullDevice, environment: [:], output: nil)
        #expect(written.status == 0, "\(written.complaint)")
        let proofs = try #require(try data.json(["users", "export", id])["mailed_proofs"] as? [[String: Any]])
        let proof = try #require(proofs.first)
        #expect(
            proofs.count == 1 && proof["purpose"] as? String == "reset" && proof["email"] as? String == "A@example.com")
        #expect(proof["wrong_codes"] as? Int == 2 && proof["used_at"] as? Int == 7 && proof["expires_at"] as? Int == 9)
        let mail = try #require((proof["mails"] as? [[String: Any]])?.first)
        #expect(mail["next_attempt_at"] as? Int == 6 && mail["tries"] as? Int == 1)
    }

    @Test func signUpsAreConfirmed() throws {
        let data = try AccountsFolder()
        let first = try data.signUp("a@example.com", "the first of two passwords")
        let second = try data.signUp("a@example.com", "the second of two passwords")
        let waiting = try #require(data.json(["users", "list", "--waiting"])["sign_ups"] as? [[String: Any]])
        #expect(Set(waiting.compactMap { $0["sign_up"] as? String }) == [first, second])
        // Which of them is the owner's the address alone does not say.
        let unclear = try data.run(["users", "confirm", "a@example.com"])
        #expect(unclear.status == 1 && unclear.text.contains(first) && unclear.text.contains(second))
        #expect(try data.json(["users", "confirm", second.uppercased()])["email_proven"] as? Bool == true)
        #expect(try data.client.signIn("a@example.com", "the second of two passwords").status == 201)
        #expect(try data.client.signIn("a@example.com", "the first of two passwords").word == "invalid_credentials")
        #expect(try data.run(["users", "confirm", first]).status == 1)
        // An address alone will do where one waits; and of an account it is proven.
        _ = try data.signUp("b@example.com")
        #expect(try data.json(["users", "confirm", "b@example.com"])["email_proven"] as? Bool == true)
        #expect(try data.json(["users", "create", "c@example.com"])["email_proven"] as? Bool == false)
        #expect(try data.json(["users", "confirm", "c@example.com"])["email_proven"] as? Bool == true)
    }

    /// Hashes from elsewhere let people in with the passwords that they have, and give way to ours.
    @Test func hashesFromElsewhere() throws {
        let data = try AccountsFolder()
        // PBKDF2 as Django writes it.
        let hash = "pbkdf2_sha256$1000$salt$DAiN4uXGhho7Ppp5mJALSHhdYLuBC58g7kqksm2sr7U="
        #expect(
            try data.run(["users", "create", "a@example.com", "--password-hash", "-"], input: hash + "\n").status == 0)
        #expect(try data.client.signIn("a@example.com", "another password").word == "invalid_credentials")
        #expect(try data.client.signIn("a@example.com").status == 201)
        try data.daemon.wait(for: "password_rehashed")
        #expect(try data.client.signIn("a@example.com").status == 201)
    }

    @Test func refusals() throws {
        let data = try AccountsFolder()
        try data.signIn("a@example.com")
        let cases: [(arguments: [String], input: String, status: Int32, words: String)] = [
            (["users", "create", "a@example.com"], "", 1, "(email_taken)"),
            (["users", "create", "b@example.com", "--password", "-"], "short", 1, "(password_unacceptable)"),
            (["users", "create", "b@example.com", "--password", "-"], "", 2, "is empty"),
            (["users", "create", "b@example.com", "--password", "/nonexistent"], "", 2, "cannot be read"),
            (
                ["users", "create", "b@example.com", "--password", "-", "--password-hash", "-"], "x", 2,
                "exclude each other"
            ),
            (["users", "create", "b"], "", 2, "this is no email address"),
            (["users", "create", "b@example.com", "--password-hash", "-"], "{MD5}x", 2, "the hash cannot be taken"),
            (["users", "show", "b@example.com"], "", 1, "(account_unknown)"),
            (["users", "show", "x"], "", 1, "(account_unknown)"),
            (["users", "list", "--after", "x"], "", 1, "What --after names is no UUID."),
            (["users", "sessions", "a@example.com", "--end", "x"], "", 1, "(session_unknown)"),
            (["users", "sessions", "a@example.com", "--end", "x", "--end-all"], "", 2, "say one of them"),
            (
                ["users", "ban", "a@example.com", "--until", "2001-01-01T00:00:00Z"], "", 2,
                "--until takes a time to come"
            ),
            (["users", "list", "--limit", "0"], "", 2, "--limit takes a number from 1 to 10000"),
            (["audit", "--before", "x"], "", 2, "--before takes the number of a line"),
            (["backup", "/nonexistent/copy.db"], "", 2, "cannot be used"),
        ]
        for (arguments, input, status, words) in cases {
            let run = try data.run(arguments, input: input)
            #expect(
                run.status == status && (run.text + run.complaint).contains(words),
                "\(arguments): \(run.text)\(run.complaint)")
        }
        let nowhere = try Invocation.run(["users", "list", "--data", "/nonexistent"])
        #expect(nowhere.status == 2 && nowhere.complaint.contains("there is no database in"))
        #expect(!FileManager.default.fileExists(atPath: "/nonexistent"))
        let nothing = try Invocation.run(["users", "list"])
        #expect(nothing.status == 2 && nothing.complaint.contains("--config or --data is missing"))
    }

    @Test func pages() throws {
        let data = try AccountsFolder()
        for number in 0..<5 { #expect(try data.run(["users", "create", "a\(number)@example.com"]).status == 0) }
        var names: [String] = []
        var next: String?
        repeat {
            let page = try data.json(
                ["users", "list", "--limit", "2"] + (next.map { ["--after", $0.uppercased()] } ?? []))
            names += (page["accounts"] as? [[String: Any]] ?? []).compactMap { $0["email"] as? String }
            next = page["next"] as? String
        } while next != nil
        #expect(names.sorted() == (0..<5).map { "a\($0)@example.com" } && names.count == 5)
    }

    /// The next key signs; a running daemon takes it over with SIGHUP, and tokens of before stay good unless they are withdrawn.
    @Test func keysRotate() throws {
        let data = try AccountsFolder()
        let before = try data.signIn("a@example.com")
        func published() throws -> [String] {
            let keys = try data.client.ask("GET", "/.well-known/jwks.json").json["keys"] as? [[String: Any]] ?? []
            return keys.compactMap { $0["kid"] as? String }
        }
        let old = try published()
        #expect(old.count == 2)
        #expect(try data.run(["keys", "rotate"]).status == 0)
        data.daemon.signal(SIGHUP)
        try data.daemon.wait(for: "reloaded")
        until { (try? published().count) == 3 }
        #expect(try Set(published()).isSuperset(of: old))
        #expect(try data.client.introspect(before.accessToken).isActive == true)
        let middle = try data.client.signIn("a@example.com")
        #expect(try data.run(["keys", "rotate", "--withdraw"]).status == 0)
        data.daemon.signal(SIGHUP)
        try data.daemon.wait(for: "reloaded", count: 2)
        until { (try? data.client.introspect(middle.accessToken).isActive) == false }
        // The session lives, and gets a token under the new key.
        #expect(try data.client.refresh(middle.refreshToken).status == 200)
        // Who cannot read the key that the settings name is handed it over.
        let path = data.folder.url.appendingPathComponent("master.key").path
        #expect(try data.run(["keys", "rotate", "--master-key", path]).status == 0)
        let other = try data.run(
            ["keys", "rotate", "--master-key", "-"], input: "0123456789abcdefghijklmnopqrstuvwxyz")
        #expect(other.status == 2 && other.complaint.contains("sealed under another master key"))
        #expect(other.complaint.contains("(signing_keys_unavailable)"), "\(other.complaint)")
        let none = try data.run(["keys", "rotate", "--master-key", "-"], input: "short")
        #expect(none.status == 2 && none.complaint.contains("holds no key"))
        let alone = try Invocation.run(["keys", "rotate", "--data", data.data])
        #expect(alone.status == 2 && alone.complaint.contains("--config is missing"))
    }

    @Test func masterKeyFiles() throws {
        let folder = try TemporaryFolder()
        let path = folder.url.appendingPathComponent("master.key").path
        #expect(try Invocation.run(["keys", "master", path]).status == 0)
        let attributes = try FileManager.default.attributesOfItem(atPath: path)
        #expect(attributes[.posixPermissions] as? Int == 0o600 && attributes[.size] as? Int == 44)
        let content = try Data(contentsOf: URL(fileURLWithPath: path))
        let again = try Invocation.run(["keys", "master", path])
        #expect(again.status == 2 && again.complaint.contains("is there already"))
        #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == content)
    }
}
