import PosternAccounts
import PosternStoreTestSupport

/// Another store, whose readers and transactions are put inside others.
struct MappedStore: AccountStore {
    let store: any AccountStore
    let reader: @Sendable (any StoreReader) -> any StoreReader
    let transaction: @Sendable (any StoreTransaction) -> any StoreTransaction

    func transact<Outcome: Sendable>(
        _ body: @escaping @Sendable (any StoreTransaction) throws(StoreFault) -> Outcome
    ) async throws(StoreFault) -> Outcome {
        try await store.transact { [transaction] tx throws(StoreFault) in try body(transaction(tx)) }
    }

    func read<Outcome: Sendable>(
        _ body: @escaping @Sendable (any StoreReader) throws(StoreFault) -> Outcome
    ) async throws(StoreFault) -> Outcome {
        try await store.read { [reader] inner throws(StoreFault) in try body(reader(inner)) }
    }
}

/// A store that does one thing wrong, and the rule that must find it.
struct Defect: Sendable, CustomStringConvertible {
    let description: String
    let rule: String
    let place: @Sendable () -> StorePlace

    init(_ description: String, foundBy rule: String, place: @escaping @Sendable () -> StorePlace) {
        self.description = description
        self.rule = rule
        self.place = place
    }

    init(
        _ description: String,
        foundBy rule: String,
        reader: @escaping @Sendable (any StoreReader) -> any StoreReader = { $0 },
        transaction: @escaping @Sendable (any StoreTransaction) -> any StoreTransaction = { $0 }
    ) {
        self.init(description, foundBy: rule) {
            .memory().wrapped { store in await made(MappedStore(store: store, reader: reader, transaction: transaction))
            }
        }
    }
}

func made(_ store: some AccountStore) async -> any AccountStore { store }
