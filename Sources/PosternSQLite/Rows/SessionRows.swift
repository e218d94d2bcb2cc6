internal import PosternAccounts

extension SQLiteTransaction {
    func session(_ id: SessionID) throws(StoreFault) -> Session? {
        try database.first(
            """
            SELECT id, account, method, provider, created_at, counter, rotated_at, is_seen, expires_at, user_agent, masked_address
            FROM sessions WHERE id = ?
            """, .id(id), read: Self.session)
    }

    func sessions(of account: AccountID) throws(StoreFault) -> [Session] {
        try database.all(
            """
            SELECT id, account, method, provider, created_at, counter, rotated_at, is_seen, expires_at, user_agent, masked_address
            FROM sessions WHERE account = ? ORDER BY id
            """, .id(account)
        ) { row throws(StoreFault) in
            let session = try Self.session(row)
            guard session.account == account else { throw row.damaged(1) }
            return session
        }
    }

    private static func session(_ row: Row) throws(StoreFault) -> Session {
        Session(
            id: try row.id(0), account: try row.id(1), method: try row.word(2), provider: try row.optionalText(3),
            createdAt: try row.time(4), counter: try row.count(5), rotatedAt: try row.time(6),
            isSeen: try row.flag(7), expiresAt: try row.time(8), userAgent: try row.optionalText(9),
            maskedAddress: try row.optionalText(10))
    }

    /// The expiry as the index has it.
    private static func about(_ expiresAt: Int64) -> Int64 { expiresAt >> 16 }

    func put(_ session: Session) throws(StoreFault) {
        // A refresh: one row changes where it lies, and no index.
        try database.run(
            """
            UPDATE sessions SET counter = ?7, rotated_at = ?8, is_seen = ?9, expires_at = ?10, user_agent = ?11,
            masked_address = ?12 WHERE id = ?1 AND account = ?2 AND method = ?3 AND provider IS ?4 AND created_at = ?5
            AND expires_about = ?6
            """,
            .id(session.id), .id(session.account), .text(session.method.rawValue), .optional(session.provider),
            .integer(session.createdAt), .integer(Self.about(session.expiresAt)), .integer(session.counter),
            .integer(session.rotatedAt), .flag(session.isSeen), .integer(session.expiresAt),
            .optional(session.userAgent),
            .optional(session.maskedAddress))
        if database.changeCount > 0 { return }
        try database.run(
            """
            INSERT INTO sessions (id, account, method, provider, created_at, expires_about, counter, rotated_at, is_seen,
            expires_at, user_agent, masked_address) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            ON CONFLICT (id) DO UPDATE SET account = excluded.account, method = excluded.method, provider = excluded.provider,
            created_at = excluded.created_at, expires_about = excluded.expires_about, counter = excluded.counter,
            rotated_at = excluded.rotated_at, is_seen = excluded.is_seen, expires_at = excluded.expires_at,
            user_agent = excluded.user_agent, masked_address = excluded.masked_address
            """,
            .id(session.id), .id(session.account), .text(session.method.rawValue), .optional(session.provider),
            .integer(session.createdAt), .integer(Self.about(session.expiresAt)), .integer(session.counter),
            .integer(session.rotatedAt), .flag(session.isSeen), .integer(session.expiresAt),
            .optional(session.userAgent),
            .optional(session.maskedAddress))
    }

    func delete(session: SessionID) throws(StoreFault) {
        try database.run("DELETE FROM sessions WHERE id = ?", .id(session))
    }

    @discardableResult
    func delete(sessionsOf account: AccountID, except session: SessionID?) throws(StoreFault) -> Int {
        try database.run(
            "DELETE FROM sessions WHERE account = ? AND id IS NOT ?", .id(account), .optional(session))
        return database.changeCount
    }
}
