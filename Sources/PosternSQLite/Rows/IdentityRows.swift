internal import PosternAccounts
internal import PosternTokens

extension SQLiteTransaction {
    func identity(_ key: IdentityKey) throws(StoreFault) -> Identity? {
        try database.first(
            """
            SELECT subject, issuer, provider, account, email, is_email_verified, is_private_relay, created_at, last_sign_in_at
            FROM identities WHERE subject = ? AND issuer = ? AND provider = ?
            """, .bytes(key.subject.bytes), .text(key.issuer), .text(key.provider), read: Self.identity)
    }

    func identities(of account: AccountID) throws(StoreFault) -> [Identity] {
        try database.all(
            """
            SELECT subject, issuer, provider, account, email, is_email_verified, is_private_relay, created_at, last_sign_in_at
            FROM identities WHERE account = ? ORDER BY created_at, subject, issuer, provider
            """, .id(account)
        ) { row throws(StoreFault) in
            let identity = try Self.identity(row)
            guard identity.account == account else { throw row.damaged(3) }
            return identity
        }
    }

    private static func identity(_ row: Row) throws(StoreFault) -> Identity {
        let key = IdentityKey(
            provider: try row.text(2), issuer: try row.text(1), subject: Subject(try row.bytes(0)))
        return Identity(
            key: key, account: try row.id(3), email: try row.optionalText(4), isEmailVerified: try row.flag(5),
            isPrivateRelay: try row.flag(6), createdAt: try row.time(7), lastSignInAt: try row.time(8))
    }

    func put(_ identity: Identity) throws(StoreFault) {
        // Most of the time the account stays, and its index need not be touched.
        try database.run(
            """
            UPDATE identities SET email = ?5, is_email_verified = ?6, is_private_relay = ?7, created_at = ?8,
            last_sign_in_at = ?9 WHERE subject = ?1 AND issuer = ?2 AND provider = ?3 AND account = ?4
            """,
            .bytes(identity.key.subject.bytes), .text(identity.key.issuer), .text(identity.key.provider),
            .id(identity.account), .optional(identity.email), .flag(identity.isEmailVerified),
            .flag(identity.isPrivateRelay), .integer(identity.createdAt), .integer(identity.lastSignInAt))
        if database.changeCount > 0 { return }
        try database.run(
            """
            INSERT INTO identities (subject, issuer, provider, account, email, is_email_verified, is_private_relay, created_at,
            last_sign_in_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
            ON CONFLICT (subject, issuer, provider) DO UPDATE SET account = excluded.account, email = excluded.email,
            is_email_verified = excluded.is_email_verified, is_private_relay = excluded.is_private_relay,
            created_at = excluded.created_at, last_sign_in_at = excluded.last_sign_in_at
            """,
            .bytes(identity.key.subject.bytes), .text(identity.key.issuer), .text(identity.key.provider),
            .id(identity.account), .optional(identity.email), .flag(identity.isEmailVerified),
            .flag(identity.isPrivateRelay), .integer(identity.createdAt), .integer(identity.lastSignInAt))
    }

    func delete(identity key: IdentityKey) throws(StoreFault) {
        try database.run(
            "DELETE FROM identities WHERE subject = ? AND issuer = ? AND provider = ?", .bytes(key.subject.bytes),
            .text(key.issuer), .text(key.provider))
    }

    func delete(identitiesOf account: AccountID) throws(StoreFault) {
        try database.run("DELETE FROM identities WHERE account = ?", .id(account))
    }
}
