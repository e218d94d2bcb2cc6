import Foundation
import PosternAccounts
import PosternBase
import PosternSQLite
import Testing

@Suite struct BackupTests {
    /// A backup is of one moment, whatever is written meanwhile.
    @Test func aBackupWhileOthersWrite() async throws {
        let folder = try TestFolder()
        let store = try folder.open()
        for start: Int64 in stride(from: 0, to: 4_000, by: 500) {
            try await store.transact { tx throws(StoreFault) in
                for number in start..<start + 500 { try tx.put(Sample.account(number)) }
            }
        }
        let target = folder.root + "/copy.db"
        let isDone = Lock(false)
        // Each transaction raises the counters of two sessions, which are the same at each moment.
        try await store.transact { tx throws(StoreFault) in
            for number: Int64 in [1, 3_999] { try tx.put(Sample.session(number, of: number)) }
        }
        let writing = Task {
            var counter: Int64 = 0
            while !isDone.withLock({ $0 }) {
                counter += 1
                try await store.transact { [counter] tx throws(StoreFault) in
                    for number: Int64 in [1, 3_999] {
                        try tx.put(Sample.session(number, of: number, counter: counter))
                        try tx.put(Sample.account(number * 10_000 + counter))
                    }
                }
            }
            return counter
        }
        for round in 0..<5 {
            var calls = 0
            try SQLiteBackup(folder: folder.data).write(to: target) { progress in
                calls += 1
                return progress.copied <= progress.pages
            }
            #expect(calls > 0)
            var status = stat()
            #expect(lstat(target, &status) == 0 && status.st_mode & 0o7777 == 0o600)
            #expect(try folder.sqlite("PRAGMA integrity_check", database: target) == "ok")
            let counters = try folder.sqlite("SELECT DISTINCT counter FROM sessions", database: target)
            #expect(!counters.contains("\n"), "round \(round): \(counters)")
            let left = try FileManager.default.contentsOfDirectory(atPath: folder.root)
            #expect(left.allSatisfy { !$0.contains(".new-") }, "\(left)")
        }
        isDone.withLock { $0 = true }
        _ = try await writing.value
        await store.close()
        // It is opened where it is put back.
        let restored = try TestFolder()
        try FileManager.default.createDirectory(
            atPath: restored.data, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
        try FileManager.default.moveItem(atPath: target, toPath: restored.database)
        let again = try restored.open()
        #expect(try await again.read { reader throws(StoreFault) in try reader.account(Sample.id(3_000)) } != nil)
        await again.close()
        #expect(try IntegrityCheck(folder: restored.data).findings() == [])
    }

    @Test func aBackupThatIsEndedLeavesNothing() async throws {
        let folder = try TestFolder()
        let store = try folder.open()
        let target = folder.root + "/copy.db"
        try SQLiteBackup(folder: folder.data).write(to: target)
        let before = try Data(contentsOf: URL(fileURLWithPath: target))
        try await store.transact { tx throws(StoreFault) in
            for number: Int64 in 0..<40_000 { try tx.put(Sample.account(number)) }
        }
        #expect(
            await reason { () throws(StoreFault) in
                try SQLiteBackup(folder: folder.data).write(to: target) { _ in false }
            } == .unavailable)
        #expect(try Data(contentsOf: URL(fileURLWithPath: target)) == before)
        #expect(Set(try FileManager.default.contentsOfDirectory(atPath: folder.root)) == ["data", "copy.db"])
        // A log that would grow without bounds ends it too.
        #expect(
            await reason { () throws(StoreFault) in
                try SQLiteBackup(folder: folder.data, greatestLog: -1).write(to: target)
            } == .unavailable)
        await store.close()
    }

    /// A slip of the hand costs no other file.
    @Test(arguments: [(0, true), (1, false), (71, false), (72, false), (4_096, false), (4_097, true)])
    func whatIsThereAlready(length: Int, isGood: Bool) async throws {
        let folder = try TestFolder()
        let store = try folder.open()
        let target = URL(fileURLWithPath: folder.root + "/copy.db")
        // One byte more than another program's database is one of ours.
        var bytes = Data("SQLite format 3\0".utf8) + Data(repeating: 0, count: 8_192)
        if length > 4_096 { bytes.replaceSubrange(68..<72, with: Data("Post".utf8)) }
        try bytes.prefix(length).write(to: target)
        do throws(StoreFault) {
            try SQLiteBackup(folder: folder.data).write(to: target.path)
            #expect(isGood)
        } catch {
            #expect(!isGood && error.message.contains("no backup of Postern"), "\(error.message)")
            let now = try? Data(contentsOf: target)
            #expect(now == bytes.prefix(length))
        }
        if isGood { #expect(try folder.sqlite("PRAGMA integrity_check", database: target.path) == "ok") }
        await store.close()
    }

    /// What killed backups have left goes with the next one; what somebody is at stays.
    @Test func whatOthersHaveLeft() async throws {
        let folder = try TestFolder()
        let store = try folder.open()
        let target = folder.root + "/copy.db"
        let names = [
            ".copy.db.new-0123456789abcdef", ".copy.db.new-fedcba9876543210", ".copy.db.new-1",
            ".other.new-0123456789abcdef",
        ]
        for name in names {
            _ = FileManager.default.createFile(atPath: "\(folder.root)/\(name)", contents: Data("x".utf8))
        }
        let held = open("\(folder.root)/\(names[1])", O_RDWR)
        #expect(flock(held, LOCK_EX) == 0)
        try SQLiteBackup(folder: folder.data).write(to: target)
        #expect(
            Set(try FileManager.default.contentsOfDirectory(atPath: folder.root))
                == Set(names.dropFirst() + ["data", "copy.db"]))
        close(held)
        await store.close()
    }

    @Test(arguments: ["", "/", ".", "data/copy.db", "data/postern.db", "nowhere/copy.db", "data", "link"])
    func placesThatAreRefused(place: String) async throws {
        let folder = try TestFolder()
        let store = try folder.open()
        try FileManager.default.createSymbolicLink(atPath: folder.root + "/link", withDestinationPath: "copy.db")
        let target = place.isEmpty || place == "." ? place : folder.root + "/" + place
        #expect(
            await reason { () throws(StoreFault) in try SQLiteBackup(folder: folder.data).write(to: target) }
                == .unavailable)
        await store.close()
    }

    /// One that a process has open, or has left when it was killed, is no backup.
    @Test func theDatabaseOfAnotherFolder() async throws {
        let (folder, other) = (try TestFolder(), try TestFolder())
        let (store, used) = (try folder.open(), try other.open())
        do throws(StoreFault) {
            try SQLiteBackup(folder: folder.data).write(to: other.database)
            Issue.record("written")
        } catch {
            #expect(error.message.contains("is a database that is in use"), "\(error.message)")
        }
        try await used.transact { tx throws(StoreFault) in try tx.put(Sample.account(1)) }
        await used.close()
        await store.close()
    }

    /// The data folder under another name, which only a mount gives it; then a disk without room, which is named.
    @Test(
        .enabled(if: FaultTests.canMount, "only root can mount"),
        arguments: [
            (#"mount --bind "$1/data" "$1/other""#, "other/postern.db", "does not belong into the data folder"),
            (#"mount --bind "$1/data" "$1/other""#, "other/copy.db", "does not belong into the data folder"),
            (#"mount -t tmpfs -o size=64k tmpfs "$1/other""#, "other/copy.db", "/other/.copy.db.new-"),
        ])
    func mounts(mount: String, file: String, says: String) async throws {
        let folder = try TestFolder()
        let store = try folder.open()
        try FileManager.default.createDirectory(atPath: folder.root + "/other", withIntermediateDirectories: false)
        let line = #"\#(mount) && exec "$2" backup "$1/data" "$1/\#(file)""#
        let writer = try StoreWriter.start(
            [], prefix: ["/usr/bin/unshare", "-m", "/bin/sh", "-c", line, "sh", folder.root])
        let lines = writer.rest()
        #expect(lines.count == 1 && lines[0].contains(says), "\(lines)")
        try await store.transact { tx throws(StoreFault) in try tx.put(Sample.account(1)) }
        await store.close()
    }

    @Test func withoutDatabaseThereIsNoBackup() async throws {
        let folder = try TestFolder()
        #expect(await reason { () throws(StoreFault) in _ = try SQLiteBackup(folder: folder.data) } == .unavailable)
        #expect(await reason { () throws(StoreFault) in _ = try SQLiteBackup(folder: folder.root) } == .unavailable)
        #expect(await reason { () throws(StoreFault) in _ = try IntegrityCheck(folder: folder.root) } == .unavailable)
    }
}
