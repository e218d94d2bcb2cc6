package import PosternAccounts
package import PosternBase

/// Accounts and sessions in one file of SQLite.
///
/// One thread writes and commits together what has come meanwhile; some read; one moves what was written from the log to the
/// database. All of them end when the store is closed, or when nobody has it any more.
package final class SQLiteStore: AccountStore {
    /// What a process wants with the folder.
    package enum Use: Sendable {
        /// To serve: no other process may, for as long as the store is open.
        case serving
        /// To do something beside a process that serves, or without one.
        case beside
    }

    /// Whether there was no database.
    package let isNew: Bool
    private let core: StoreCore
    private let threads: [StoreThread]

    /// Opens the database in the folder, and makes both, or brings the database to the present schema, where that is needed. Blocks.
    package convenience init(
        folder: String,
        _ use: Use,
        limits: StoreLimits = StoreLimits(),
        time: TimeSource = .system
    ) throws(StoreFault) {
        try self.init(folder: folder, use, migrations: Migration.all, limits: limits, time: time)
    }

    package init(
        folder: String,
        _ use: Use,
        migrations: [Migration],
        limits: StoreLimits,
        time: TimeSource
    ) throws(StoreFault) {
        let folder = try DataFolder(folder, isMade: true)
        let mark = try FolderUse(folder, .open)
        isNew = try !folder.hasDatabase()
        let migrator = Migrator(migrations: migrations)
        var lock = use == .serving ? try folder.lock() : nil
        let database = try Self.prepared(folder, migrator, &lock, limits, time)
        core = try StoreCore(folder, migrator, FolderHold(lock: use == .serving ? lock : nil, use: mark), limits)
        threads = try Self.start(core, database)
    }

    /// A connection to a database of the present schema. Only who holds the lock makes or changes one: a process that serves must not
    /// find its tables changed.
    private static func prepared(
        _ folder: DataFolder,
        _ migrator: Migrator,
        _ lock: inout FolderLock?,
        _ limits: StoreLimits,
        _ time: TimeSource
    ) throws(StoreFault) -> Database {
        if try !folder.hasDatabase() {
            if lock == nil { lock = try folder.lock() }
            if try !folder.hasDatabase() { try folder.makeDatabase() }
        }
        let database = try Database.open(folder.database, .writing, busyMilliseconds: limits.busyMilliseconds)
        if try !migrator.isCurrent(database) {
            if lock == nil { lock = try folder.lock() }
            try migrator.migrate(database, now: time.now())
        }
        _ = database.takeFault()
        return database
    }

    private static func start(_ core: StoreCore, _ database: sending Database) throws(StoreFault) -> [StoreThread] {
        let first = core.connection()
        first.hold(database)
        var threads: [StoreThread] = []
        do throws(StoreFault) {
            threads.append(
                try StoreThread.start("store-writer") {
                    Writer(core, first).run()
                })
            threads.append(try StoreThread.start("store-log") { Checkpointer(core).run() })
            for number in 0..<max(core.limits.readers, 1) {
                threads.append(try StoreThread.start("store-reader-\(number)") { Reader(core).run() })
            }
        } catch {
            core.close()
            throw error
        }
        return threads
    }

    deinit { core.close() }

    package func transact<Outcome: Sendable>(
        _ body: @escaping @Sendable (any StoreTransaction) throws(StoreFault) -> Outcome
    ) async throws(StoreFault) -> Outcome {
        try await waited(core.writes) { transaction throws(StoreFault) in try body(transaction) }
    }

    package func read<Outcome: Sendable>(
        _ body: @escaping @Sendable (any StoreReader) throws(StoreFault) -> Outcome
    ) async throws(StoreFault) -> Outcome {
        try await waited(core.reads) { reader throws(StoreFault) in try body(reader) }
    }

    /// Writes what is there already, and answers when it is on the disk.
    package func tryToWrite() async throws(StoreFault) {
        try await waited(core.writes) { transaction throws(StoreFault) in try transaction.database.writeApplication() }
    }

    private func waited<Outcome: Sendable>(
        _ queue: WorkQueue<any Operation>,
        _ body: @escaping Pending<Outcome>.Body
    ) async throws(StoreFault) -> Outcome {
        let result: Result<Outcome, StoreFault> = await withCheckedContinuation { continuation in
            let pending = Pending(continuation, body)
            switch queue.put(pending) {
            case .taken: break
            case .full: pending.answer(StoreFault(.busy, "Too much is waiting for the database: try again."))
            case .closed: pending.answer(.closed)
            }
        }
        return try result.get()
    }

    /// Does what is waiting, takes nothing more, and comes back when the files are closed.
    package func close() async {
        core.close()
        for thread in threads { await thread.end() }
        core.hold.withLock { $0 = nil }
    }

    package var counts: StoreCounts {
        StoreCounts(
            operations: core.operations.value, failures: core.failures.value, commits: core.commits.value,
            reads: core.readCount.value, checkpoints: core.checkpoints.value, waiting: core.writes.count)
    }
}
