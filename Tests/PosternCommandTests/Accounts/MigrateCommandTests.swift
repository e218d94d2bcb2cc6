import Foundation
import Glibc
import Testing

/// People can be brought in before the daemon starts for the first time.
@Suite(.onAThreadOfItsOwn) struct MigrateCommandTests {
    @Test func aFolderIsMadeByMigrateAlone() throws {
        let folder = try TemporaryFolder()
        let data = folder.url.appendingPathComponent("data").path
        let place = ["--data", data]
        for arguments in [["users", "create", "a@example.com"], ["users", "list"], ["audit"]] {
            let run = try Invocation.run(arguments + place)
            #expect(run.status == 2 && run.complaint.contains("yet: 'postern migrate' makes it"), "\(run.complaint)")
        }
        let none = try Invocation.run(["migrate", "--status"] + place)
        #expect(none.status == 4 && none.text.contains("there is no database in"), "\(none.text)")
        #expect(none.text.contains("'postern migrate' makes it") && none.complaint.isEmpty)
        let json = try Invocation.run(["migrate", "--status", "--format", "json"] + place).json()
        #expect(json["exists"] as? Bool == false && json["current"] as? Bool == false)
        #expect((json["steps"] as? [[String: Any]] ?? []).allSatisfy { $0["applied_at"] is NSNull })
        #expect(!FileManager.default.fileExists(atPath: data))

        let made = try Invocation.run(["migrate"] + place)
        #expect(made.status == 0, "\(made.complaint)")
        let status = try Invocation.run(["migrate", "--status", "--format", "json"] + place)
        #expect(try status.status == 0 && status.json()["exists"] as? Bool == true)
        for (path, mode) in [(data, 0o700), ("\(data)/postern.db", 0o600)] {
            let attributes = try FileManager.default.attributesOfItem(atPath: path)
            #expect(attributes[.posixPermissions] as? Int == mode, "\(path)")
        }
        // As the note says: a hash from elsewhere, and then the daemon.
        let hash = "pbkdf2_sha256$1000$salt$DAiN4uXGhho7Ppp5mJALSHhdYLuBC58g7kqksm2sr7U="
        let create = ["users", "create", "a@example.com", "--proven", "--password-hash", "-"]
        #expect(try Invocation.run(create + place, input: Data(hash.utf8)).status == 0)
        let daemon = try AccountsDaemon.start(in: folder)
        #expect(try SocketClient(unix: daemon.socket).signIn("a@example.com").status == 201)
        let again = try Invocation.run(["migrate"] + place)
        #expect(again.status == 0, "\(again.complaint)")
    }

    /// What the daemon refuses is refused.
    @Test func foldersThatCannotBe() throws {
        let folder = try TemporaryFolder()
        let open = folder.url.appendingPathComponent("open").path
        mkdir(open, 0o755)
        for (path, words) in [
            ("/nonexistent/a/data", "make the one above first"), (open, "chmod 0700"), ("/dev/null", "is not a folder"),
        ] {
            let run = try Invocation.run(["migrate", "--data", path])
            #expect(run.status == 2 && run.complaint.contains(words), "\(run.complaint)")
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: open).isEmpty)
    }
}
