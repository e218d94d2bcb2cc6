internal import PosternAccounts

/// What a body is given: looks things up, and changes them where the connection may. Its parts stand in `Rows`.
final class SQLiteTransaction: StoreTransaction {
    let database: Database

    init(_ database: Database) { self.database = database }
}
