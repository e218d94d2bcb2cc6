package import PosternAccounts

/// The signing keys of a database that nobody need have open, sealed as they are stored.
package enum StoredSigningKeys {
    /// Looks at the database in the folder and changes nothing. Blocks.
    package static func read(folder: String) throws(StoreFault) -> [StoredSigningKey] {
        try FolderView(folder).look { database throws(StoreFault) in
            guard try Migrator(migrations: Migration.all).isOurs(database) else { return [] }
            return try SQLiteTransaction(database).signingKeys()
        }
    }
}
