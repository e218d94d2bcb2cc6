internal import Glibc
package import PosternAccounts
package import PosternBase

/// Puts a copy of a backup in the place of the database, which is kept under another name. Whenever the process or the machine stops,
/// one of the two is there, and it is whole.
package struct SQLiteRestore {
    /// What has just been done.
    package enum Step: Sendable, Equatable {
        /// So many bytes are copied.
        case copied(Int64, of: Int64)
        /// The copy is on the disk; looking through it takes its time too.
        case checking
        case checked
        /// The file of the former database is all of it: it has no log any more.
        case settled
        /// The copy has the name under which the former database is to be kept.
        case named
        /// Where the file system cannot let two files change places: the former database has its second name.
        case linked
        case replaced
    }

    private let folder: DataFolder
    private let lock: FolderLock
    private let use: FolderUse
    private let file: BackupFile
    private let caller: String?
    private let exchanges: Bool
    private let now: Int64
    /// Whether there is a database already.
    package let replaces: Bool

    /// Opens `file`, and the folder, which is made where there is none. Nobody can open the database there from now on.
    /// - Parameters:
    ///   - caller: who does it, for the audit trail.
    ///   - exchanges: false to do without what some file systems cannot.
    package init(
        _ file: String,
        to folder: String,
        caller: String? = nil,
        exchanges: Bool = true,
        time: TimeSource = .system
    ) throws(StoreFault) {
        self.file = try BackupFile(file)
        self.folder = try DataFolder(folder, isMade: true)
        lock = try self.folder.lock()
        use = try FolderUse(self.folder, .replacing)
        replaces = try self.folder.hasFile()
        self.caller = caller
        self.exchanges = exchanges
        now = time.now()
        guard !self.file.isFile(self.folder.database), !self.file.isFile(self.folder.unfinished) else {
            throw StoreFault(.unavailable, "\(self.file.name) is the database itself, or not whole: name a backup.")
        }
    }

    /// Where the former database is then, or what was left of it; nil when there was nothing. Blocks.
    package func run(_ progress: (Step) -> Void = { _ in }) throws(StoreFault) -> String? {
        folder.removeUnfinished()
        do throws(StoreFault) {
            try copy(progress)
            try check(progress)
            return try replace(progress)
        } catch {
            folder.removeUnfinished()
            throw error
        }
    }

    // MARK: - The copy

    private func copy(_ progress: (Step) -> Void) throws(StoreFault) {
        try file.copy(to: folder.unfinished) { progress(.copied($0, of: file.size)) }
        progress(.checking)
    }

    private func check(_ progress: (Step) -> Void) throws(StoreFault) {
        do throws(StoreFault) {
            try checkCopy()
            try note()
        } catch {
            throw StoreFault(error.reason, "\(file.name) cannot be restored. \(error.message)")
        }
        try DataFolder.synchronize(folder.unfinished)
        progress(.checked)
    }

    private func checkCopy() throws(StoreFault) {
        let database = try Database.open(folder.unfinished, .reading, busyMilliseconds: 0)
        guard try Migrator(migrations: Migration.all).isOurs(database) else {
            throw StoreFault(.unavailable, "Nothing of Postern is in it.")
        }
        let findings = try IntegrityCheck.findings(database)
        guard findings.isEmpty else {
            let some = findings.prefix(3).map { Excerpt.plain($0) }.joined(separator: "; ")
            throw StoreFault(.damaged, "It is damaged: \(some)")
        }
    }

    /// The trail of the copy ends with the backup; what was done since is in no trail that goes on.
    private func note() throws(StoreFault) {
        let database = try Database.open(folder.unfinished, .writing, busyMilliseconds: 0)
        // An older one may have another table for it.
        guard try Migrator(migrations: Migration.all).isCurrent(database) else { return }
        try SQLiteTransaction(database).append(AuditEntry(.databaseRestored, at: now, caller: caller))
        try database.checkpoint(.truncate)
    }

    // MARK: - The former database

    private func replace(_ progress: (Step) -> Void) throws(StoreFault) -> String? {
        let kept = folder.nameToKeep(now: now)
        try settle(kept)
        try folder.synchronize()
        progress(.settled)
        guard replaces else {
            try folder.move(folder.unfinished, to: folder.database)
            try folder.synchronize()
            progress(.replaced)
            let log = kept + "-wal"
            return DataFolder.isThere(log) ? log : nil
        }
        // Named before it is exchanged: what has the name of something unfinished is deleted by the next restore.
        try folder.move(folder.unfinished, to: kept)
        do throws(StoreFault) {
            try folder.synchronize()
            progress(.named)
            let isDone = exchanges ? try folder.exchange(with: kept) : false
            if !isDone { try link(kept, progress) }
        } catch {
            // Nothing has changed its place: this is the copy, or a second name of the database.
            unlink(kept)
            throw error
        }
        try folder.synchronize()
        progress(.replaced)
        return kept
    }

    /// A database with two names is refused, so that who is killed between the two has to take the second away.
    private func link(_ kept: String, _ progress: (Step) -> Void) throws(StoreFault) {
        try folder.move(kept, to: folder.unfinished)
        guard Glibc.link(folder.database, kept) == 0 else { throw DataFolder.fault(kept, errno) }
        try folder.synchronize()
        progress(.linked)
        try folder.move(folder.unfinished, to: folder.database)
    }

    /// The log would be taken for that of the next database. SQLite moves what is in it to the file and takes it away, unless somebody
    /// else has the database open. Of a database that cannot be opened, or is not there, what is beside it is kept.
    private func settle(_ kept: String) throws(StoreFault) {
        let isUsable = replaces ? try !isUnreadable() : false
        guard isUsable else {
            for end in folder.left {
                guard end != "-shm" else {
                    unlink(folder.database + end)
                    continue
                }
                try folder.move(folder.database + end, to: kept + end)
            }
            return
        }
        guard folder.left.isEmpty else {
            throw StoreFault(.locked, "Another program has the database open: end it first.")
        }
    }

    /// Whether what is there is damaged so much that SQLite cannot even move its log.
    private func isUnreadable() throws(StoreFault) -> Bool {
        // Of an empty one SQLite would take the log away, and there may be everything in it.
        guard !folder.isEmpty(folder.database) else { return true }
        do throws(StoreFault) {
            let database = try Database.open(folder.database, .checkpoints, busyMilliseconds: 1_000)
            _ = try database.first("SELECT count(*) FROM sqlite_schema") { row throws(StoreFault) in try row.integer(0)
            }
            try database.checkpoint(.truncate)
            return false
        } catch {
            guard error.reason == .damaged else { throw error }
            return true
        }
    }
}
