import Foundation
import PosternAccounts
import PosternBase
import PosternSQLite
import Testing

/// Somebody removes the log under a store that is at work: nothing that was acknowledged is lost with the process.
@Suite(.serialized) struct RemovedLogTests {
    @Test(arguments: [["-wal"], ["-shm"], ["-wal", "-shm"]])
    func underLoad(ends: [String]) async throws {
        let folder = try TestFolder()
        let writer = try StoreWriter.start(["live", folder.data, "0"])
        var promises = Promises()
        func take(_ count: Int) {
            for _ in 0..<count { if let line = writer.line() { promises.note(line) } }
        }
        for _ in 0..<5 {
            take(120)
            for end in ends { #expect(unlink(folder.database + end) == 0) }
            // Each of the eight has been acknowledged something that was begun since.
            take(400)
        }
        writer.kill()
        for line in writer.rest() { promises.note(line) }
        let (store, wanted) = (try folder.open(), promises)
        let broken = try await store.read { reader throws(StoreFault) in try wanted.broken(reader) }
        #expect(broken.isEmpty, "\(broken)")
        await store.close()
        #expect(try IntegrityCheck(folder: folder.data).findings() == [])
    }

    /// What was in the log alone is found by others as soon as anything is written.
    @Test func whatWasWrittenBefore() async throws {
        let folder = try TestFolder()
        let store = try folder.open()
        try await store.transact { tx throws(StoreFault) in try tx.put(Sample.account(1)) }
        _ = try await store.read { reader throws(StoreFault) in try reader.account(Sample.id(1)) }
        #expect(unlink(folder.database + "-wal") == 0)
        // Who has it open reads on.
        #expect(try await store.read { reader throws(StoreFault) in try reader.account(Sample.id(1)) } != nil)
        try await store.transact { tx throws(StoreFault) in try tx.put(Sample.account(2)) }
        for number: Int64 in 1...2 {
            #expect(try await store.read { reader throws(StoreFault) in try reader.account(Sample.id(number)) } != nil)
        }
        #expect(try folder.sqlite("SELECT count(*) FROM accounts") == "2")
        await store.close()
    }

    /// While another process reads what is in the log it cannot be left, so nothing is written, and nothing is lost.
    @Test func whileAnotherProcessReads() async throws {
        let folder = try TestFolder()
        let store = try folder.open { $0.busyMilliseconds = 20 }
        try await store.transact { tx throws(StoreFault) in try tx.put(Sample.account(1)) }
        let holder = try Child.python(
            folder.database,
            "c.execute('BEGIN')\nprint(c.execute('SELECT count(*) FROM accounts').fetchone()[0])\nsys.stdin.readline()")
        #expect(holder.line() == "1")
        try await store.transact { tx throws(StoreFault) in try tx.put(Sample.account(2)) }
        #expect(unlink(folder.database + "-wal") == 0)
        for _ in 0..<2 {
            let why = await reason { () throws(StoreFault) in
                try await store.transact { tx throws(StoreFault) in try tx.put(Sample.account(3)) }
            }
            #expect(why == .locked)
        }
        try holder.say()
        _ = holder.rest()
        try await store.transact { tx throws(StoreFault) in try tx.put(Sample.account(3)) }
        #expect(try folder.sqlite("SELECT count(*) FROM accounts") == "3")
        await store.close()
    }
}
