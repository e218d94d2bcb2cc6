internal import CSQLite
package import PosternAccounts

/// Looks through the whole file, which takes its time; who reads and writes meanwhile is not kept waiting.
package struct IntegrityCheck {
    /// Findings are told up to this number.
    package static let findingsAtMost = 100

    private let view: FolderView

    package init(folder: String) throws(StoreFault) { view = try FolderView(folder) }

    /// What is wrong, in the words of SQLite, which name tables and pages and never what is in them; nothing when all is well. Blocks.
    package func findings() throws(StoreFault) -> [String] {
        try view.look { database throws(StoreFault) in
            _ = try Migrator(migrations: Migration.all).pending(database)
            return try Self.findings(database)
        }
    }

    static func findings(_ database: Database) throws(StoreFault) -> [String] {
        var findings = try database.all("PRAGMA integrity_check(100)") { row throws(StoreFault) in try row.text(0) }
        if findings == ["ok"] { findings = [] }
        guard findings.isEmpty else { return findings }
        return try database.all("SELECT DISTINCT \"table\", \"parent\" FROM pragma_foreign_key_check LIMIT 100") {
            row throws(StoreFault) in
            "rows of \(try row.text(0)) belong to rows of \(try row.text(1)) that are not there"
        }
    }
}
