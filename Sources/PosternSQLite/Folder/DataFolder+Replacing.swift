internal import CLinux
internal import Glibc
internal import PosternAccounts

/// Another database in the place of the one that is there. To be called by who holds the lock and has said that it replaces.
extension DataFolder {
    /// What SQLite may put beside a database.
    static let companions = ["-wal", "-shm", "-journal"]

    /// The name of a database that is not whole yet. Nobody but a restore makes it or takes it for anything.
    var unfinished: String { "\(database).restoring" }

    /// Takes away what a restore has left that was killed.
    func removeUnfinished() {
        for end in [""] + Self.companions { unlink(unfinished + end) }
    }

    /// The companions of the database that are there.
    var left: [String] { Self.companions.filter { Self.isThere(database + $0) } }

    static func isThere(_ path: String) -> Bool {
        var status = stat()
        return lstat(path, &status) == 0
    }

    /// A name that nothing has, for the database that was there before `now`.
    func nameToKeep(now: Int64) -> String {
        let start = "\(database).before-restore-\(Self.stamp(now))"
        var name = start
        var number = 2
        while ([""] + Self.companions).contains(where: { Self.isThere(name + $0) }) {
            name = "\(start)-\(number)"
            number += 1
        }
        return name
    }

    /// Such as 20270131T235959Z.
    private static func stamp(_ seconds: Int64) -> String {
        var seconds = time_t(seconds)
        var time = tm()
        guard gmtime_r(&seconds, &time) != nil else { return "\(seconds)" }
        func digits(_ number: Int32) -> String { number < 10 ? "0\(number)" : "\(number)" }
        let day = [Int32(clamping: Int(time.tm_year) + 1900), time.tm_mon + 1, time.tm_mday].map(digits).joined()
        return "\(day)T\([time.tm_hour, time.tm_min, time.tm_sec].map(digits).joined())Z"
    }

    func move(_ path: String, to other: String) throws(StoreFault) {
        guard rename(path, other) == 0 else { throw Self.fault(path, errno) }
    }

    /// Lets the database and the whole one called `other` change places, at one moment: there is never none. Answers false where the
    /// file system cannot, and nothing has changed.
    func exchange(with other: String) throws(StoreFault) -> Bool {
        if postern_rename(AT_FDCWD, other, AT_FDCWD, database, POSTERN_RENAME_EXCHANGE) == 0 { return true }
        guard [EINVAL, ENOSYS, EOPNOTSUPP].contains(errno) else { throw Self.fault(database, errno) }
        return false
    }
}
