internal import PosternAccounts

/// What is used once, and counts of tries.
extension SQLiteTransaction {
    func rememberedToken(_ name: [UInt8]) throws(StoreFault) -> RememberedToken? {
        try database.first(
            "SELECT session, request, used_at, expires_at FROM remembered_tokens WHERE name = ?", .bytes(name)
        ) { row throws(StoreFault) in
            RememberedToken(
                name: name, session: try row.id(0), request: try row.bytes(1), usedAt: try row.time(2),
                expiresAt: try row.time(3))
        }
    }

    /// A second time is refused by the key of the table.
    func remember(_ token: RememberedToken) throws(StoreFault) {
        try database.run(
            "INSERT INTO remembered_tokens (name, session, request, used_at, expires_at) VALUES (?, ?, ?, ?, ?)",
            .bytes(token.name), .id(token.session), .bytes(token.request), .integer(token.usedAt),
            .integer(token.expiresAt))
    }

    func isUsed(nonce name: [UInt8]) throws(StoreFault) -> Bool {
        try database.first("SELECT 1 FROM used_nonces WHERE name = ?", .bytes(name)) { _ in true } ?? false
    }

    /// A second time is refused by the key of the table.
    func use(nonce name: [UInt8], expiresAt: Int64) throws(StoreFault) {
        try database.run(
            "INSERT INTO used_nonces (name, expires_at) VALUES (?, ?)", .bytes(name), .integer(expiresAt))
    }

    func forgottenNonces() throws(StoreFault) -> Int64? { try forgotten("nonces") }

    func forgottenTokens() throws(StoreFault) -> Int64? { try forgotten("tokens") }

    private func forgotten(_ kind: String) throws(StoreFault) -> Int64? {
        try database.first("SELECT expires_at FROM forgotten WHERE kind = ?", .text(kind)) { row throws(StoreFault) in
            try row.time(0)
        }
    }

    // MARK: - Attempts

    func attempts(_ name: [UInt8]) throws(StoreFault) -> AttemptCount? {
        try database.first("SELECT taken, counted_at, expires_at FROM attempts WHERE name = ?", .bytes(name)) {
            row throws(StoreFault) in
            AttemptCount(
                name: name, taken: try row.count(0), countedAt: try row.time(1), expiresAt: try row.time(2))
        }
    }

    func put(_ attempts: AttemptCount) throws(StoreFault) {
        try database.run(
            """
            INSERT INTO attempts (name, taken, counted_at, expires_at) VALUES (?, ?, ?, ?)
            ON CONFLICT (name) DO UPDATE SET taken = excluded.taken, counted_at = excluded.counted_at,
            expires_at = excluded.expires_at
            """,
            .bytes(attempts.name), .integer(attempts.taken), .integer(attempts.countedAt),
            .integer(attempts.expiresAt))
    }
}
