internal import CSQLite
internal import PosternAccounts

/// The write-ahead log.
extension Database {
    /// Pages that are in the log, and how many of them are in the database too.
    struct LogState {
        let pages: Int
        let moved: Int

        var isDone: Bool { moved >= pages }
    }

    enum Checkpoint {
        /// Keeps nobody from reading or writing, and moves what can be moved.
        case passive
        /// Waits until nobody reads from the log, so that it begins anew.
        case restart
        /// The same, and leaves nothing in it.
        case truncate

        var mode: Int32 {
            switch self {
            case .passive: SQLITE_CHECKPOINT_PASSIVE
            case .restart: SQLITE_CHECKPOINT_RESTART
            case .truncate: SQLITE_CHECKPOINT_TRUNCATE
            }
        }
    }

    @discardableResult
    func checkpoint(_ checkpoint: Checkpoint) throws(StoreFault) -> LogState {
        var pages: Int32 = 0
        var moved: Int32 = 0
        let code = sqlite3_wal_checkpoint_v2(handle, "main", checkpoint.mode, &pages, &moved)
        guard code == SQLITE_OK else {
            let fault = fault(code)
            _ = takeFault()
            throw fault
        }
        return LogState(pages: Int(max(pages, 0)), moved: Int(max(moved, 0)))
    }

    /// From now on `gauge` knows how long the log is after each commit of this connection. The gauge must outlive the connection.
    func reportLog(to gauge: LogGauge) {
        sqlite3_wal_hook(handle, logHasGrown, Unmanaged.passUnretained(gauge).toOpaque())
    }
}

/// How many pages were in the log after the last commit.
final class LogGauge {
    var pages = 0
}

/// A function of the file: a closure that is made on the main actor would trap on another thread.
private func logHasGrown(
    _ context: UnsafeMutableRawPointer?,
    _: OpaquePointer?,
    _: UnsafePointer<CChar>?,
    _ pages: Int32
) -> Int32 {
    if let context { Unmanaged<LogGauge>.fromOpaque(context).takeUnretainedValue().pages = Int(pages) }
    return SQLITE_OK
}
