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

    private let view: FolderView
    /// While pages are copied the log cannot begin anew. When it has so many bytes the backup gives up, rather than fill the disk.
    private let greatestLog: Int64

    package init(folder: String, greatestLog: Int64 = 4 << 30) throws(StoreFault) {
        view = try FolderView(folder)
        self.greatestLog = greatestLog
    }

    /// Puts the copy in the place of `file`, once it is whole and on the disk. It is for the owner alone, and worth as much as the
    /// database. Blocks; `progress` is called now and then, and ends the backup by answering false.
    package func write(to file: String, progress: (Progress) -> Bool = { _ in true }) throws(StoreFault) {
        let target = try BackupTarget(file, beside: view.folder)
        do throws(StoreFault) {
            try view.look { source throws(StoreFault) in try copy(source, to: target.unfinished, progress) }
            try target.finish()
        } catch {
            target.remove()
            throw error
        }
    }

    private func copy(
        _ source: Database,
        to file: String,
        _ progress: (Progress) -> Bool
    ) throws(StoreFault) {
        guard try Migrator(migrations: Migration.all).isOurs(source) else { throw .noDatabase(view.folder.path) }
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
            // Nothing is written but the copy.
            guard code & 0xFF != SQLITE_FULL else { throw DataFolder.fault(file, ENOSPC) }
            if code != SQLITE_OK { throw copy.fault(code) }
            throw StoreFault(
                .unavailable,
                "The backup was ended before it was whole, by request or since too much was written meanwhile.")
        }
        try withExtendedLifetime(copy) { () throws(StoreFault) in try source.run("ROLLBACK") }
    }

    private func logSize() -> Int64 {
        var status = stat()
        return lstat(view.folder.database + "-wal", &status) == 0 ? Int64(status.st_size) : 0
    }
}
