internal import PosternAccounts

extension SQLiteTransaction {
    func signingKeys() throws(StoreFault) -> [StoredSigningKey] {
        try database.all("SELECT key_id, state, sealed, created_at, since FROM signing_keys ORDER BY key_id") {
            row throws(StoreFault) in
            StoredSigningKey(
                keyID: try row.text(0), state: try row.word(1), sealed: try row.bytes(2), createdAt: try row.time(3),
                since: try row.time(4))
        }
    }

    func put(_ key: StoredSigningKey) throws(StoreFault) {
        try database.run(
            """
            INSERT INTO signing_keys (key_id, state, sealed, created_at, since) VALUES (?, ?, ?, ?, ?)
            ON CONFLICT (key_id) DO UPDATE SET state = excluded.state, sealed = excluded.sealed,
            created_at = excluded.created_at, since = excluded.since
            """,
            .text(key.keyID), .text(key.state.rawValue), .bytes(key.sealed), .integer(key.createdAt),
            .integer(key.since))
    }

    func delete(signingKey keyID: String) throws(StoreFault) {
        try database.run("DELETE FROM signing_keys WHERE key_id = ?", .text(keyID))
    }
}
