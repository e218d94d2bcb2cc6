import Foundation
import Glibc
import Testing

/// A backup that is put back is what the daemon serves from then on, whatever the former one has left.
@Suite(.onAThreadOfItsOwn) struct RestoreCommandTests {
    /// A daemon that was killed, whose log has somebody who is not in the backup.
    private static func killed() throws -> (data: AccountsFolder, backup: String, list: String) {
        let data = try AccountsFolder()
        try data.signIn("a@example.com")
        let backup = data.folder.url.appendingPathComponent("copy.db").path
        #expect(try data.run(["backup", backup]).status == 0)
        let list = try data.run(["users", "list"]).text
        try data.signIn("b@example.com")
        data.daemon.signal(SIGKILL)
        #expect(data.daemon.end() == -SIGKILL)
        let log = try FileManager.default.attributesOfItem(atPath: "\(data.data)/postern.db-wal")
        #expect(log[.size] as? Int ?? 0 > 0)
        return (data, backup, list)
    }

    private static func names(_ data: AccountsFolder) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: data.data).sorted()
    }

    @Test func theLogOfTheFormerOneIsNotApplied() throws {
        let (data, backup, list) = try Self.killed()
        let before = try Self.names(data)
        let unmeant = try data.run(["restore", backup])
        #expect(unmeant.status == 2 && unmeant.complaint.contains("--yes is missing"))
        #expect(try Self.names(data) == before)
        let run = try data.run(["restore", "--yes", backup, "--format", "json"])
        #expect(run.status == 0 && run.complaint.isEmpty, "\(run.complaint)")
        #expect(try run.json()["file"] as? String == backup)
        let kept = try #require(try run.json()["kept"] as? String)
        #expect(try Self.names(data) == ["postern.db", URL(fileURLWithPath: kept).lastPathComponent])
        #expect(try data.run(["users", "list"]).text == list)
        // The daemon serves it.
        let daemon = try AccountsDaemon.start(in: data.folder)
        let client = try SocketClient(unix: daemon.socket)
        #expect(try client.signIn("a@example.com").status == 201)
        #expect(try client.signIn("b@example.com").word == "invalid_credentials")
        // Not while it runs, and nothing has changed.
        let beside = try data.run(["restore", "--yes", kept])
        #expect(beside.status == 2 && beside.complaint.contains("store_locked"), "\(beside.complaint)")
        daemon.signal(SIGTERM)
        #expect(daemon.end() == 0)
        // The former one can be had back, and is whole.
        let back = try data.run(["restore", "--yes", kept])
        #expect(
            back.text.contains("restored \"") && back.text.contains("\nwhat was there before is \""), "\(back.text)")
        #expect(try data.run(["users", "list"]).text.contains("b@example.com"))
    }

    @Test func whereThereIsNoDatabase() throws {
        let (data, backup, list) = try Self.killed()
        let other = data.folder.url.appendingPathComponent("other").path
        let run = try Invocation.run(["restore", backup, "--data", other, "--format", "json"])
        #expect(run.status == 0 && run.complaint.isEmpty, "\(run.complaint)")
        #expect(try run.json()["kept"] is NSNull)
        #expect(try Invocation.run(["users", "list", "--data", other]).text == list)
        #expect(try FileManager.default.contentsOfDirectory(atPath: other) == ["postern.db"])
    }

    @Test(arguments: [
        ("", "something is missing"), ("/nonexistent", "cannot be used"), ("/dev/null", "is not a file"),
        ("/etc/hostname", "is no database"),
    ])
    func refusals(_ file: String, _ words: String) throws {
        let folder = try TemporaryFolder()
        let data = folder.url.appendingPathComponent("data").path
        let run = try Invocation.run(["restore", "--yes", "--data", data] + (file.isEmpty ? [] : [file]))
        #expect(run.status == 2 && run.complaint.contains(words), "\(run.complaint)")
        #expect(!FileManager.default.fileExists(atPath: data))
    }
}
