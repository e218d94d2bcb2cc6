internal import PosternAccounts

extension SQLiteTransaction {
    func append(_ entry: AuditEntry) throws(StoreFault) {
        try database.run(
            "INSERT INTO audit (event, at, account, session, caller, detail) VALUES (?, ?, ?, ?, ?, ?)",
            .text(entry.event.rawValue), .integer(entry.at), .optional(entry.account), .optional(entry.session),
            .optional(entry.caller), .optional(entry.detail))
    }

    func auditTrail(
        of account: AccountID?,
        before number: Int64?,
        limit: Int
    ) throws(StoreFault) -> [(number: Int64, entry: AuditEntry)] {
        let (before, count) = (SQLValue.integer(number ?? .max), SQLValue.count(max(limit, 0)))
        guard let account else {
            return try database.all(
                """
                SELECT number, event, at, account, session, caller, detail FROM audit WHERE number < ?
                ORDER BY number DESC LIMIT ?
                """, before, count, read: Self.auditEntry)
        }
        return try database.all(
            """
            SELECT number, event, at, account, session, caller, detail FROM audit WHERE account = ? AND number < ?
            ORDER BY number DESC LIMIT ?
            """, .id(account), before, count, read: Self.auditEntry)
    }

    private static func auditEntry(_ row: Row) throws(StoreFault) -> (number: Int64, entry: AuditEntry) {
        let entry = AuditEntry(
            try row.word(1), at: try row.time(2), account: try row.optionalID(3), session: try row.optionalID(4),
            caller: try row.optionalText(5), detail: try row.optionalText(6))
        return (try row.count(0), entry)
    }
}
