import PosternAccounts
import PosternStoreTestSupport

/// A kind of store that all operations are tried on; another kind is one more line in `all`.
struct TestedStore: Sendable, CustomStringConvertible {
    let description: String
    /// An empty place, which `remove` clears away.
    let place: @Sendable () throws -> StorePlace

    static let all = [TestedStore(description: "memory") { .memory() }]

    /// The same, and each body runs twice, as a store may do.
    static let repeating = TestedStore(description: "memory, bodies twice") { .memory(runs: .twice) }
}
