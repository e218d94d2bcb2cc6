internal import CSQLite
internal import Glibc
internal import PosternAccounts

/// A connection, used by one thread at a time.
///
/// Statements are literals of this source, so nothing that comes from outside is ever part of one.
final class Database {
    let handle: OpaquePointer
    /// Prepared once, found by where the literal lies.
    private(set) var statements: [UnsafePointer<UInt8>: OpaquePointer] = [:]
    /// The first that went wrong since somebody took it; a rule that goes on all the same must not be committed.
    private var firstFault: StoreFault?
    /// Statements are broken off once this moment has come.
    var deadline: Moment?

    /// Takes over an open connection.
    init(_ handle: OpaquePointer) {
        self.handle = handle
    }

    deinit {
        for statement in statements.values { sqlite3_finalize(statement) }
        sqlite3_close_v2(handle)
    }

    /// What has gone wrong since the last time, if anything.
    func takeFault() -> StoreFault? { firstFault.take() }

    /// Whether there is no transaction, be it that SQLite itself has taken it back.
    var isOutsideTransaction: Bool { sqlite3_get_autocommit(handle) != 0 }

    /// How many rows the last statement has changed.
    var changeCount: Int { Int(sqlite3_changes(handle)) }

    /// Runs a statement that answers nothing.
    func run(_ sql: StaticString, _ values: SQLValue...) throws(StoreFault) {
        let statement = try bound(sql, values)
        defer { Self.release(statement) }
        var code = sqlite3_step(statement)
        // A pragma answers what it has set.
        while code == SQLITE_ROW { code = sqlite3_step(statement) }
        guard code == SQLITE_DONE else { throw fault(code) }
    }

    /// The first row; nil when there is none.
    func first<Outcome>(
        _ sql: StaticString,
        _ values: SQLValue...,
        read: (Row) throws(StoreFault) -> Outcome
    ) throws(StoreFault) -> Outcome? {
        let statement = try bound(sql, values)
        defer { Self.release(statement) }
        return try row(statement, read)
    }

    /// All rows.
    func all<Outcome>(
        _ sql: StaticString,
        _ values: SQLValue...,
        read: (Row) throws(StoreFault) -> Outcome
    ) throws(StoreFault) -> [Outcome] {
        let statement = try bound(sql, values)
        defer { Self.release(statement) }
        var outcomes: [Outcome] = []
        while let outcome = try row(statement, read) { outcomes.append(outcome) }
        return outcomes
    }

    private func row<Outcome>(
        _ statement: OpaquePointer,
        _ read: (Row) throws(StoreFault) -> Outcome
    ) throws(StoreFault) -> Outcome? {
        let code = sqlite3_step(statement)
        guard code != SQLITE_DONE else { return nil }
        guard code == SQLITE_ROW else { throw fault(code) }
        do throws(StoreFault) {
            return try read(Row(statement))
        } catch {
            note(error)
            throw error
        }
    }

    /// Ends what the statement holds open, and lets go of the values.
    private static func release(_ statement: OpaquePointer) {
        sqlite3_reset(statement)
        sqlite3_clear_bindings(statement)
    }

    private func bound(_ sql: StaticString, _ values: [SQLValue]) throws(StoreFault) -> OpaquePointer {
        let statement = try prepared(sql)
        var index: Int32 = 0
        for value in values {
            index += 1
            let code = value.bind(to: statement, at: index)
            guard code == SQLITE_OK else {
                Self.release(statement)
                throw fault(code)
            }
        }
        return statement
    }

    private func prepared(_ sql: StaticString) throws(StoreFault) -> OpaquePointer {
        if let statement = statements[sql.utf8Start] { return statement }
        var statement: OpaquePointer?
        let count = Int32(truncatingIfNeeded: sql.utf8CodeUnitCount)
        let code = sqlite3_prepare_v3(handle, sql.text, count, UInt32(SQLITE_PREPARE_PERSISTENT), &statement, nil)
        guard code == SQLITE_OK, let statement else { throw fault(code) }
        statements[sql.utf8Start] = statement
        return statement
    }

    /// Runs a text of several statements, which nobody needs twice.
    func runScript(_ sql: StaticString) throws(StoreFault) {
        let code = sqlite3_exec(handle, sql.text, nil, nil, nil)
        guard code == SQLITE_OK else { throw fault(code) }
    }

    // MARK: - Faults

    /// What a code of SQLite says, noted for who commits.
    func fault(_ code: Int32) -> StoreFault {
        // Of a commit that fails SQLite does not keep what the system has said; it was the last call to fail.
        let last = errno
        let kept = sqlite3_system_errno(handle)
        let fault = StoreFault(sqlite: code, system: kept == 0 ? last : kept, of: handle)
        note(fault)
        return fault
    }

    private func note(_ fault: StoreFault) {
        if firstFault == nil { firstFault = fault }
    }
}

extension StaticString {
    /// The literal as C sees it; it ends with a zero.
    fileprivate var text: UnsafePointer<CChar> {
        UnsafeRawPointer(utf8Start).assumingMemoryBound(to: CChar.self)
    }
}
