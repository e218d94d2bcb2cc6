internal import PosternAccounts
internal import PosternBase

extension SQLiteTransaction {
    func account(_ id: AccountID) throws(StoreFault) -> Account? {
        try database.first(
            """
            SELECT id, email, email_key, email_proven_at, user_data, backend_data, created_at, updated_at, last_sign_in_at,
            banned_until FROM accounts WHERE id = ?
            """, .id(id)
        ) { row throws(StoreFault) in
            let account = try Self.account(row)
            guard account.id == id else { throw row.damaged(0) }
            return account
        }
    }

    func account(email: EmailAddress) throws(StoreFault) -> Account? {
        try database.first(
            """
            SELECT id, email, email_key, email_proven_at, user_data, backend_data, created_at, updated_at, last_sign_in_at,
            banned_until FROM accounts WHERE email_key = ?
            """, .text(email.key)
        ) { row throws(StoreFault) in
            let account = try Self.account(row)
            // A damaged index leads to other rows, and would sign in somebody else.
            guard account.email?.key.isSameBytes(as: email.key) == true else { throw row.damaged(2) }
            return account
        }
    }

    func accounts(after id: AccountID?, limit: Int) throws(StoreFault) -> [Account] {
        // Nothing is less than every name: an empty blob.
        try database.all(
            """
            SELECT id, email, email_key, email_proven_at, user_data, backend_data, created_at, updated_at, last_sign_in_at,
            banned_until FROM accounts WHERE id > ? ORDER BY id LIMIT ?
            """, .bytes(id?.bytes ?? []), .count(max(limit, 0)), read: Self.account)
    }

    private static func account(_ row: Row) throws(StoreFault) -> Account {
        let email = try row.optionalEmail(1)
        guard try row.optionalText(2)?.isSameBytes(as: email?.key ?? "") ?? (email == nil) else { throw row.damaged(2) }
        return Account(
            id: try row.id(0), email: email, emailProvenAt: try row.optionalTime(3), userData: try row.text(4),
            backendData: try row.text(5), createdAt: try row.time(6), updatedAt: try row.time(7),
            lastSignInAt: try row.optionalTime(8), bannedUntil: try Self.end(row, 9))
    }

    /// A time, or for ever.
    private static func end(_ row: Row, _ column: Int32) throws(StoreFault) -> Int64? {
        try row.optionalInteger(column) == .max ? .max : row.optionalTime(column)
    }

    func put(_ account: Account) throws(StoreFault) {
        // Most of the time the address stays, and its index need not be touched.
        try database.run(
            """
            UPDATE accounts SET email_proven_at = ?3, user_data = ?4, backend_data = ?5, created_at = ?6, updated_at = ?7,
            last_sign_in_at = ?8, banned_until = ?9 WHERE id = ?1 AND email IS ?2
            """,
            .id(account.id), .optional(account.email?.text), .optional(account.emailProvenAt), .text(account.userData),
            .text(account.backendData), .integer(account.createdAt), .integer(account.updatedAt),
            .optional(account.lastSignInAt), .optional(account.bannedUntil))
        if database.changeCount > 0 { return }
        try database.run(
            """
            INSERT INTO accounts (id, email, email_key, email_proven_at, user_data, backend_data, created_at, updated_at,
            last_sign_in_at, banned_until) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            ON CONFLICT (id) DO UPDATE SET email = excluded.email, email_key = excluded.email_key,
            email_proven_at = excluded.email_proven_at, user_data = excluded.user_data, backend_data = excluded.backend_data,
            created_at = excluded.created_at, updated_at = excluded.updated_at,
            last_sign_in_at = excluded.last_sign_in_at, banned_until = excluded.banned_until
            """,
            .id(account.id), .optional(account.email?.text), .optional(account.email?.key),
            .optional(account.emailProvenAt), .text(account.userData), .text(account.backendData),
            .integer(account.createdAt), .integer(account.updatedAt), .optional(account.lastSignInAt),
            .optional(account.bannedUntil))
    }

    /// Password, identities, sessions and mailed proofs go with it, by the references of their tables.
    func delete(account: AccountID) throws(StoreFault) {
        try database.run("DELETE FROM accounts WHERE id = ?", .id(account))
    }

    // MARK: - Passwords

    func password(of account: AccountID) throws(StoreFault) -> StoredPassword? {
        try database.first("SELECT hash, changed_at FROM passwords WHERE account = ?", .id(account)) {
            row throws(StoreFault) in
            StoredPassword(account: account, hash: Secret(try row.text(0)), changedAt: try row.time(1))
        }
    }

    func put(_ password: StoredPassword) throws(StoreFault) {
        try database.run(
            """
            INSERT INTO passwords (account, hash, changed_at) VALUES (?, ?, ?)
            ON CONFLICT (account) DO UPDATE SET hash = excluded.hash, changed_at = excluded.changed_at
            """, .id(password.account), .text(password.hash.revealed), .integer(password.changedAt))
    }

    func delete(passwordOf account: AccountID) throws(StoreFault) {
        try database.run("DELETE FROM passwords WHERE account = ?", .id(account))
    }
}
