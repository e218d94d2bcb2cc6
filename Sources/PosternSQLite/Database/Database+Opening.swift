internal import CSQLite
internal import PosternAccounts

extension Database {
    /// What a connection is for.
    enum Role {
        case writing
        case reading
        /// Moves what is in the log to the database, and nothing else.
        case checkpoints
    }

    /// "Post": says whose the file is.
    static let applicationID: Int64 = 0x506F_7374

    /// Bytes that a row or a text may have, far more than any of ours.
    private static let greatestLength: Int32 = 1_000_000

    /// Opens the database at `path`, which is there, perhaps empty. The path has no symbolic link in it.
    static func open(_ path: String, _ role: Role, busyMilliseconds: Int) throws(StoreFault) -> Database {
        startLibrary()
        let flags =
            SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_PRIVATECACHE | SQLITE_OPEN_NOFOLLOW
            | SQLITE_OPEN_EXRESCODE
        var handle: OpaquePointer?
        let code = sqlite3_open_v2(path, &handle, flags, nil)
        guard let handle else { throw StoreFault(sqlite: SQLITE_NOMEM, system: 0, of: nil) }
        let database = Database(handle)
        guard code == SQLITE_OK else { throw database.fault(code) }
        // Without the right to write SQLite opens for reading alone, and says so only when something is written.
        guard sqlite3_db_readonly(handle, "main") == 0 else { throw database.fault(SQLITE_READONLY) }
        sqlite3_busy_timeout(handle, Int32(clamping: busyMilliseconds))
        try database.harden()
        try database.setUp(role)
        sqlite3_progress_handler(handle, 10_000, isTooLate, Unmanaged.passUnretained(database).toOpaque())
        return database
    }

    /// Opens an empty file that becomes a copy. Nobody takes it for whole before it is, so nothing has to be waited for meanwhile.
    static func openCopy(_ path: String) throws(StoreFault) -> Database {
        startLibrary()
        var handle: OpaquePointer?
        let flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_NOFOLLOW | SQLITE_OPEN_EXRESCODE
        let code = sqlite3_open_v2(path, &handle, flags, nil)
        guard let handle else { throw StoreFault(sqlite: SQLITE_NOMEM, system: 0, of: nil) }
        let database = Database(handle)
        guard code == SQLITE_OK else { throw database.fault(code) }
        try database.runScript("PRAGMA synchronous = OFF; PRAGMA journal_mode = OFF; PRAGMA cache_size = -256;")
        return database
    }

    /// A file that others have made must not be able to do more than hold rows.
    private func harden() throws(StoreFault) {
        let options: [(Int32, Int32)] = [
            (SQLITE_DBCONFIG_DEFENSIVE, 1), (SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0), (SQLITE_DBCONFIG_ENABLE_FKEY, 1),
            (SQLITE_DBCONFIG_ENABLE_TRIGGER, 0), (SQLITE_DBCONFIG_ENABLE_VIEW, 0),
            (SQLITE_DBCONFIG_ENABLE_LOAD_EXTENSION, 0), (SQLITE_DBCONFIG_DQS_DML, 0), (SQLITE_DBCONFIG_DQS_DDL, 0),
        ]
        for (option, value) in options {
            let code = postern_sqlite_set(handle, option, value)
            guard code == SQLITE_OK else { throw fault(code) }
        }
        sqlite3_limit(handle, SQLITE_LIMIT_LENGTH, Self.greatestLength)
        sqlite3_limit(handle, SQLITE_LIMIT_ATTACHED, 0)
        sqlite3_limit(handle, SQLITE_LIMIT_WORKER_THREADS, 0)
    }

    private func setUp(_ role: Role) throws(StoreFault) {
        // No part of the file is mapped: a file that shrinks would end the process.
        try runScript(
            """
            PRAGMA mmap_size = 0;
            PRAGMA cell_size_check = ON;
            PRAGMA temp_store = MEMORY;
            PRAGMA synchronous = FULL;
            PRAGMA wal_autocheckpoint = 0;
            """)
        switch role {
        case .writing:
            try runScript(
                """
                PRAGMA auto_vacuum = NONE;
                PRAGMA journal_size_limit = 33554432;
                PRAGMA secure_delete = ON;
                PRAGMA cache_size = -16384;
                """)
            let mode = try first("PRAGMA journal_mode = WAL") { row throws(StoreFault) in try row.text(0) }
            guard mode == "wal" else {
                throw StoreFault(
                    .unavailable, "The file system cannot hold a database with a log: name a local folder.")
            }
        case .reading:
            try runScript("PRAGMA query_only = ON; PRAGMA cache_size = -2048;")
        case .checkpoints:
            try runScript("PRAGMA cache_size = -256;")
        }
    }

    /// Whose file it is: ours, nobody's yet, or refused.
    func checkApplication() throws(StoreFault) {
        let id = try first("PRAGMA application_id") { row throws(StoreFault) in try row.integer(0) } ?? 0
        if id == Self.applicationID { return }
        let tables = try first("SELECT count(*) FROM sqlite_schema") { row throws(StoreFault) in try row.integer(0) }
        guard id == 0, tables == 0 else {
            throw StoreFault(.damaged, "The file is a database of another program: name another folder.")
        }
    }

    /// Writes the first page as it is. (A row that stays the same would not be written at all.)
    func writeApplication() throws(StoreFault) { try run("PRAGMA application_id = 1349481332") }

    /// Once for the process, before the library does anything.
    private static func startLibrary() { _ = isLibraryStarted }

    private static let isLibraryStarted: Bool = {
        // Refused when somebody else has begun to use it, which harms nothing.
        _ = postern_sqlite_without_statistics()
        return sqlite3_initialize() == SQLITE_OK
    }()
}

/// A function of the file: a closure that is made on the main actor would trap on another thread.
private func isTooLate(_ context: UnsafeMutableRawPointer?) -> Int32 {
    guard let context else { return 0 }
    let database = Unmanaged<Database>.fromOpaque(context).takeUnretainedValue()
    guard let deadline = database.deadline else { return 0 }
    return Moment.now < deadline ? 0 : 1
}
