internal import PosternAccounts

extension SQLiteTransaction {
    /// Rows that are looked at, at most, to find sessions that are over among those that will be within the day.
    private static let sessionsLookedAt = 512

    func purge(now: Int64, auditSince: Int64, limit: Int) throws(StoreFault) -> Int {
        var left = max(limit, 0)
        left -= try purgeNonces(now, left)
        left -= try purgeTokens(now, left)
        left -= try purgeSessions(now, left)
        left -= try purged(
            "DELETE FROM outbox WHERE id IN (SELECT id FROM outbox WHERE expires_at <= ? ORDER BY expires_at LIMIT ?)",
            now, left)
        left -= try purged(
            """
            DELETE FROM mailed_proofs WHERE id IN
            (SELECT id FROM mailed_proofs WHERE expires_at <= ? ORDER BY expires_at LIMIT ?)
            """, now, left)
        left -= try purged(
            """
            DELETE FROM sign_ups WHERE id IN (SELECT id FROM sign_ups WHERE expires_at <= ? ORDER BY expires_at LIMIT ?)
            """, now, left)
        left -= try purged(
            """
            DELETE FROM attempts WHERE name IN (SELECT name FROM attempts WHERE expires_at <= ? ORDER BY expires_at LIMIT ?)
            """, now, left)
        left -= try purged(
            "DELETE FROM audit WHERE number IN (SELECT number FROM audit WHERE at < ? ORDER BY at LIMIT ?)", auditSince,
            left)
        return max(limit, 0) - left
    }

    /// How many there were. No statement writes where there is nothing to delete.
    private func purged(_ sql: StaticString, _ time: Int64, _ limit: Int) throws(StoreFault) -> Int {
        guard limit > 0 else { return 0 }
        try database.run(sql, .integer(time), .count(limit))
        return database.changeCount
    }

    private func purgeNonces(_ now: Int64, _ limit: Int) throws(StoreFault) -> Int {
        let greatest = try greatest(
            """
            SELECT max(expires_at) FROM
            (SELECT expires_at FROM used_nonces WHERE expires_at <= ? ORDER BY expires_at, name LIMIT ?)
            """, now, limit)
        guard let greatest else { return 0 }
        try note("nonces", greatest)
        return try purged(
            """
            DELETE FROM used_nonces WHERE name IN
            (SELECT name FROM used_nonces WHERE expires_at <= ? ORDER BY expires_at, name LIMIT ?)
            """, now, limit)
    }

    /// A token may still be accepted in the second of its expiry.
    private func purgeTokens(_ now: Int64, _ limit: Int) throws(StoreFault) -> Int {
        let greatest = try greatest(
            """
            SELECT max(expires_at) FROM
            (SELECT expires_at FROM remembered_tokens WHERE expires_at < ? ORDER BY expires_at, name LIMIT ?)
            """, now, limit)
        guard let greatest else { return 0 }
        try note("tokens", greatest)
        return try purged(
            """
            DELETE FROM remembered_tokens WHERE name IN
            (SELECT name FROM remembered_tokens WHERE expires_at < ? ORDER BY expires_at, name LIMIT ?)
            """, now, limit)
    }

    /// The greatest expiry among those that are deleted next; nil when none is.
    private func greatest(_ sql: StaticString, _ now: Int64, _ limit: Int) throws(StoreFault) -> Int64? {
        guard limit > 0 else { return nil }
        return try database.first(sql, .integer(now), .count(limit)) { row throws(StoreFault) in
            try row.optionalInteger(0)
        } ?? nil
    }

    private func note(_ kind: String, _ expiresAt: Int64) throws(StoreFault) {
        try database.run(
            """
            INSERT INTO forgotten (kind, expires_at) VALUES (?, ?)
            ON CONFLICT (kind) DO UPDATE SET expires_at = max(expires_at, excluded.expires_at)
            """, .text(kind), .integer(max(expiresAt, 0)))
    }

    private func purgeSessions(_ now: Int64, _ limit: Int) throws(StoreFault) -> Int {
        guard limit > 0 else { return 0 }
        try database.run(
            """
            DELETE FROM sessions WHERE id IN (
                SELECT id FROM (
                    SELECT id, expires_at FROM sessions WHERE expires_about <= ?1 >> 16 ORDER BY expires_about, id LIMIT ?3
                ) WHERE expires_at <= ?1 LIMIT ?2
            )
            """, .integer(now), .count(limit), .count(max(limit, Self.sessionsLookedAt)))
        return database.changeCount
    }
}
