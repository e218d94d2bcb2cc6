internal import CLinux
internal import Glibc
internal import PosternAccounts
internal import PosternBase

/// Says to other processes, for as long as it lives, that one has the database open or puts another in its place; these exclude each
/// other. `FolderLock` is not enough for that, since commands work beside the process that holds it. SQLite finds the log of a database
/// by its name: who still had the former database open would write to the log of the next.
///
/// Each says so first and looks for the other then, so that of two at a time at least one sees the other. What says so is a lock on a
/// byte of the folder that many may hold, and that ends with the process.
final class FolderUse: Sendable {
    enum Kind: off_t {
        case open
        case replacing

        fileprivate var other: Kind { self == .open ? .replacing : .open }
    }

    private let descriptor: Int32

    init(_ folder: DataFolder, _ kind: Kind) throws(StoreFault) {
        descriptor = Glibc.open(folder.path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { throw DataFolder.fault(folder.path, errno) }
        var mine = Self.lock(F_RDLCK, kind)
        guard fcntl(descriptor, POSTERN_LOCK_SET, &mine) == 0 else { throw DataFolder.fault(folder.path, errno) }
        // Whoever asks for a lock that excludes all others is told of any other.
        var others = Self.lock(F_WRLCK, kind.other)
        guard fcntl(descriptor, POSTERN_LOCK_TEST, &others) == 0 else { throw DataFolder.fault(folder.path, errno) }
        guard others.l_type == Int16(F_UNLCK) else { throw Self.excluded(kind, folder) }
    }

    deinit {
        guard descriptor >= 0 else { return }
        // A child between fork and exec has the descriptor too, and with it the lock.
        for kind in [Kind.open, .replacing] {
            var none = Self.lock(F_UNLCK, kind)
            _ = fcntl(descriptor, POSTERN_LOCK_SET, &none)
        }
        close(descriptor)
    }

    private static func lock(_ type: Int32, _ kind: Kind) -> flock {
        var lock = flock()
        lock.l_type = Int16(truncatingIfNeeded: type)
        lock.l_whence = Int16(SEEK_SET)
        lock.l_start = kind.rawValue
        lock.l_len = 1
        return lock
    }

    private static func excluded(_ kind: Kind, _ folder: DataFolder) -> StoreFault {
        let name = Excerpt.quote(folder.path)
        return switch kind {
        case .open: StoreFault(.locked, "A backup is being restored to \(name): try again when that is done.")
        case .replacing: StoreFault(.locked, "Another command has the database in \(name) open: let it end first.")
        }
    }
}
