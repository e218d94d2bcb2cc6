/// What a store may use and how long it may take.
package struct StoreLimits: Sendable {
    /// Writes, and likewise reads, that may wait.
    package var waiting = 4_096
    /// Writes that are committed together, at most.
    package var batch = 256
    /// Milliseconds after which a batch takes no more in.
    package var batchMilliseconds = 10
    package var readers = 2
    /// How long to wait for another process that writes.
    package var busyMilliseconds = 1_000
    /// How long a read may take.
    package var readMilliseconds = 5_000
    /// Pages in the log from which on they are moved to the database: 16 MiB.
    package var logPages = 4_096
    /// Pages in the log from which on the writer waits until nobody reads from it any more, so that it can begin anew: 256 MiB.
    package var greatestLogPages = 65_536
    /// How long anything stays in the log alone.
    package var logMilliseconds = 60_000

    package init() {}
}

/// What a store has done since it was opened.
package struct StoreCounts: Sendable, Equatable {
    package let operations: Int
    /// Operations of which nothing is left.
    package let failures: Int
    package let commits: Int
    package let reads: Int
    package let checkpoints: Int
    /// Writes that wait.
    package let waiting: Int
}
