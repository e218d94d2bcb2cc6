internal import PosternAccounts
internal import PosternBase
internal import Synchronization

/// What the threads of a store have in common.
final class StoreCore: Sendable {
    let path: String
    let identity: FileIdentity
    let limits: StoreLimits
    let migrator: Migrator
    /// Kept until the last thread has ended.
    let lock: Lock<FolderLock?>
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
        _ lock: FolderLock?,
        _ limits: StoreLimits
    ) throws(StoreFault) {
        path = folder.database
        identity = try folder.identity()
        self.lock = Lock(lock)
        self.migrator = migrator
        self.limits = limits
        writes = WorkQueue(capacity: limits.waiting)
        reads = WorkQueue(capacity: limits.waiting)
    }

    /// A connection of which it is sure that what it leads to is ours.
    func open(_ role: Database.Role) throws(StoreFault) -> Database {
        try identity.check(path)
        let database = try Database.open(path, role, busyMilliseconds: limits.busyMilliseconds)
        guard try migrator.isCurrent(database) else {
            throw StoreFault(.unavailable, "The database has an older schema: run postern migrate.")
        }
        _ = database.takeFault()
        return database
    }

    func close() {
        writes.close()
        reads.close()
        bell.close()
    }
}
