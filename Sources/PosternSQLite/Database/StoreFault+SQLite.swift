internal import CSQLite
internal import Glibc
internal import PosternAccounts
internal import PosternBase

extension StoreFault {
    /// What a code of SQLite means; `system` is what the system call behind it has failed with, 0 when there was none.
    init(sqlite code: Int32, system: Int32, of handle: OpaquePointer?) {
        let reason = Self.reason(code & 0xFF, system)
        let advice = code & 0xFF == SQLITE_INTERRUPT ? "The question took too long." : Self.advice(reason)
        self.init(reason, "\(advice) (SQLite: \(Self.text(code, system, handle)))")
    }

    private static func reason(_ code: Int32, _ system: Int32) -> Reason {
        switch code {
        case SQLITE_FULL: return .full
        case SQLITE_READONLY, SQLITE_PERM: return .readOnly
        case SQLITE_BUSY, SQLITE_LOCKED: return .locked
        case SQLITE_CORRUPT, SQLITE_NOTADB, SQLITE_FORMAT, SQLITE_CONSTRAINT, SQLITE_MISMATCH, SQLITE_SCHEMA:
            return .damaged
        case SQLITE_IOERR, SQLITE_CANTOPEN:
            switch system {
            case ENOSPC, EDQUOT, EFBIG: return .full
            case EROFS, EACCES, EPERM: return .readOnly
            default: return .unavailable
            }
        default: return .unavailable
        }
    }

    private static func advice(_ reason: Reason) -> String {
        switch reason {
        case .full: "The disk with the database is full: make room."
        case .readOnly: "The database cannot be written: check the owner and mode of its folder and files."
        case .locked: "Another process holds the database: let it finish, or end it."
        case .damaged: "The database is damaged: run postern doctor, and restore a backup."
        case .busy: "Too much is waiting for the database: try again."
        case .unavailable: "The database cannot be used: look at the disk and the log of the system."
        }
    }

    /// In SQLite's words, which name tables and columns and never what is in them.
    private static func text(_ code: Int32, _ system: Int32, _ handle: OpaquePointer?) -> String {
        let isSaid = code & 0xFF == SQLITE_CONSTRAINT || code & 0xFF == SQLITE_ERROR
        let words = isSaid ? handle.flatMap { sqlite3_errmsg($0) } : sqlite3_errstr(code)
        let text = "\(words.map { String(cString: $0) } ?? "?"), \(code)"
        guard system != 0, code & 0xFF == SQLITE_IOERR || code & 0xFF == SQLITE_CANTOPEN else { return text }
        return text + ", " + (strerror(system).map { String(cString: $0) } ?? "\(system)")
    }

    static func noDatabase(_ folder: String) -> StoreFault {
        StoreFault(.unavailable, "There is no database in \(Excerpt.quote(folder)).")
    }

    static let logRemoved = StoreFault(
        .unavailable,
        "The log of the database was removed while it was in use. What was in it is moved to the database before the next write."
    )
    static let closed = StoreFault(.unavailable, "The database has been closed.")
}
