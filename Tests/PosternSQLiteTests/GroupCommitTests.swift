import Foundation
import PosternAccounts
import PosternBase
import PosternSQLite
import Testing

/// What waits while the writer is busy is committed together.
@Suite struct GroupCommitTests {
    /// Keeps the writer busy until it is let go.
    private final class Hold: Sendable {
        private let gate = DispatchSemaphore(value: 0)
        private let task: Lock<Task<Void, any Error>?> = Lock(nil)

        /// Returns when the writer is held.
        init(_ store: SQLiteStore) async {
            let gate = gate
            let task = task
            await withCheckedContinuation { continuation in
                let work = Task {
                    try await store.transact { _ throws(StoreFault) in
                        continuation.resume()
                        gate.wait()
                    }
                }
                task.withLock { $0 = work }
            }
        }

        func release() async throws {
            gate.signal()
            try await task.withLock { $0 }?.value
        }
    }

    private func waits(_ count: Int, for store: SQLiteStore) async {
        while store.counts.waiting < count { await Task.yield() }
    }

    @Test func whatWaitsIsCommittedTogether() async throws {
        let folder = try TestFolder()
        let store = try folder.open { $0.batchMilliseconds = 60_000 }
        let hold = await Hold(store)
        try await withThrowingTaskGroup { group in
            for number: Int64 in 0..<64 {
                group.addTask {
                    try await store.transact { tx throws(StoreFault) in try tx.put(Sample.account(number)) }
                }
            }
            await waits(64, for: store)
            try await hold.release()
            try await group.waitForAll()
        }
        #expect(store.counts.commits == 2 && store.counts.operations == 65)
        let found = try await store.read { reader throws(StoreFault) in try reader.accounts(after: nil, limit: 99).count
        }
        #expect(found == 64)
        await store.close()
    }

    /// One gives up, one is refused by the store, one goes on after that: their neighbours are not harmed.
    @Test func failuresStayAlone() async throws {
        let folder = try TestFolder()
        let store = try folder.open { $0.batchMilliseconds = 60_000 }
        let hold = await Hold(store)
        let failed = try await withThrowingTaskGroup { group in
            for number: Int64 in 0..<64 {
                group.addTask { () -> (Int64, StoreFault.Reason)? in
                    let reason = await reason { () throws(StoreFault) in
                        try await store.transact { tx throws(StoreFault) in
                            try tx.put(Sample.account(number))
                            if number == 30 { throw StoreFault(.unavailable, "gives up") }
                            if number == 31 { try tx.put(Sample.session(1, of: 9_999)) }
                            if number == 32 { try? tx.put(Sample.session(1, of: 9_999)) }
                        }
                    }
                    return reason.map { (number, $0) }
                }
            }
            await waits(64, for: store)
            try await hold.release()
            return try await group.reduce(into: [Int64: StoreFault.Reason]()) { if let one = $1 { $0[one.0] = one.1 } }
        }
        #expect(failed == [30: .unavailable, 31: .damaged, 32: .damaged])
        #expect(store.counts.commits == 2 && store.counts.failures == 3)
        let found = try await store.read { reader throws(StoreFault) in
            try reader.accounts(after: nil, limit: 99).map(\.id)
        }
        #expect(found == (0..<64).filter { !(30...32).contains($0) }.map { Sample.id($0) })
        await store.close()
    }

    @Test func theQueueIsBounded() async throws {
        let folder = try TestFolder()
        let store = try folder.open { $0.waiting = 4 }
        let hold = await Hold(store)
        try await withThrowingTaskGroup { group in
            for number: Int64 in 0..<4 {
                group.addTask {
                    try await store.transact { tx throws(StoreFault) in try tx.put(Sample.account(number)) }
                }
            }
            await waits(4, for: store)
            #expect(await reason { () throws(StoreFault) in try await store.transact { _ in } } == .busy)
            try await hold.release()
            try await group.waitForAll()
        }
        #expect(await reason { () throws(StoreFault) in try await store.transact { _ in } } == nil)
        await store.close()
    }

    /// A batch is bounded in number.
    @Test func batchesAreBounded() async throws {
        let folder = try TestFolder()
        let store = try folder.open {
            $0.batch = 10
            $0.batchMilliseconds = 60_000
        }
        let hold = await Hold(store)
        try await withThrowingTaskGroup { group in
            for number: Int64 in 0..<64 {
                group.addTask {
                    try await store.transact { tx throws(StoreFault) in try tx.put(Sample.account(number)) }
                }
            }
            await waits(64, for: store)
            try await hold.release()
            try await group.waitForAll()
        }
        #expect(store.counts.commits == 1 + 7)
        await store.close()
    }

    /// What waits when the store is closed is still done; what comes later is refused.
    @Test func closingFinishesWhatWaits() async throws {
        let folder = try TestFolder()
        let store = try folder.open()
        let hold = await Hold(store)
        async let late: Void = store.transact { tx throws(StoreFault) in try tx.put(Sample.account(1)) }
        await waits(1, for: store)
        async let closed: Void = store.close()
        while await reason({ () throws(StoreFault) in try await store.read { _ in } }) == nil { await Task.yield() }
        #expect(await reason { () throws(StoreFault) in try await store.transact { _ in } } == .unavailable)
        try await hold.release()
        try await late
        await closed
        #expect(FileManager.default.fileExists(atPath: folder.database + "-wal") == false)
        let again = try folder.open()
        #expect(try await again.read { reader throws(StoreFault) in try reader.account(Sample.id(1)) } != nil)
        await again.close()
    }
}
