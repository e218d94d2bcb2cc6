package import PosternAccounts
import PosternBase

/// Another store, which fails when it is asked for the nth thing.
///
/// To begin a transaction or a reader is a call, each call of it is one, and so is to commit; a commit that fails leaves nothing.
package final class FailingStore: AccountStore {
    package enum Faults: Sendable, Equatable {
        case never
        /// The nth call, counted from one, and no other.
        case at(Int)
        /// The nth call and every one after it, as on a disk that is full.
        case from(Int)

        func include(_ number: Int) -> Bool {
            switch self {
            case .never: false
            case .at(let failing): number == failing
            case .from(let failing): number >= failing
            }
        }
    }

    private struct State {
        var faults = Faults.never
        var fault = StoreFault(.unavailable, "")
        var count = 0
        var failed: StoreCall?
        var names: Set<[UInt8]> = []
    }

    private let store: any AccountStore
    private let state = Lock(State())

    package init(_ store: any AccountStore) { self.store = store }

    /// Counts anew, and fails as it is told.
    package func fail(_ faults: Faults, with reason: StoreFault.Reason = .unavailable) {
        state.withLock { state in
            state.faults = faults
            state.fault = StoreFault(reason, "made to fail by the test")
            state.count = 0
            state.failed = nil
        }
    }

    /// How many calls there have been since it was told how to fail.
    package var callCount: Int { state.withLock(\.count) }

    /// The first call that failed since then.
    package var failedCall: StoreCall? { state.withLock(\.failed) }

    /// The nonces, tokens and attempts that were ever asked for or written; readers list none of them.
    package var names: [[UInt8]] { state.withLock(\.names).sorted { $0.lexicographicallyPrecedes($1) } }

    /// What is committed in the other store now, as far as it has gone through this one.
    package func content(names: [[UInt8]]? = nil) async throws(StoreFault) -> [String] {
        try await store.dump(names: names ?? self.names)
    }

    private func count(_ call: StoreCall, _ name: [UInt8]?) throws(StoreFault) {
        let fault: StoreFault? = state.withLock { state in
            state.count += 1
            if let name { state.names.insert(name) }
            guard state.faults.include(state.count) else { return nil }
            state.failed = state.failed ?? call
            return state.fault
        }
        if let fault { throw fault }
    }

    package func transact<Outcome: Sendable>(
        _ body: @escaping @Sendable (any StoreTransaction) throws(StoreFault) -> Outcome
    ) async throws(StoreFault) -> Outcome {
        try count(.begin, nil)
        return try await store.transact { transaction throws(StoreFault) in
            let watched = WatchedTransaction(transaction) { call, name throws(StoreFault) in try self.count(call, name)
            }
            let outcome = try body(watched)
            if let fault = watched.fault { throw fault }
            try self.count(.commit, nil)
            return outcome
        }
    }

    package func read<Outcome: Sendable>(
        _ body: @escaping @Sendable (any StoreReader) throws(StoreFault) -> Outcome
    ) async throws(StoreFault) -> Outcome {
        try count(.beginRead, nil)
        return try await store.read { reader throws(StoreFault) in
            try body(WatchedReader(reader) { call, name throws(StoreFault) in try self.count(call, name) })
        }
    }
}
