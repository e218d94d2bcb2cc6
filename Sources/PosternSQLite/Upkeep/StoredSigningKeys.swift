package import PosternAccounts

/// The signing keys of a database that nobody need have open, sealed as they are stored.
package enum StoredSigningKeys {
    /// Looks at the database in the folder and changes nothing. Blocks.
    package static func read(folder: String) throws(StoreFault) -> [StoredSigningKey] {
        let folder = try DataFolder(folder, isMade: false)
        let use = try FolderUse(folder, .open)
        defer { withExtendedLifetime(use) {} }
        guard try folder.hasDatabase() else { throw .noDatabase(folder.path) }
        let database = try Database.open(folder.database, .reading, busyMilliseconds: 5_000)
        guard try Migrator(migrations: Migration.all).isOurs(database) else { return [] }
        return try SQLiteTransaction(database).signingKeys()
    }
}
