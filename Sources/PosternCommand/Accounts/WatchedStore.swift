internal import PosternAccounts
internal import PosternBase
internal import PosternSQLite

/// The store of the daemon, and how its last write went, for readiness and the log.
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
            await tryAgain()
            return outcome
        } catch {
            if error.reason != .busy { note(error) }
            throw error
        }
    }

    /// Where the last write was not made: whether the next one would be. A transaction that wrote nothing goes well on a full disk too,
    /// and where nobody comes any more, because it is not ready, nobody else would find out.
    func tryAgain() async {
        if fault != nil { await tryToWrite() }
    }

    /// Whether anything can be written, which nobody else may have tried yet.
    func tryToWrite() async {
        do throws(StoreFault) {
            try await store.tryToWrite()
            note(nil)
        } catch {
            if error.reason != .busy { note(error) }
        }
    }

    /// What is told is what changes: the same fault again and again is one.
    private func note(_ fault: StoreFault?) {
        let former = last.withLock { last in
            defer { last = fault }
            return last
        }
        guard former?.reason != fault?.reason else { return }
        guard let fault else { return EventLog.write(.storeRecovered, []) }
        EventLog.write(
            .storeFailed,
            [
                ("code", .text(fault.reason.rawValue, from: .ownWords)),
                ("message", .text(fault.message, from: .ownWords)),
            ])
    }

    func read<Outcome: Sendable>(
        _ body: @escaping @Sendable (any StoreReader) throws(StoreFault) -> Outcome
    ) async throws(StoreFault) -> Outcome {
        try await store.read(body)
    }
}
