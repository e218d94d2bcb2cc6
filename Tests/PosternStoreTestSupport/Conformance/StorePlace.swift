package import PosternAccounts
import PosternBase

/// Where a store keeps its rows, and how to open it there: empty at first, and once more with what was put there.
package struct StorePlace: Sendable {
    package let open: @Sendable () async throws -> any AccountStore
    /// Ends what `open` gave; what it held is found again by the next `open`. Once more does nothing.
    package let close: @Sendable (any AccountStore) async throws -> Void
    /// Leaves nothing behind.
    package let remove: @Sendable () async throws -> Void

    package init(
        open: @escaping @Sendable () async throws -> any AccountStore,
        close: @escaping @Sendable (any AccountStore) async throws -> Void,
        remove: @escaping @Sendable () async throws -> Void
    ) {
        self.open = open
        self.close = close
        self.remove = remove
    }

    /// One in memory, whose state goes from store to store.
    package static func memory(runs: MemoryStore.Runs = .once) -> StorePlace {
        let disk = Lock(MemoryState())
        let lastOpened = Lock<MemoryStore?>(nil)
        return StorePlace(
            open: {
                let store = MemoryStore(disk.withLock { $0 }, runs: runs)
                lastOpened.withLock { $0 = store }
                return await passed(store)
            },
            close: { _ in
                if let store = await passed(lastOpened.withLock({ $0 })) { disk.withLock { $0 = store.state } }
            },
            remove: { await passed(()) }
        )
    }

    /// The same place, each of its stores inside another.
    package func wrapped(_ wrap: @escaping @Sendable (any AccountStore) async -> any AccountStore) -> StorePlace {
        let inside = Lock<(any AccountStore)?>(nil)
        return StorePlace(
            open: {
                let store = try await open()
                inside.withLock { $0 = store }
                return await wrap(store)
            },
            close: { _ in if let store = inside.withLock({ $0 }) { try await close(store) } },
            remove: remove
        )
    }
}

/// Makes a closure asynchronous that awaits nothing of its own.
private func passed<Value>(_ value: sending Value) async -> sending Value { value }
