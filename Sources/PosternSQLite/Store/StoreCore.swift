internal import PosternAccounts
internal import PosternBase
internal import Synchronization

/// What a store holds of its folder while it is open.
struct FolderHold: Sendable {
    /// nil in a process that does not serve.
    let lock: FolderLock?
    let use: FolderUse
}

/// What the threads of a store have in common.
final class StoreCore: Sendable {
    let path: String
    let identity: FileIdentity
    /// The log that the open connections have.
    private let log: Lock<LogFiles>
    /// Connections are used within.
    let gate = Gate()
    private let openCount = RelaxedCounter()
    private let connections = Lock<[GatedConnection]>([])
    let limits: StoreLimits
    let migrator: Migrator
    /// Kept until the last thread has ended.
    let hold: Lock<FolderHold?>
    let writes: WorkQueue<any Operation>
    let reads: WorkQueue<any Operation>
    let bell = CheckpointBell()
    /// Held by the checkpointer at work, which SQLite would not let the writer wait for.
    let moving = Monitor()
    /// Set when only a little of the log is left to be moved, which the writer does while it is not writing.
    let isLittleLeft = Atomic(false)

    let operations = RelaxedCounter()
    let failures = RelaxedCounter()
    let commits = RelaxedCounter()
    let readCount = RelaxedCounter()
    let checkpoints = RelaxedCounter()

    init(
        _ folder: DataFolder,
        _ migrator: Migrator,
        _ hold: FolderHold,
        _ limits: StoreLimits
    ) throws(StoreFault) {
        path = folder.database
        identity = try folder.identity()
        log = Lock(try LogFiles(of: folder.database))
        self.hold = Lock(hold)
        self.migrator = migrator
        self.limits = limits
        writes = WorkQueue(capacity: limits.waiting)
        reads = WorkQueue(capacity: limits.waiting)
    }

    /// Opens a connection of which it is sure that what it leads to is ours, and that it has the same log as all others.
    func open(_ role: Database.Role, _ connection: GatedConnection) throws(StoreFault) -> Database {
        let result = log.withLock { log -> Result<Void, StoreFault> in
            do throws(StoreFault) { return .success(try open(role, connection, &log)) } catch { return .failure(error) }
        }
        try result.get()
        guard let database = connection.database else { throw .closed }
        return database
    }

    private func open(
        _ role: Database.Role,
        _ connection: GatedConnection,
        _ log: inout LogFiles
    ) throws(StoreFault) {
        try identity.check(path)
        // SQLite takes the log away with the last connection, and makes it anew with the first.
        guard openCount.value == 0 || log.areThere(for: path) else { throw .logRemoved }
        let database = try Database.open(path, role, busyMilliseconds: limits.busyMilliseconds)
        guard try migrator.isCurrent(database) else {
            throw StoreFault(.unavailable, "The database has an older schema: run postern migrate.")
        }
        _ = database.takeFault()
        if openCount.value == 0 { log = try LogFiles(of: path) }
        guard log.areThere(for: path) else { throw .logRemoved }
        connection.hold(database)
    }

    // MARK: - The log

    /// Whether the log that the open connections have is the one that is found by its name.
    private var hasLog: Bool { log.withLock { $0 }.areThere(for: path) }

    /// A place for a connection that is closed when the log has to be made anew.
    func connection() -> GatedConnection {
        let connection = GatedConnection(openCount)
        connections.withLock { $0.append(connection) }
        return connection
    }

    /// Outside the gate: moves what is in a log that nobody finds any more to the database, and closes the connections that have it
    /// open, so that the next one makes it anew.
    func leaveRemovedLog() throws(StoreFault) {
        guard !hasLog else { return }
        // Beside another database is another log, which is none of ours.
        try identity.check(path)
        try gate.alone { () throws(StoreFault) in
            guard !hasLog else { return }
            let all = connections.withLock { $0 }
            if let database = all.lazy.compactMap(\.database).first { try database.checkpoint(.truncate) }
            for connection in all { connection.close() }
        }
    }

    func close() {
        writes.close()
        reads.close()
        bell.close()
    }
}
