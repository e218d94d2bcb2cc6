internal import PosternAccounts
internal import PosternBase

/// Mailed proofs, and the mails that are to be sent for them.
extension SQLiteTransaction {
    func mailedProof(_ id: MailedProofID) throws(StoreFault) -> MailedProof? {
        try database.first(
            """
            SELECT id, purpose, account, sign_up, email, email_key, created_at, expires_at, wrong_codes, used_at
            FROM mailed_proofs WHERE id = ?
            """, .id(id)
        ) { row throws(StoreFault) in
            let proof = try Self.mailedProof(row)
            guard proof.id == id else { throw row.damaged(0) }
            return proof
        }
    }

    func mailedProofs(of owner: MailedProof.Owner) throws(StoreFault) -> [MailedProof] {
        func read(_ row: Row) throws(StoreFault) -> MailedProof {
            let proof = try Self.mailedProof(row)
            guard proof.owner == owner else { throw row.damaged(2) }
            return proof
        }
        switch owner {
        case .account(let account):
            return try database.all(
                """
                SELECT id, purpose, account, sign_up, email, email_key, created_at, expires_at, wrong_codes, used_at
                FROM mailed_proofs WHERE account = ? ORDER BY id
                """, .id(account), read: read)
        case .signUp(let signUp):
            return try database.all(
                """
                SELECT id, purpose, account, sign_up, email, email_key, created_at, expires_at, wrong_codes, used_at
                FROM mailed_proofs WHERE sign_up = ? ORDER BY id
                """, .id(signUp), read: read)
        }
    }

    private static func mailedProof(_ row: Row) throws(StoreFault) -> MailedProof {
        let email = try row.email(4)
        guard try row.text(5).isSameBytes(as: email.key) else { throw row.damaged(5) }
        let owner: MailedProof.Owner
        switch (try row.optionalID(2) as AccountID?, try row.optionalID(3) as SignUpID?) {
        case (let account?, nil): owner = .account(account)
        case (nil, let signUp?): owner = .signUp(signUp)
        default: throw row.damaged(2)
        }
        return MailedProof(
            id: try row.id(0), purpose: try row.word(1), owner: owner, email: email, createdAt: try row.time(6),
            expiresAt: try row.time(7), wrongCodes: try row.count(8), usedAt: try row.optionalTime(9))
    }

    func put(_ proof: MailedProof) throws(StoreFault) {
        var account: AccountID?
        var signUp: SignUpID?
        switch proof.owner {
        case .account(let id): account = id
        case .signUp(let id): signUp = id
        }
        try database.run(
            """
            INSERT INTO mailed_proofs (id, purpose, account, sign_up, email, email_key, created_at, expires_at, wrong_codes,
            used_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            ON CONFLICT (id) DO UPDATE SET purpose = excluded.purpose, account = excluded.account,
            sign_up = excluded.sign_up, email = excluded.email, email_key = excluded.email_key,
            created_at = excluded.created_at, expires_at = excluded.expires_at, wrong_codes = excluded.wrong_codes,
            used_at = excluded.used_at
            """,
            .id(proof.id), .text(proof.purpose.rawValue), .optional(account), .optional(signUp),
            .text(proof.email.text), .text(proof.email.key), .integer(proof.createdAt), .integer(proof.expiresAt),
            .integer(proof.wrongCodes), .optional(proof.usedAt))
    }

    func delete(mailedProof: MailedProofID) throws(StoreFault) {
        try database.run("DELETE FROM mailed_proofs WHERE id = ?", .id(mailedProof))
    }

    func delete(mailedProofsFor email: EmailAddress, except account: AccountID?) throws(StoreFault) {
        // Those of sign-ups have no account, and go also when no account is spared.
        try database.run(
            "DELETE FROM mailed_proofs WHERE email_key = ?1 AND (account IS NULL OR account IS NOT ?2)",
            .text(email.key), .optional(account))
    }

    // MARK: - Outbox

    func mail(_ id: OutboxMailID) throws(StoreFault) -> OutboxMail? {
        try database.first(
            """
            SELECT id, proof, purpose, email, created_at, next_attempt_at, tries, expires_at FROM outbox WHERE id = ?
            """, .id(id)
        ) { row throws(StoreFault) in
            let mail = try Self.mail(row)
            guard mail.id == id else { throw row.damaged(0) }
            return mail
        }
    }

    func mails(of proof: MailedProofID) throws(StoreFault) -> [OutboxMail] {
        try database.all(
            """
            SELECT id, proof, purpose, email, created_at, next_attempt_at, tries, expires_at FROM outbox
            WHERE proof = ? ORDER BY id
            """, .id(proof)
        ) { row throws(StoreFault) in
            let mail = try Self.mail(row)
            guard mail.proof == proof else { throw row.damaged(1) }
            return mail
        }
    }

    func outbox(dueAt time: Int64, limit: Int) throws(StoreFault) -> [OutboxMail] {
        try database.all(
            """
            SELECT id, proof, purpose, email, created_at, next_attempt_at, tries, expires_at FROM outbox
            WHERE next_attempt_at <= ? ORDER BY next_attempt_at, id LIMIT ?
            """, .integer(time), .count(max(limit, 0))
        ) { row throws(StoreFault) in
            let mail = try Self.mail(row)
            guard mail.nextAttemptAt <= time else { throw row.damaged(5) }
            return mail
        }
    }

    private static func mail(_ row: Row) throws(StoreFault) -> OutboxMail {
        OutboxMail(
            id: try row.id(0), proof: try row.id(1), purpose: try row.word(2), email: try row.email(3),
            createdAt: try row.time(4), nextAttemptAt: try row.time(5), tries: try row.count(6),
            expiresAt: try row.time(7))
    }

    func put(_ mail: OutboxMail) throws(StoreFault) {
        try database.run(
            """
            INSERT INTO outbox (id, proof, purpose, email, created_at, next_attempt_at, tries, expires_at)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?)
            ON CONFLICT (id) DO UPDATE SET proof = excluded.proof, purpose = excluded.purpose, email = excluded.email,
            created_at = excluded.created_at, next_attempt_at = excluded.next_attempt_at, tries = excluded.tries,
            expires_at = excluded.expires_at
            """,
            .id(mail.id), .id(mail.proof), .text(mail.purpose.rawValue), .text(mail.email.text),
            .integer(mail.createdAt), .integer(mail.nextAttemptAt), .integer(mail.tries), .integer(mail.expiresAt))
    }

    func delete(mail: OutboxMailID) throws(StoreFault) {
        try database.run("DELETE FROM outbox WHERE id = ?", .id(mail))
    }
}
