import Foundation
import PosternAccounts
import PosternSQLite
import PosternStoreTestSupport

/// A kind of store that all operations are tried on; another kind is one more line in `all`.
struct TestedStore: Sendable, CustomStringConvertible {
    let description: String
    /// An empty place, which `remove` clears away.
    let place: @Sendable () throws -> StorePlace

    static let all = [
        TestedStore(description: "memory") { .memory() }, TestedStore(description: "SQLite") { .sqlite() },
    ]

    /// The same, and each body runs twice, as a store may do.
    static let repeating = TestedStore(description: "memory, bodies twice") { .memory(runs: .twice) }
}

extension StorePlace {
    /// A data folder of its own.
    fileprivate static func sqlite() -> StorePlace {
        let folder = NSTemporaryDirectory() + "/postern-accounts-" + UUID().uuidString
        return StorePlace(
            open: {
                await Task.yield()
                return try SQLiteStore(folder: folder, .serving)
            },
            close: { store in await (store as? SQLiteStore)?.close() },
            remove: {
                await Task.yield()
                try? FileManager.default.removeItem(atPath: folder)
            }
        )
    }
}
