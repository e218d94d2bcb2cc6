internal import PosternAccounts

/// Which files are the log of a database and its index. Somebody may remove them while they are in use: what is written to them then is
/// lost with the process.
struct LogFiles: Equatable {
    private let log: FileIdentity
    private let index: FileIdentity

    /// Those that are there now. Throws when one of them is not.
    init(of database: String) throws(StoreFault) {
        log = try FileIdentity(database + "-wal")
        index = try FileIdentity(database + "-shm")
    }

    /// Whether they are still in their place.
    func areThere(for database: String) -> Bool {
        do throws(StoreFault) { return try LogFiles(of: database) == self } catch { return false }
    }
}
