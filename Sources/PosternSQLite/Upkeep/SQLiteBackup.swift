internal import CSQLite
internal import Glibc
package import PosternAccounts
internal import PosternBase

/// Copies the database to one file, as it is at one moment, while others write.
package struct SQLiteBackup {
    /// How far a backup has come.
    package struct Progress: Sendable {
        package let pages: Int
        package let copied: Int
    }

    private static let pagesAtOnce: Int32 = 256

    let folder: DataFolder
    private let use: FolderUse
    /// While pages are copied the log cannot begin anew. When it has so many bytes the backup gives up, rather than fill the disk.
    private let greatestLog: Int64

    package init(folder: String, greatestLog: Int64 = 4 << 30) throws(StoreFault) {
        self.folder = try DataFolder(folder, isMade: false)
        use = try FolderUse(self.folder, .open)
        self.greatestLog = greatestLog
        guard try self.folder.hasDatabase() else { throw .noDatabase(self.folder.path) }
    }

    /// Puts the copy in the place of `file`, once it is whole and on the disk. It is for the owner alone, and worth as much as the
    /// database. Blocks; `progress` is called now and then, and ends the backup by answering false.
    package func write(to file: String, progress: (Progress) -> Bool = { _ in true }) throws(StoreFault) {
        let target = try BackupTarget(file, beside: folder)
        do throws(StoreFault) {
            try copy(to: target.unfinished, progress)
            try target.finish()
        } catch {
            target.remove()
            throw error
        }
    }

    private func copy(to file: String, _ progress: (Progress) -> Bool) throws(StoreFault) {
        let source = try Database.open(folder.database, .reading, busyMilliseconds: 5_000)
        guard try Migrator(migrations: Migration.all).isOurs(source) else { throw .noDatabase(folder.path) }
        let copy = try Database.openCopy(file)
        // One look at the log for the whole copy: it is of one moment, and who writes meanwhile does not make it begin again.
        try source.run("BEGIN")
        _ = try source.first("SELECT count(*) FROM sqlite_schema") { row throws(StoreFault) in try row.integer(0) }
        guard let backup = sqlite3_backup_init(copy.handle, "main", source.handle, "main") else {
            throw copy.fault(sqlite3_errcode(copy.handle))
        }
        var code = SQLITE_OK
        var isWanted = true
        while code == SQLITE_OK, isWanted {
            code = sqlite3_backup_step(backup, Self.pagesAtOnce)
            let (all, left) = (Int(sqlite3_backup_pagecount(backup)), Int(sqlite3_backup_remaining(backup)))
            isWanted = progress(Progress(pages: all, copied: all - left)) && logSize() <= greatestLog
        }
        sqlite3_backup_finish(backup)
        guard code == SQLITE_DONE else {
            if code != SQLITE_OK { throw copy.fault(code) }
            throw StoreFault(
                .unavailable,
                "The backup was ended before it was whole, by request or since too much was written meanwhile.")
        }
        try withExtendedLifetime(copy) { () throws(StoreFault) in try source.run("ROLLBACK") }
    }

    private func logSize() -> Int64 {
        var status = stat()
        return lstat(folder.database + "-wal", &status) == 0 ? Int64(status.st_size) : 0
    }
}

/// Where a backup goes: first to a file beside it, which nobody takes for whole.
private struct BackupTarget {
    private let file: String
    private let folder: String
    let unfinished: String
    private let lock: FolderLock

    init(_ file: String, beside data: DataFolder) throws(StoreFault) {
        // By bytes: a slash before a combining mark is one character.
        let begin = file.utf8.lastIndex(of: 0x2F).map(file.utf8.index(after:)) ?? file.startIndex
        let name = String(file[begin...])
        guard !name.isEmpty, name != ".", name != ".." else {
            throw StoreFault(.unavailable, "\(Excerpt.quote(file)) is not the name of a file.")
        }
        let start = String(file[..<begin])
        guard let real = realpath(start.isEmpty ? "." : start, nil) else { throw DataFolder.fault(file, errno) }
        defer { free(real) }
        folder = String(cString: real)
        // There it could take the place of the database, or be taken for a part of it.
        guard !folder.isSameBytes(as: data.path) else {
            throw StoreFault(.unavailable, "A backup does not belong into the data folder: name another.")
        }
        self.file = "\(folder)/\(name)"
        try Self.checkIsBackup(self.file)
        Self.removeLeft(by: name, in: folder)
        unfinished = "\(folder)/\(Self.start(name))\(Hex.encode(RandomSource.system.bytes(8)))"
        let number = Glibc.open(unfinished, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
        guard number >= 0 else { throw DataFolder.fault(unfinished, errno) }
        // Held for as long as somebody is at it.
        flock(number, LOCK_EX | LOCK_NB)
        lock = FolderLock(number)
    }

    private static func start(_ name: String) -> String { ".\(name).new-" }

    /// What is in the place of the backup must be one, or empty: a slip of the hand is not to cost a key.
    private static func checkIsBackup(_ file: String) throws(StoreFault) {
        var status = stat()
        guard lstat(file, &status) == 0 else { return }
        guard status.st_mode & S_IFMT == S_IFREG else {
            throw StoreFault(.unavailable, "\(Excerpt.quote(file)) is there and not a file: name another.")
        }
        let number = Glibc.open(file, O_RDONLY | O_NOFOLLOW | O_CLOEXEC)
        guard number >= 0 else { throw DataFolder.fault(file, errno) }
        defer { Glibc.close(number) }
        var head = [UInt8](repeating: 0, count: 72)
        let count = Glibc.read(number, &head, head.count)
        // SQLite's header: the application stands at byte 68.
        let isOurs = head.starts(with: "SQLite format 3\0".utf8) && head[68...].elementsEqual("Post".utf8)
        guard count == 0 || count == head.count && isOurs else {
            throw StoreFault(.unavailable, "\(Excerpt.quote(file)) is there and no backup of Postern: name another.")
        }
    }

    /// Those of backups that were killed.
    private static func removeLeft(by name: String, in folder: String) {
        guard let entries = opendir(folder) else { return }
        defer { closedir(entries) }
        let start = start(name)
        while let entry = readdir(entries) {
            let other = withUnsafePointer(to: &entry.pointee.d_name) { place in
                place.withMemoryRebound(to: CChar.self, capacity: 1) { String(validatingCString: $0) }
            }
            guard let other, other.utf8.starts(with: start.utf8), other.utf8.count == start.utf8.count + 16 else {
                continue
            }
            let number = Glibc.open("\(folder)/\(other)", O_RDWR | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK)
            guard number >= 0 else { continue }
            if flock(number, LOCK_EX | LOCK_NB) == 0 { unlink("\(folder)/\(other)") }
            Glibc.close(number)
        }
    }

    /// To be called when nobody has the copy open: to close it would take away the locks on it.
    func finish() throws(StoreFault) {
        let number = Glibc.open(unfinished, O_RDWR | O_NOFOLLOW | O_CLOEXEC)
        guard number >= 0 else { throw DataFolder.fault(unfinished, errno) }
        defer { Glibc.close(number) }
        guard fsync(number) == 0, rename(unfinished, file) == 0 else { throw DataFolder.fault(file, errno) }
        let parent = Glibc.open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard parent >= 0 else { throw DataFolder.fault(folder, errno) }
        defer { Glibc.close(parent) }
        guard fsync(parent) == 0 else { throw DataFolder.fault(folder, errno) }
    }

    func remove() {
        for end in ["", "-journal", "-wal", "-shm"] { unlink(unfinished + end) }
    }
}
