import PosternAccounts
import PosternStoreTestSupport
import Testing

@Suite struct CountingStoreTests {
    @Test(arguments: [MemoryStore.Runs.once, .twice])
    func countsEveryCallOnce(runs: MemoryStore.Runs) async throws {
        let store = CountingStore(MemoryStore(runs: runs))
        try await store.transact(everyWriteCall)
        try await store.read(everyReadCall)
        var wanted = StoreCounts()
        wanted.reads = 1
        wanted.commits = 1
        wanted.durableWrites = 1
        for call in StoreCall.allCases where ![.begin, .beginRead, .commit].contains(call) { wanted.calls[call] = 1 }
        #expect(store.counts == wanted)
        #expect(Set(store.takeCounts().changes.keys) == Set(StoreCall.allCases.filter(\.isChange)))
        #expect(store.counts == StoreCounts())
    }

    @Test func whatOnlyLooksIsNoDurableWrite() async throws {
        let store = CountingStore(MemoryStore())
        try await store.transact { tx throws(StoreFault) in try everyReadCall(tx) }
        #expect(store.counts.commits == 1)
        #expect(store.counts.durableWrites == 0)
        #expect(store.counts.changes.isEmpty)
    }

    @Test func whatFailedChangedNothing() async throws {
        let store = CountingStore(MemoryStore())
        await #expect(throws: StoreFault.self) {
            try await store.transact { tx throws(StoreFault) in
                try everyWriteCall(tx)
                throw StoreFault(.full, "")
            }
        }
        var wanted = StoreCounts()
        wanted.failures = 1
        #expect(store.counts == wanted)
    }
}
