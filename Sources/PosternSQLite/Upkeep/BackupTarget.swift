internal import Glibc
internal import PosternAccounts
internal import PosternBase

/// Where a backup goes: first to a file beside it, which nobody takes for whole.
struct BackupTarget {
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
        // There it could take the place of the database, or be taken for a part of it. A folder may have several names (a bind mount).
        guard try FileIdentity(folder) != FileIdentity(data.path) else {
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

    /// What is in the place of the backup must be one, or empty: a slip of the hand is not to cost a key, nor another folder's data.
    private static func checkIsBackup(_ file: String) throws(StoreFault) {
        var status = stat()
        guard lstat(file, &status) == 0 else { return }
        guard status.st_mode & S_IFMT == S_IFREG else { throw refused(file, "is there and not a file") }
        guard !DataFolder.isThere(file + "-wal") else {
            throw refused(file, "is a database that is in use, or was when its process was killed")
        }
        let number = Glibc.open(file, O_RDONLY | O_NOFOLLOW | O_CLOEXEC)
        guard number >= 0 else { throw DataFolder.fault(file, errno) }
        defer { Glibc.close(number) }
        switch DatabaseHead(of: number) {
        case .ours, .empty: break
        case .anotherProgram, .other: throw refused(file, "is there and no backup of Postern")
        case nil: throw DataFolder.fault(file, errno)
        }
    }

    private static func refused(_ file: String, _ what: String) -> StoreFault {
        StoreFault(.unavailable, "\(Excerpt.quote(file)) \(what): name another.")
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
        try DataFolder.synchronize(unfinished)
        guard rename(unfinished, file) == 0 else { throw DataFolder.fault(file, errno) }
        try DataFolder.synchronize(folder)
    }

    func remove() {
        for end in [""] + DataFolder.companions { unlink(unfinished + end) }
    }
}
