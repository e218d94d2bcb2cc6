internal import PosternAccounts
internal import PosternBase
internal import PosternSQLite

/// The store of the daemon, and how its last write went, for readiness.
struct WatchedStore: AccountStore {
    let store: SQLiteStore
    private let last = Lock<StoreFault?>(nil)

    init(_ store: SQLiteStore) { self.store = store }

    /// nil when the last write was made. That too many wait is no fault of the store.
    var fault: StoreFault? { last.withLock { $0 } }

    func transact<Outcome: Sendable>(
        _ body: @escaping @Sendable (any StoreTransaction) throws(StoreFault) -> Outcome
    ) async throws(StoreFault) -> Outcome {
        do throws(StoreFault) {
            let outcome = try await store.transact(body)
            if fault != nil { last.withLock { $0 = nil } }
            return outcome
        } catch {
            if error.reason != .busy { last.withLock { $0 = error } }
            throw error
        }
    }

    func read<Outcome: Sendable>(
        _ body: @escaping @Sendable (any StoreReader) throws(StoreFault) -> Outcome
    ) async throws(StoreFault) -> Outcome {
        try await store.read(body)
    }
}
