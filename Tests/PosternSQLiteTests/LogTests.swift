import Foundation
import PosternAccounts
import PosternBase
import PosternSQLite
import Testing

/// The log is kept short.
@Suite struct LogTests {
    private func size(_ path: String) -> Int {
        (try? FileManager.default.attributesOfItem(atPath: path)[.size] as? Int) ?? 0
    }

    private func write(_ store: SQLiteStore, _ numbers: Range<Int64>) async throws {
        try await withThrowingTaskGroup { group in
            for lane: Int64 in 0..<8 {
                group.addTask {
                    for number in numbers where number % 8 == lane {
                        try await store.transact { tx throws(StoreFault) in
                            try tx.put(Sample.account(number * 7_919 % 65_537))
                        }
                    }
                }
            }
            try await group.waitForAll()
        }
    }

    /// Under writes without end, and with reads between them.
    @Test func theLogIsBounded() async throws {
        let folder = try TestFolder()
        let store = try folder.open {
            $0.logPages = 64
            $0.greatestLogPages = 256
            $0.batch = 8
        }
        let isDone = Lock(false)
        let reading = Task {
            while !isDone.withLock({ $0 }) {
                _ = try await store.read { reader throws(StoreFault) in try reader.accounts(after: nil, limit: 50) }
            }
        }
        for round: Int64 in 0..<4 {
            try await write(store, round * 500..<(round + 1) * 500)
            // A batch of eight may change some forty pages, and the last one may have just begun.
            #expect(size(folder.database + "-wal") < (256 + 128) * 4_120)
        }
        isDone.withLock { $0 = true }
        try await reading.value
        #expect(store.counts.checkpoints > 0)
        await store.close()
    }

    /// While another process reads for long nothing can begin anew; afterwards it does, and nothing was refused meanwhile.
    @Test func aLongReaderIsOutlived() async throws {
        let folder = try TestFolder()
        let store = try folder.open {
            $0.logPages = 64
            $0.greatestLogPages = 128
            $0.busyMilliseconds = 10
        }
        try await write(store, 0..<50)
        let count = "print(c.execute('SELECT count(*) FROM accounts').fetchone()[0])\n"
        let holder = try Child.python(
            folder.database, "c.execute('BEGIN')\n\(count)sys.stdin.readline()\n\(count)")
        #expect(holder.line() == "50")
        try await write(store, 50..<600)
        let grown = size(folder.database + "-wal")
        #expect(grown > 128 * 4_120)
        try holder.say()
        #expect(holder.rest() == ["50"])
        // It begins anew, with another salt.
        let before = salt(folder)
        var number: Int64 = 600
        while salt(folder) == before, number < 20_000 {
            try await write(store, number..<number + 50)
            number += 50
        }
        #expect(number < 20_000)
        await store.close()
    }

    private func salt(_ folder: TestFolder) -> Data? {
        let file = FileHandle(forReadingAtPath: folder.database + "-wal")
        try? file?.seek(toOffset: 16)
        return try? file?.read(upToCount: 8)
    }

    /// What is in the log alone is moved after a time, though little is written.
    @Test func littleIsMovedToo() async throws {
        let folder = try TestFolder()
        let store = try folder.open { $0.logMilliseconds = 1 }
        try await store.transact { tx throws(StoreFault) in try tx.put(Sample.account(1)) }
        while store.counts.checkpoints == 0 { await Task.yield() }
        await store.close()
    }
}
