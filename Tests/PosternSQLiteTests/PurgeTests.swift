import CSQLite
import PosternAccounts
import PosternBase
import PosternTokens
import Testing

@testable import PosternSQLite

/// What a purge and everything else looks at, beyond what the cases for every store say.
@Suite struct PurgeTests {
    /// A connection of its own, as the writer has it.
    private func database(_ folder: TestFolder) async throws -> Database {
        await (try folder.open()).close()
        return try Database.open(folder.database, .writing, busyMilliseconds: 1_000)
    }

    private func fill(_ tx: SQLiteTransaction, _ numbers: Range<Int64>, expiresAt: Int64) throws(StoreFault) {
        for number in numbers {
            let key = IdentityKey(provider: "p", issuer: "i", subject: Subject(Sample.name(number)))
            try tx.put(Sample.account(number, email: "a\(number)@example.org"))
            try tx.put(StoredPassword(account: Sample.id(number), hash: Secret("hash"), changedAt: 1))
            try tx.put(
                Identity(
                    key: key, account: Sample.id(number), email: nil, isEmailVerified: false, isPrivateRelay: false,
                    createdAt: 1,
                    lastSignInAt: 1))
            try tx.put(Sample.session(number, of: number, expiresAt: expiresAt))
            try tx.use(nonce: Sample.name(number), expiresAt: expiresAt)
            try tx.remember(
                RememberedToken(
                    name: Sample.name(number), session: Sample.id(number), request: [], usedAt: 1,
                    expiresAt: expiresAt - 1))
            try tx.put(AttemptCount(name: Sample.name(number), taken: 1, countedAt: 1, expiresAt: expiresAt))
            try tx.append(AuditEntry(.signedIn, at: expiresAt - 1, account: Sample.id(number)))
            guard let email = try? EmailAddress("b\(number)@example.org") else { continue }
            try tx.put(
                SignUp(
                    id: Sample.id(number), email: email, passwordHash: Secret("hash"), userData: "{}", createdAt: 1,
                    expiresAt: expiresAt))
            for owner: MailedProof.Owner in [.account(Sample.id(number)), .signUp(Sample.id(number))] {
                let proof = Sample.proof(number, of: owner, email: email, expiresAt: expiresAt)
                try tx.put(proof)
                try tx.put(OutboxMail(id: Sample.id(Sample.number(of: proof)), of: proof))
            }
        }
    }

    /// Whatever is asked, no statement goes through a whole table, sorts one, or makes an index for itself.
    @Test func nothingIsScanned() async throws {
        let folder = try TestFolder()
        let database = try await database(folder)
        let tx = SQLiteTransaction(database)
        try database.run("BEGIN")
        try fill(tx, 0..<100, expiresAt: 1_000_000)
        try fill(tx, 100..<200, expiresAt: 2_000_000)
        let key = IdentityKey(provider: "p", issuer: "i", subject: Subject(Sample.name(7)))
        let email = try #require(EmailAddress(stored: "b7@example.org"))
        _ = try (tx.account(Sample.id(7)), tx.account(email: email), tx.accounts(after: Sample.id(7), limit: 3))
        _ = try (tx.password(of: Sample.id(7)), tx.identity(key), tx.identities(of: Sample.id(7)))
        _ = try (tx.session(Sample.id(7)), tx.sessions(of: Sample.id(7)), tx.signUp(Sample.id(7)))
        _ = try (
            tx.signUps(email: email), tx.signUps(after: Sample.id(7), limit: 3), tx.rememberedToken(Sample.name(7))
        )
        _ = try (
            tx.mailedProof(Sample.id(7)), tx.mailedProofs(of: .account(Sample.id(7))),
            tx.mailedProofs(of: .signUp(Sample.id(7)))
        )
        _ = try (tx.mail(Sample.id(7)), tx.mails(of: Sample.id(7)), tx.outbox(dueAt: 1, limit: 3))
        _ = try (tx.isUsed(nonce: Sample.name(7)), tx.forgottenNonces(), tx.attempts(Sample.name(7)))
        _ = try (
            tx.auditTrail(of: nil, before: 50, limit: 3), tx.auditTrail(of: Sample.id(7), before: nil, limit: 3)
        )
        try tx.put(Sample.account(7, email: "other@example.org"))
        try tx.delete(passwordOf: Sample.id(8))
        try tx.delete(identity: key)
        try tx.delete(identitiesOf: Sample.id(8))
        try tx.delete(session: Sample.id(7))
        try tx.delete(sessionsOf: Sample.id(8), except: nil)
        try tx.delete(mail: Sample.id(7))
        try tx.delete(mailedProof: Sample.id(7))
        let other = try #require(EmailAddress(stored: "b8@example.org"))
        try tx.delete(mailedProofsFor: other, except: nil)
        try tx.delete(signUp: Sample.id(7))
        try tx.delete(signUpsFor: email)
        try tx.delete(account: Sample.id(9))
        for _ in 0..<16 { _ = try tx.purge(now: 1_000_000, auditSince: 1_000_000, limit: 40) }
        try database.run("COMMIT")
        #expect(database.statements.count > 55)
        for statement in database.statements.values {
            let text = sqlite3_sql(statement).map { String(cString: $0) } ?? ""
            for status in [SQLITE_STMTSTATUS_FULLSCAN_STEP, SQLITE_STMTSTATUS_AUTOINDEX] {
                #expect(sqlite3_stmt_status(statement, status, 0) == 0, "\(text)")
            }
        }
    }

    /// Sessions that end within the step of the index and are not over yet are looked at in part alone; those of before it all go.
    @Test func sessionsOfThisStepCostLittle() async throws {
        let folder = try TestFolder()
        let store = try folder.open()
        let step: Int64 = 10 << 16
        try await store.transact { tx throws(StoreFault) in
            try tx.put(Sample.account(1))
            for number: Int64 in 0..<3_000 {
                try tx.put(Sample.session(number, of: 1, expiresAt: number % 3 == 0 ? step - 1 : step + 60_000))
            }
        }
        var deleted = 0
        while true {
            let count = try await store.transact { tx throws(StoreFault) in
                try tx.purge(now: step + 1, auditSince: 0, limit: 100)
            }
            deleted += count
            if count == 0 { break }
        }
        #expect(deleted == 1_000)
        let left = try await store.transact { tx throws(StoreFault) in
            var count = 0
            while try tx.purge(now: step + 60_000, auditSince: 0, limit: 100) > 0 { count += 1 }
            return (count, try tx.sessions(of: Sample.id(1)).count)
        }
        #expect(left == (20, 0))
        await store.close()
    }

    /// Deleted password hashes are not left in the file.
    @Test func whatIsDeletedIsOverwritten() async throws {
        let folder = try TestFolder()
        let store = try folder.open()
        try await store.transact { tx throws(StoreFault) in
            for number: Int64 in 0..<2_000 {
                try tx.put(Sample.account(number))
                try tx.put(
                    StoredPassword(
                        account: Sample.id(number), hash: Secret("secret hash number \(number)"), changedAt: 1))
            }
        }
        try await store.transact { tx throws(StoreFault) in
            for number: Int64 in 0..<2_000 {
                if number % 5 == 0 { try tx.delete(account: Sample.id(number)) }
                if number % 5 == 1 { try tx.delete(passwordOf: Sample.id(number)) }
                if number % 5 > 1 {
                    try tx.put(
                        StoredPassword(account: Sample.id(number), hash: Secret("another \(number)"), changedAt: 2))
                }
            }
        }
        await store.close()
        #expect(try !TestFolder.bytes(folder.database).contains(Array("secret hash".utf8)))
        #expect(try TestFolder.bytes(folder.database).contains(Array("another 1999".utf8)))
    }
}
