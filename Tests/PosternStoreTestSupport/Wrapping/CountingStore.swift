package import PosternAccounts
import PosternBase

/// What was asked of a store.
package struct StoreCounts: Sendable, Equatable {
    /// Readers that were given out.
    package var reads = 0
    /// Transactions that were committed.
    package var commits = 0
    /// Those of them in which something was to be changed: each is made durable once.
    package var durableWrites = 0
    /// Transactions that came to nothing.
    package var failures = 0
    /// How often each thing was asked for, in readers and in transactions that were committed.
    package var calls: [StoreCall: Int] = [:]

    package init() {}

    package var changes: [StoreCall: Int] { calls.filter(\.key.isChange) }

    mutating func add(_ calls: [StoreCall: Int]) { self.calls.merge(calls, uniquingKeysWith: +) }
}

/// Counts what is asked of another store. A body that runs more than once counts once.
package final class CountingStore: AccountStore {
    private let store: any AccountStore
    private let state = Lock(StoreCounts())

    package init(_ store: any AccountStore) { self.store = store }

    package var counts: StoreCounts { state.withLock { $0 } }

    /// What has been asked since the last time.
    package func takeCounts() -> StoreCounts {
        state.withLock { state in
            defer { state = StoreCounts() }
            return state
        }
    }

    package func transact<Outcome: Sendable>(
        _ body: @escaping @Sendable (any StoreTransaction) throws(StoreFault) -> Outcome
    ) async throws(StoreFault) -> Outcome {
        let outcome: Outcome
        let calls: [StoreCall: Int]
        do throws(StoreFault) {
            (outcome, calls) = try await store.transact { transaction throws(StoreFault) in
                let tally = Tally()
                let outcome = try body(
                    WatchedTransaction(transaction) { call, _ throws(StoreFault) in tally.add(call) })
                return (outcome, tally.calls)
            }
        } catch {
            state.withLock { $0.failures += 1 }
            throw error
        }
        state.withLock { state in
            state.commits += 1
            if calls.keys.contains(where: \.isChange) { state.durableWrites += 1 }
            state.add(calls)
        }
        return outcome
    }

    package func read<Outcome: Sendable>(
        _ body: @escaping @Sendable (any StoreReader) throws(StoreFault) -> Outcome
    ) async throws(StoreFault) -> Outcome {
        let (outcome, calls) = try await store.read { reader throws(StoreFault) in
            let tally = Tally()
            let outcome = try body(WatchedReader(reader) { call, _ throws(StoreFault) in tally.add(call) })
            return (outcome, tally.calls)
        }
        state.withLock { state in
            state.reads += 1
            state.add(calls)
        }
        return outcome
    }
}

/// The calls of one run of a body.
private final class Tally {
    private(set) var calls: [StoreCall: Int] = [:]

    func add(_ call: StoreCall) { calls[call, default: 0] += 1 }
}
