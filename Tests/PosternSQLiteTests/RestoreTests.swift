import Foundation
import PosternAccounts
import PosternBase
import PosternSQLite
import Testing

/// A backup takes the place of the database, which is kept, and nothing else is left of either.
@Suite(.serialized) struct RestoreTests {
    @Test(arguments: [true, false])
    func whatWasThereBeforeIsKept(exchanges: Bool) async throws {
        let one = try await RestoreFolder()
        // What is in the log alone is no part of the backup and would be applied to it.
        #expect(try one.names == ["postern.db", "postern.db-wal", "postern.db-shm"])
        var copied: Int64 = 0
        let restore = try SQLiteRestore(
            one.backup, to: one.folder.data, caller: "somebody", exchanges: exchanges, time: .fixed(1_800_000_000))
        #expect(restore.replaces)
        let kept = try #require(
            try restore.run { step in
                if case .copied(let done, let all) = step {
                    #expect(copied < done && done <= all)
                    copied = done
                }
            })
        #expect(kept.hasSuffix("/data/postern.db.before-restore-20270115T080000Z"))
        #expect(copied == Int64(try TestFolder.bytes(one.backup).count))
        #expect(try one.names == ["postern.db", URL(fileURLWithPath: kept).lastPathComponent])
        // The one thing in it that is not in the backup.
        let trail = "SELECT event, at, caller FROM audit ORDER BY number DESC LIMIT 1"
        #expect(try one.folder.sqlite(trail) == "database_restored|1800000000|somebody")
        for path in [one.folder.database, kept] {
            var status = stat()
            #expect(lstat(path, &status) == 0 && status.st_mode & 0o7777 == 0o600 && status.st_nlink == 1, "\(path)")
        }
        withExtendedLifetime(restore) {}
    }

    @Test func bothAreWholeAndCanBeRestoredAgain() async throws {
        let one = try await RestoreFolder()
        let first = try Self.restored(one.backup, one)
        #expect(try await RestoreFolder.content(one.folder) == RestoreFolder.restored)
        #expect(try await RestoreFolder.content(kept: first) == RestoreFolder.former)
        // Back, and within the same second.
        let second = try Self.restored(first, one)
        #expect(first != second && second.contains("/data/postern.db.before-restore-"))
        #expect(try await RestoreFolder.content(one.folder) == RestoreFolder.former)
        #expect(try await RestoreFolder.content(kept: second) == RestoreFolder.restored)
    }

    private static func restored(_ file: String, _ one: RestoreFolder) throws -> String {
        try #require(try SQLiteRestore(file, to: one.folder.data).run())
    }

    /// Nothing is there yet, or only what a database has left that somebody took away.
    @Test(arguments: ["rm -r data", "rm data/*", "rm data/postern.db", "rm data/postern.db data/postern.db-shm"])
    func withoutADatabase(way: String) async throws {
        let one = try await RestoreFolder()
        try Self.shell("cd \(one.folder.root) && \(way)")
        let log = try? TestFolder.bytes(one.folder.database + "-wal")
        let restore = try SQLiteRestore(one.backup, to: one.folder.data)
        #expect(!restore.replaces)
        let told = try restore.run()
        withExtendedLifetime(restore) {}
        let kept = try one.kept
        #expect(kept.count == (log == nil ? 0 : 1), "\(kept)")
        #expect(told.map(Self.name) == kept.first.map(Self.name))
        for path in kept { #expect(try path.hasSuffix("Z-wal") && TestFolder.bytes(path) == log) }
        #expect(try one.names.count == 1 + kept.count)
        #expect(try one.folder.sqlite("SELECT count(*) FROM accounts") == "\(RestoreFolder.restored.count)")
    }

    /// Its log may hold all there was.
    @Test func anEmptyDatabaseWithALog() async throws {
        let one = try await RestoreFolder()
        let log = try TestFolder.bytes(one.folder.database + "-wal")
        try Self.shell(": > \(one.folder.database)")
        let kept = try Self.restored(one.backup, one)
        #expect(try TestFolder.bytes(kept).isEmpty && TestFolder.bytes(kept + "-wal") == log && !log.isEmpty)
        #expect(try await RestoreFolder.content(one.folder) == RestoreFolder.restored)
    }

    @Test func theNewOneIsOpenedWhereNoneWas() async throws {
        let one = try await RestoreFolder()
        try Self.shell("rm -r \(one.folder.data)")
        #expect(try SQLiteRestore(one.backup, to: one.folder.data).run() == nil)
        #expect(try await RestoreFolder.content(one.folder) == RestoreFolder.restored)
    }

    /// What made the restore necessary must not keep it from being done, and is kept with its log.
    @Test func aDatabaseThatCannotBeOpened() async throws {
        let one = try await RestoreFolder()
        let garbage = [UInt8](repeating: 0xA5, count: 9_000)
        for path in [one.folder.database, one.folder.database + "-wal"] {
            try Data(garbage).write(to: URL(fileURLWithPath: path))
            chmod(path, 0o600)
        }
        let kept = try Self.restored(one.backup, one)
        #expect(try TestFolder.bytes(kept) == garbage)
        #expect(try await RestoreFolder.content(one.folder) == RestoreFolder.restored)
        #expect(try one.names.allSatisfy { !$0.hasSuffix("-shm") && !$0.contains("restoring") })
    }

    // MARK: - What is refused

    /// A way to make the file, and what is to be said of it.
    @Test(arguments: [
        ("true", "cannot be used: No such file"), ("mkdir file", "is not a file"), ("mkfifo file", "is not a file"),
        ("ln -s backup.db file", "is a link"), ("true > file", "is no database"),
        ("head -c 99 backup.db > file", "is no database"), ("echo 'not a database at all' > file", "is no database"),
        ("sql file 'CREATE TABLE x (y)'", "of another program"),
        ("sql file 'PRAGMA application_id = 1349481332; CREATE TABLE x (y)'", "cannot be restored"),
        ("sql file 'PRAGMA application_id = 1349481332; CREATE TABLE x (y); DROP TABLE x'", "Nothing of Postern"),
        ("head -c 20000 backup.db > file", "cannot be restored"),
        (
            "cp backup.db file && head -c 8000 /dev/urandom | dd of=file bs=4096 seek=3 conv=notrunc",
            "cannot be restored"
        ),
        ("cp backup.db file && sql file 'DELETE FROM accounts; CREATE TABLE x (y)'", "not as Postern has made them"),
        (
            "cp backup.db file && sql file 'INSERT INTO migrations SELECT 99, name, hash, schema_hash, 1 FROM migrations'",
            "newer Postern"
        ),
        ("cp backup.db file && echo log > file-wal", "is not whole without"),
        ("cp backup.db file && ln data/postern.db other", "hard link"),
        ("cp backup.db file && mv data/postern.db . && ln -s ../postern.db data/postern.db", "a file of its own"),
        ("chmod 0644 data/postern.db && cp backup.db file", "chmod 0600"),
    ])
    func filesThatAreRefused(way: String, says: String) async throws {
        let one = try await RestoreFolder()
        try Self.shell(
            #"cd \#(one.folder.root) && sql() { /usr/bin/python3 -c "import sqlite3, sys; sqlite3.connect(sys.argv[1], isolation_level=None).executescript(sys.argv[2])" "$@"; } && \#(way)"#
        )
        let before = try one.names
        do throws(StoreFault) {
            _ = try SQLiteRestore(one.folder.root + "/file", to: one.folder.data).run()
            Issue.record("restored after: \(way)")
        } catch {
            #expect(error.message.contains(says), "\(way): \(error.message)")
        }
        #expect(try one.names == before)
        // Where the database itself was not spoilt it is as it was.
        if !way.contains("data/") { #expect(try await RestoreFolder.content(one.folder) == RestoreFolder.former) }
    }

    /// Nor what a restore has left that was killed: it would be taken away first.
    @Test(arguments: ["", ".restoring"])
    func theDatabaseItself(end: String) async throws {
        let one = try await RestoreFolder()
        #expect(try await RestoreFolder.content(one.folder) == RestoreFolder.former)
        let path = one.folder.database + end
        if !end.isEmpty { try FileManager.default.copyItem(atPath: one.backup, toPath: path) }
        do throws(StoreFault) {
            _ = try SQLiteRestore(path, to: one.folder.data)
            Issue.record("restored")
        } catch {
            #expect(error.message.contains("is the database itself, or not whole"), "\(error.message)")
        }
        #expect(FileManager.default.fileExists(atPath: path))
    }

    private static func name(_ path: String) -> String { URL(fileURLWithPath: path).lastPathComponent }

    private static func shell(_ line: String) throws {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/bin/sh")
        process.arguments = ["-c", line]
        process.standardError = FileHandle.nullDevice
        try process.run()
        process.waitUntilExit()
        #expect(process.terminationStatus == 0, "\(line)")
    }
}
