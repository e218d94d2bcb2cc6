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
        try "before".write(toFile: target, atomically: true, encoding: .utf8)
        try await store.transact { tx throws(StoreFault) in
            for number: Int64 in 0..<40_000 { try tx.put(Sample.account(number)) }
        }
        #expect(
            await reason { () throws(StoreFault) in
                try SQLiteBackup(folder: folder.data).write(to: target) { _ in false }
            } == .unavailable)
        #expect(try String(contentsOfFile: target, encoding: .utf8) == "before")
        #expect(Set(try FileManager.default.contentsOfDirectory(atPath: folder.root)) == ["data", "copy.db"])
        // A log that would grow without bounds ends it too.
        #expect(
            await reason { () throws(StoreFault) in
                try SQLiteBackup(folder: folder.data, greatestLog: -1).write(to: target)
            } == .unavailable)
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

    @Test func withoutDatabaseThereIsNoBackup() async throws {
        let folder = try TestFolder()
        #expect(await reason { () throws(StoreFault) in _ = try SQLiteBackup(folder: folder.data) } == .unavailable)
        #expect(await reason { () throws(StoreFault) in _ = try SQLiteBackup(folder: folder.root) } == .unavailable)
        #expect(await reason { () throws(StoreFault) in _ = try IntegrityCheck(folder: folder.root) } == .unavailable)
    }
}
