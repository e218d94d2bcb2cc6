internal import PosternAccounts
internal import PosternBase

/// Brings a database to the schema that this program knows, only forward, and refuses one that it does not understand.
struct Migrator {
    let migrations: [Migration]

    /// What a file remembers of a migration.
    struct Applied {
        let version: Int64
        let name: String
        let hash: [UInt8]
        let schemaHash: [UInt8]
        let at: Int64
    }

    /// Whether there is nothing to do. Throws where the file was made by something else.
    func isCurrent(_ database: Database) throws(StoreFault) -> Bool { try pending(database).isEmpty }

    /// Whether the file holds tables of ours. Throws where it was made by something else.
    func isOurs(_ database: Database) throws(StoreFault) -> Bool { try pending(database).count < migrations.count }

    /// Those that the file has not had yet, when all others are as they are here. It is looked at as it is at one moment: another
    /// process may bring it further meanwhile.
    func pending(_ database: Database) throws(StoreFault) -> [Migration] {
        guard database.isOutsideTransaction else { return try pendingNow(database) }
        try database.run("BEGIN")
        defer { if !database.isOutsideTransaction { try? database.run("ROLLBACK") } }
        return try pendingNow(database)
    }

    private func pendingNow(_ database: Database) throws(StoreFault) -> [Migration] {
        try database.checkApplication()
        let applied = try Self.applied(database)
        if let newest = applied.last, newest.version > migrations.count {
            throw StoreFault(
                .unavailable,
                "The database was made by a newer Postern (its schema is \(newest.version), this one knows \(migrations.count)): install that or a newer one."
            )
        }
        for (row, migration) in zip(applied, migrations) {
            guard row.version == migration.version, try row.hash == migration.hash() else {
                throw StoreFault(
                    .damaged,
                    "The database has had another migration \(row.version) than this Postern knows: restore a backup, or install the version that made it."
                )
            }
        }
        if let newest = applied.last {
            guard try newest.schemaHash == Self.schemaHash(database), try Self.version(database) == newest.version
            else {
                throw StoreFault(
                    .damaged,
                    "The tables of the database are not as Postern has made them: undo what was changed by hand, or restore a backup."
                )
            }
        } else {
            guard try Self.version(database) == 0 else {
                throw StoreFault(.damaged, "The database does not say how it was made: restore a backup.")
            }
        }
        return Array(migrations.dropFirst(applied.count))
    }

    /// Applies what is missing, each in a transaction of its own.
    func migrate(_ database: Database, now: Int64) throws(StoreFault) {
        for migration in try pending(database) {
            try database.run("BEGIN IMMEDIATE")
            do throws(StoreFault) {
                try database.runScript(migration.script)
                try database.run(
                    "INSERT INTO migrations (version, name, hash, schema_hash, applied_at) VALUES (?, ?, ?, ?, ?)",
                    .integer(migration.version), .text(migration.name), .bytes(try migration.hash()),
                    .bytes(try Self.schemaHash(database)), .integer(now))
                try checkReferences(database)
                try database.run("COMMIT")
            } catch {
                if !database.isOutsideTransaction { try? database.run("ROLLBACK") }
                throw error
            }
        }
    }

    private func checkReferences(_ database: Database) throws(StoreFault) {
        guard try database.first("PRAGMA foreign_key_check", read: { _ throws(StoreFault) in true }) == nil else {
            throw StoreFault(.damaged, "A migration would leave rows without the account that they belong to.")
        }
    }

    /// What the file has had, the oldest first.
    static func applied(_ database: Database) throws(StoreFault) -> [Applied] {
        let isThere = try database.first("SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = 'migrations'") {
            row throws(StoreFault) in try row.integer(0)
        }
        guard isThere != nil else { return [] }
        return try database.all("SELECT version, name, hash, schema_hash, applied_at FROM migrations ORDER BY version")
        {
            row throws(StoreFault) in
            Applied(
                version: try row.integer(0), name: try row.text(1), hash: try row.bytes(2),
                schemaHash: try row.bytes(3),
                at: try row.integer(4))
        }
    }

    private static func version(_ database: Database) throws(StoreFault) -> Int64 {
        try database.first("PRAGMA user_version") { row throws(StoreFault) in try row.integer(0) } ?? 0
    }

    /// SHA-256 over all that the tables and indexes are made of; SQLite's own are left out.
    private static func schemaHash(_ database: Database) throws(StoreFault) -> [UInt8] {
        let rows = try database.all(
            "SELECT type, name, tbl_name, sql FROM sqlite_schema WHERE name NOT LIKE 'sqlite~_%' ESCAPE '~' ORDER BY type, name"
        ) { row throws(StoreFault) -> [UInt8] in
            var bytes: [UInt8] = []
            for column: Int32 in 0..<4 { bytes += Array((try row.optionalText(column) ?? "").utf8) + [0] }
            return bytes
        }
        return try Migration.hash(Array(rows.joined()))
    }
}
