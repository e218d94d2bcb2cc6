import PosternAccounts
import PosternBase
import PosternStoreTestSupport
import Testing

@Suite struct FailingStoreTests {
    /// Every call is counted, and is the one that fails in its turn; nothing is left of what was done before it.
    @Test(arguments: [MemoryStore.Runs.once, .twice], [false, true])
    func failsAtEveryCallInTurn(runs: MemoryStore.Runs, andLater: Bool) async throws {
        let memory = MemoryStore(runs: runs)
        let store = FailingStore(memory)
        let before = memory.state.records
        let trial = try await store.failAtEveryCall(with: .full, andLater: andLater) {
            try await store.transact { tx throws(StoreFault) in
                try everyReadCall(tx)
                try everyWriteCall(tx)
            }
        }
        let wanted = StoreCall.allCases.filter { $0 != .beginRead }
        #expect(Set(trial.calls) == Set(wanted))
        #expect(trial.calls.first == .begin)
        #expect(trial.calls.last == .commit)
        if runs == .once { #expect(trial.calls.count == wanted.count) }
        #expect(memory.state.records != before)
        #expect(store.names == [EveryRow().name])
    }

    @Test func failsAtEveryCallOfAReader() async throws {
        let store = FailingStore(MemoryStore())
        let trial = try await store.failAtEveryCall { try await store.read(everyReadCall) }
        #expect(trial.calls == [.beginRead] + StoreCall.allCases.filter { !$0.isChange && !isFrame($0) })
    }

    private func isFrame(_ call: StoreCall) -> Bool { [.begin, .beginRead, .commit].contains(call) }

    @Test func failsWithWhatItIsTold() async throws {
        let store = FailingStore(MemoryStore())
        for reason in StoreFault.Reason.allCases {
            store.fail(.at(1), with: reason)
            await #expect { try await store.transact { _ throws(StoreFault) in } } throws: {
                ($0 as? StoreFault)?.reason == reason
            }
            try await store.transact { _ throws(StoreFault) in }
            store.fail(.from(1), with: reason)
            for _ in 0..<3 {
                await #expect(throws: StoreFault.self) { try await store.transact { _ throws(StoreFault) in } }
            }
        }
    }

    /// A body that goes on after a fault is not committed.
    @Test func keepsNothingOfABodyThatGoesOn() async throws {
        let memory = MemoryStore()
        let store = FailingStore(memory)
        store.fail(.at(2), with: .full)
        await #expect(throws: StoreFault.self) {
            try await store.transact { tx throws(StoreFault) in
                do throws(StoreFault) { try tx.put(EveryRow().account) } catch {}
                try tx.put(EveryRow().signUp)
            }
        }
        #expect(store.failedCall == .putAccount)
        #expect(memory.state.records.isEmpty)
    }

    /// What is half-made is found: an operation of two transactions.
    @Test func findsAnOperationOfTwoTransactions() async throws {
        let store = FailingStore(MemoryStore())
        await #expect(throws: Unmet.self) {
            try await store.failAtEveryCall {
                try await store.transact { tx throws(StoreFault) in try tx.put(EveryRow().account) }
                try await store.transact { tx throws(StoreFault) in try tx.put(EveryRow().password) }
            }
        }
    }

    /// Also where no reader lists what was written.
    @Test(arguments: [0, 1, 2]) func findsWhatIsNotListed(kind: Int) async throws {
        let store = FailingStore(MemoryStore())
        let rows = EveryRow()
        await #expect(throws: Unmet.self) {
            try await store.failAtEveryCall {
                try await store.transact { tx throws(StoreFault) in
                    switch kind {
                    case 0: if try !tx.isUsed(nonce: rows.name) { try tx.use(nonce: rows.name, expiresAt: 1) }
                    case 1: if try tx.rememberedToken(rows.name) == nil { try tx.remember(rows.token) }
                    default: try tx.put(rows.attempts)
                    }
                }
                _ = try await store.read { reader throws(StoreFault) in try reader.signingKeys() }
            }
        }
    }

    @Test func findsAFaultThatIsSwallowed() async throws {
        let store = FailingStore(MemoryStore())
        await #expect(throws: Unmet.self) {
            try await store.failAtEveryCall { try? await store.transact(everyWriteCall) }
        }
        let trial = try await store.failAtEveryCall(
            of: { () async -> Bool in
                do { try await store.transact(everyWriteCall) } catch { return false }
                return true
            }, isRefused: { !$0 })
        #expect(trial.outcome)
    }
}
