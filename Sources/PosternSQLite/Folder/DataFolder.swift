internal import Glibc
internal import PosternAccounts
internal import PosternBase

/// The folder that holds the database. What is in it is worth as much as all accounts, so nobody else may look in.
struct DataFolder {
    /// Without a symbolic link in it.
    let path: String

    /// The database; SQLite puts its log and index beside it.
    var database: String { "\(path)/postern.db" }

    /// Opens the folder at `path`, and makes it first when nothing is there and that is wanted.
    init(_ path: String, isMade: Bool) throws(StoreFault) {
        let isNew = isMade && mkdir(path, 0o700) == 0
        if isMade, !isNew, errno != EEXIST {
            guard errno == ENOENT else { throw Self.fault(path, errno) }
            throw StoreFault(
                .unavailable,
                "The folder above \(Excerpt.quote(path)) is not there, and only the last one is made: make the one above first."
            )
        }
        // A link to a folder is followed (systemd makes one for a DynamicUser); what counts is whose the folder is.
        guard let real = realpath(path, nil) else { throw Self.fault(path, errno) }
        defer { free(real) }
        self.path = String(cString: real)
        try Self.check(self.path, S_IFDIR)
        // Its name stands in the folder above, and would be gone after a loss of power with all that is in it.
        if isNew { try Self.synchronize("\(self.path)/..") }
    }

    /// Whether there is a database, which is ours then and a file of its own. Without one there must be no log either.
    func hasDatabase() throws(StoreFault) -> Bool {
        let hasOne = try hasFile()
        // SQLite would take an empty one for new, and the log for another one's.
        if !hasOne || isEmpty(database) { try checkForLog() }
        return hasOne
    }

    /// The same, whatever else there is.
    func hasFile() throws(StoreFault) -> Bool {
        // Only looked at: to open and close the file would take away the locks that this process has on it.
        for name in [database, database + "-wal", database + "-shm"] {
            var status = stat()
            if lstat(name, &status) == 0 {
                try Self.check(name, S_IFREG)
            } else if errno != ENOENT {
                throw Self.fault(name, errno)
            } else if name == database {
                return false
            }
        }
        return true
    }

    func isEmpty(_ path: String) -> Bool {
        var status = stat()
        return lstat(path, &status) == 0 && status.st_size == 0
    }

    /// Without its database a log may hold all there is, and nobody is to begin anew beside it.
    private func checkForLog() throws(StoreFault) {
        var status = stat()
        guard lstat(database + "-wal", &status) == 0, status.st_size > 0 else { return }
        throw StoreFault(
            .damaged,
            "\(Excerpt.quote(database)) is gone or empty, but its log postern.db-wal is there: put the database back, or restore a backup. To begin anew take the log away."
        )
    }

    /// Which file the database is.
    func identity() throws(StoreFault) -> FileIdentity { try FileIdentity(database) }

    /// Makes an empty database for the owner alone.
    func makeDatabase() throws(StoreFault) {
        let file = Glibc.open(database, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
        guard file >= 0 else { throw Self.fault(database, errno) }
        Glibc.close(file)
        try synchronize()
    }

    /// Waits until the names in the folder are on the disk.
    func synchronize() throws(StoreFault) { try Self.synchronize(path) }

    /// The same of what is in a file.
    static func synchronize(_ path: String) throws(StoreFault) {
        let number = Glibc.open(path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC)
        guard number >= 0 else { throw fault(path, errno) }
        defer { Glibc.close(number) }
        guard fsync(number) == 0 else { throw fault(path, errno) }
    }

    /// Makes sure that no other process serves this folder, for as long as the answer lives.
    func lock() throws(StoreFault) -> FolderLock {
        // The folder itself: a file made for it could be removed, and the next process would make another.
        let folder = Glibc.open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard folder >= 0 else { throw Self.fault(path, errno) }
        let lock = FolderLock(folder)
        guard flock(folder, LOCK_EX | LOCK_NB) == 0 else {
            guard errno == EWOULDBLOCK else { throw Self.fault(path, errno) }
            throw StoreFault(
                .locked, "Another postern works with \(Excerpt.quote(path)): end it first, or name another folder.")
        }
        return lock
    }

    private static func check(_ path: String, _ type: mode_t) throws(StoreFault) {
        var status = stat()
        guard lstat(path, &status) == 0 else { throw fault(path, errno) }
        let name = Excerpt.quote(path)
        guard status.st_mode & S_IFMT == type else {
            throw StoreFault(.unavailable, "\(name) is not a \(type == S_IFDIR ? "folder" : "file of its own").")
        }
        guard status.st_uid == geteuid() else {
            throw StoreFault(
                .unavailable,
                "\(name) belongs to user \(status.st_uid), and this program runs as \(geteuid()): run it as the owner.")
        }
        guard status.st_mode & 0o077 == 0 else {
            let mode = type == S_IFDIR ? "0700" : "0600"
            throw StoreFault(.unavailable, "The mode of \(name) lets others in: chmod \(mode) it.")
        }
        guard type == S_IFDIR || status.st_nlink == 1 else {
            throw StoreFault(.unavailable, "\(name) has a second name (a hard link): remove that.")
        }
    }

    static func fault(_ path: String, _ number: Int32) -> StoreFault {
        let reason: StoreFault.Reason =
            switch number {
            case ENOSPC, EDQUOT, EFBIG: .full
            case EROFS, EACCES, EPERM: .readOnly
            default: .unavailable
            }
        let text = strerror(number).map { String(cString: $0) } ?? "\(number)"
        return StoreFault(reason, "\(Excerpt.quote(path)) cannot be used: \(text).")
    }
}

/// Held while one process serves a folder; the system lets go of it when the process ends, however that happens.
final class FolderLock: Sendable {
    private let descriptor: Int32

    init(_ descriptor: Int32) { self.descriptor = descriptor }

    deinit {
        // A child between fork and exec has the descriptor too, and with it the lock.
        flock(descriptor, LOCK_UN)
        close(descriptor)
    }
}
