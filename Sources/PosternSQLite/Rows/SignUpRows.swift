internal import PosternAccounts
internal import PosternBase

extension SQLiteTransaction {
    func signUp(_ id: SignUpID) throws(StoreFault) -> SignUp? {
        try database.first(
            """
            SELECT id, email, email_key, password_hash, user_data, created_at, expires_at FROM sign_ups WHERE id = ?
            """, .id(id)
        ) { row throws(StoreFault) in
            let signUp = try Self.signUp(row)
            guard signUp.id == id else { throw row.damaged(0) }
            return signUp
        }
    }

    func signUps(email: EmailAddress) throws(StoreFault) -> [SignUp] {
        try database.all(
            """
            SELECT id, email, email_key, password_hash, user_data, created_at, expires_at FROM sign_ups
            WHERE email_key = ? ORDER BY id
            """, .text(email.key)
        ) { row throws(StoreFault) in
            let signUp = try Self.signUp(row)
            guard signUp.email.key.isSameBytes(as: email.key) else { throw row.damaged(2) }
            return signUp
        }
    }

    func signUps(after id: SignUpID?, limit: Int) throws(StoreFault) -> [SignUp] {
        try database.all(
            """
            SELECT id, email, email_key, password_hash, user_data, created_at, expires_at FROM sign_ups
            WHERE id > ? ORDER BY id LIMIT ?
            """, .bytes(id?.bytes ?? []), .count(max(limit, 0)), read: Self.signUp)
    }

    private static func signUp(_ row: Row) throws(StoreFault) -> SignUp {
        let email = try row.email(1)
        guard try row.text(2).isSameBytes(as: email.key) else { throw row.damaged(2) }
        return SignUp(
            id: try row.id(0), email: email, passwordHash: Secret(try row.text(3)), userData: try row.text(4),
            createdAt: try row.time(5), expiresAt: try row.time(6))
    }

    func put(_ signUp: SignUp) throws(StoreFault) {
        try database.run(
            """
            INSERT INTO sign_ups (id, email, email_key, password_hash, user_data, created_at, expires_at)
            VALUES (?, ?, ?, ?, ?, ?, ?)
            ON CONFLICT (id) DO UPDATE SET email = excluded.email, email_key = excluded.email_key,
            password_hash = excluded.password_hash, user_data = excluded.user_data, created_at = excluded.created_at,
            expires_at = excluded.expires_at
            """,
            .id(signUp.id), .text(signUp.email.text), .text(signUp.email.key), .text(signUp.passwordHash.revealed),
            .text(signUp.userData), .integer(signUp.createdAt), .integer(signUp.expiresAt))
    }

    func delete(signUp: SignUpID) throws(StoreFault) {
        try database.run("DELETE FROM sign_ups WHERE id = ?", .id(signUp))
    }

    func delete(signUpsFor email: EmailAddress) throws(StoreFault) {
        try database.run("DELETE FROM sign_ups WHERE email_key = ?", .text(email.key))
    }
}
