import Foundation
import PosternAccounts
import PosternBase
import PosternSQLite
import PosternStoreTestSupport
import PosternTokens
import Testing

/// Nothing that stands in the file ends the process, and what makes no sense is said to be damaged.
@Suite struct DamageTests {
    /// A folder with a row of each kind, closed.
    private func filled(accounts: Int64 = 3) async throws -> TestFolder {
        let folder = try TestFolder()
        let store = try folder.open()
        try await store.transact { tx throws(StoreFault) in
            for number in 0..<accounts {
                let key = IdentityKey(provider: "p", issuer: "i", subject: Subject(Sample.name(number)))
                try tx.put(Sample.account(number, email: "a\(number)@example.org"))
                try tx.put(StoredPassword(account: Sample.id(number), hash: Secret("hash"), changedAt: 1))
                try tx.put(
                    Identity(
                        key: key, account: Sample.id(number), email: "a@example.org", isEmailVerified: true,
                        isPrivateRelay: false, createdAt: 1, lastSignInAt: 2))
                try tx.put(Sample.session(number, of: number))
                try tx.use(nonce: Sample.name(number), expiresAt: 9)
                try tx.remember(
                    RememberedToken(
                        name: Sample.name(number), session: Sample.id(number), request: Sample.name(number), usedAt: 1,
                        expiresAt: 9))
                try tx.put(AttemptCount(name: Sample.name(number), taken: 1, countedAt: 1, expiresAt: 9))
                try tx.append(AuditEntry(.signedIn, at: 1, account: Sample.id(number), session: Sample.id(number)))
                guard let email = try? EmailAddress("b\(number)@example.org") else { continue }
                try tx.put(
                    SignUp(
                        id: Sample.id(number), email: email, passwordHash: Secret("hash"), userData: "{}", createdAt: 1,
                        expiresAt: 9))
                for owner: MailedProof.Owner in [.account(Sample.id(number)), .signUp(Sample.id(number))] {
                    let proof = Sample.proof(number, of: owner, email: email, expiresAt: 9)
                    try tx.put(proof)
                    try tx.put(OutboxMail(id: Sample.id(Sample.number(of: proof)), of: proof))
                }
            }
            try tx.put(StoredSigningKey(keyID: "k", state: .next, sealed: [1], createdAt: 1, since: 1))
        }
        await store.close()
        return folder
    }

    /// Everything that can be looked up.
    private func look(_ store: SQLiteStore) async -> StoreFault.Reason? {
        await reason { () throws(StoreFault) in
            _ = try await store.dump(names: (0..<3).map { Sample.name($0) })
            try await store.read { reader throws(StoreFault) in
                for number: Int64 in 0..<3 {
                    let key = IdentityKey(provider: "p", issuer: "i", subject: Subject(Sample.name(number)))
                    _ = try reader.identity(key)
                    _ = try reader.session(Sample.id(number))
                    _ = try reader.signUp(Sample.id(number))
                    _ = try reader.account(Sample.id(number))
                    for name in ["a", "b"] {
                        guard let email = try? EmailAddress("\(name)\(number)@example.org") else { continue }
                        _ = try reader.account(email: email)
                        _ = try reader.signUps(email: email)
                    }
                    _ = try reader.mailedProof(Sample.id(number))
                    _ = try reader.mail(Sample.id(number))
                    _ = try reader.rememberedToken(Sample.name(number))
                    _ = try reader.attempts(Sample.name(number))
                }
                _ = try reader.outbox(dueAt: 9, limit: 9)
            }
        }
    }

    @Test(arguments: [
        "UPDATE accounts SET id = x'00' WHERE email_key LIKE 'a1%'",
        "UPDATE accounts SET id = zeroblob(17) WHERE email_key LIKE 'a1%'", "UPDATE accounts SET email = 'no address'",
        "UPDATE accounts SET email = 'A@EXAMPLE.ORG'", "UPDATE accounts SET email = NULL",
        "UPDATE accounts SET email_key = NULL",
        "UPDATE accounts SET email_key = 'other@example.org' WHERE email_key LIKE 'a1%'",
        "UPDATE accounts SET user_data = CAST(x'FF' AS TEXT)",
        "UPDATE accounts SET backend_data = CAST(x'EDA080' AS TEXT)",
        "UPDATE identities SET is_email_verified = 2", "UPDATE identities SET is_private_relay = -1",
        "UPDATE identities SET account = x''", "UPDATE identities SET email = CAST(x'C3' AS TEXT)",
        "UPDATE sessions SET method = 'magic'", "UPDATE sessions SET is_seen = 7",
        "UPDATE sessions SET account = x'01'",
        "UPDATE sessions SET user_agent = CAST(x'80' AS TEXT)", "UPDATE sign_ups SET email = ''",
        "UPDATE sign_ups SET email_key = 'b9@example.org' WHERE email_key LIKE 'b1%'",
        "UPDATE sign_ups SET id = x'01' WHERE email_key LIKE 'b1%'",
        "UPDATE mailed_proofs SET id = x'01' WHERE account IS NOT NULL AND email_key LIKE 'b1%'",
        "UPDATE mailed_proofs SET purpose = 'nothing'", "UPDATE mailed_proofs SET email = 'no address'",
        "UPDATE mailed_proofs SET email_key = 'b9@example.org'",
        "UPDATE mailed_proofs SET account = x'01' WHERE account IS NOT NULL",
        "PRAGMA ignore_check_constraints = ON; UPDATE mailed_proofs SET sign_up = zeroblob(16)",
        "UPDATE outbox SET id = x'' WHERE email LIKE 'b1%' AND id < x'0001'", "UPDATE outbox SET purpose = ''",
        "UPDATE outbox SET proof = zeroblob(15) WHERE email LIKE 'b1%'", "UPDATE outbox SET email = ''",
        "UPDATE remembered_tokens SET session = zeroblob(15)", "UPDATE signing_keys SET state = 'gone'",
        "UPDATE audit SET event = 'nothing'", "UPDATE audit SET account = x'01'", "UPDATE audit SET session = x'01'",
        "UPDATE audit SET caller = CAST(x'FF' AS TEXT)",
        "UPDATE accounts SET user_data = CAST(zeroblob(2000000) AS TEXT)",
    ])
    func valuesThatCannotBe(statement: String) async throws {
        let folder = try await filled()
        try folder.sqlite("PRAGMA foreign_keys = OFF; \(statement)")
        let store = try folder.open()
        let found = await look(store)
        #expect(found == .damaged || found == .unavailable, "\(statement): \(String(describing: found))")
        // Others are still served.
        #expect(
            await reason { () throws(StoreFault) in
                try await store.transact { tx throws(StoreFault) in try tx.put(Sample.account(77)) }
            } == nil)
        await store.close()
    }

    /// Every number at the ends of what SQLite can hold, and just beyond what it may be.
    @Test(arguments: ["-9223372036854775808", "-1", "9007199254740992", "9223372036854775807"])
    func numbersThatCannotBe(number: String) async throws {
        let whole = try await filled()
        try whole.sqlite("INSERT INTO forgotten (kind, expires_at) VALUES ('nonces', 1), ('tokens', 1)")
        let columns = [
            ("accounts", ["email_proven_at", "created_at", "updated_at", "last_sign_in_at", "banned_until"]),
            ("passwords", ["changed_at"]), ("identities", ["created_at", "last_sign_in_at"]),
            ("sessions", ["created_at", "counter", "rotated_at", "expires_at"]),
            ("sign_ups", ["created_at", "expires_at"]),
            ("mailed_proofs", ["created_at", "expires_at", "wrong_codes", "used_at"]),
            ("outbox", ["created_at", "next_attempt_at", "tries", "expires_at"]),
            ("remembered_tokens", ["used_at", "expires_at"]),
            ("forgotten", ["expires_at"]), ("attempts", ["taken", "counted_at", "expires_at"]),
            ("signing_keys", ["created_at", "since"]), ("audit", ["at"]),
        ]
        for (table, names) in columns {
            for name in names {
                let copy = try TestFolder()
                try FileManager.default.copyItem(atPath: whole.data, toPath: copy.data)
                try copy.sqlite("UPDATE \(table) SET \(name) = \(number)")
                let store = try copy.open()
                let isForEver = name == "banned_until" && number == "9223372036854775807"
                #expect(await look(store) == (isForEver ? nil : .damaged), "\(table).\(name)")
                // What nobody reads is purged all the same.
                #expect(
                    await reason { () throws(StoreFault) in
                        try await store.transact { tx throws(StoreFault) in
                            _ = try tx.purge(now: 100, auditSince: 100, limit: 100)
                        }
                    } == nil, "\(table).\(name)")
                await store.close()
            }
        }
    }

    /// Rows of any type in any column, as a file may have them that SQLite has not written.
    @Test func valuesOfOtherTypes() async throws {
        let folder = try await filled()
        let names = [
            "accounts", "identities", "sessions", "sign_ups", "mailed_proofs", "outbox", "remembered_tokens",
            "signing_keys", "audit", "forgotten",
        ]
        var reasons: Set<StoreFault.Reason?> = []
        for name in names {
            let columns = try folder.sqlite("SELECT name FROM pragma_table_info('\(name)')").split(separator: "\n")
            for column in columns {
                let copy = try TestFolder()
                try FileManager.default.copyItem(atPath: folder.data, toPath: copy.data)
                try Self.retype(
                    copy.database, name, String(column),
                    "CASE typeof(\(column)) WHEN 'blob' THEN 'text' ELSE x'00FF' END")
                reasons.insert(
                    await reason { () throws(StoreFault) in
                        let store = try copy.open()
                        let found = await look(store)
                        await store.close()
                        if let found { throw StoreFault(found, "") }
                    })
            }
        }
        #expect(reasons == [nil, .damaged], "\(reasons)")
    }

    /// Takes the types away from the table, changes a column, and puts the types back; what cannot be changed stays.
    private static func retype(_ database: String, _ table: String, _ column: String, _ value: String) throws {
        let script = """
            import sqlite3, sys
            def run(*statements):
                c = sqlite3.connect(sys.argv[1], isolation_level=None)
                for s in statements:
                    try: c.execute(s)
                    except sqlite3.Error: pass
                c.close()
            types = 'PRAGMA writable_schema = ON'
            c = sqlite3.connect(sys.argv[1])
            sql = c.execute("SELECT sql FROM sqlite_schema WHERE name = ?", [sys.argv[2]]).fetchone()[0]
            c.close()
            loose = sql.replace(' STRICT, ', ' ').replace(' STRICT', '').replace(' NOT NULL', '').replace(' BLOB', '')
            loose = loose.replace(' TEXT', '').replace(' INTEGER', '') if 'AUTO' not in sql else loose
            def put(text):
                run(types, "UPDATE sqlite_schema SET sql = '%s' WHERE name = '%s'" % (text.replace("'", "''"), sys.argv[2]))
            put(loose)
            run('PRAGMA foreign_keys = OFF', 'UPDATE OR IGNORE %s SET %s = %s' % tuple(sys.argv[2:5]))
            put(sql)
            """
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/python3")
        process.arguments = ["-c", script, database, table, column, value]
        try process.run()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else { throw POSIXError(.EIO) }
    }

    /// Bytes anywhere in the file changed: nothing traps, and nothing is thought of as anything but damaged.
    @Test func changedBytes() async throws {
        let folder = try await filled(accounts: 60)
        let whole = try Data(contentsOf: URL(fileURLWithPath: folder.database))
        var generator = Numbers(state: 7)
        var reasons: Set<StoreFault.Reason?> = []
        for round in 0..<150 {
            var bytes = whole
            for _ in 0..<(round % 3 == 0 ? 1 : 40) {
                bytes[Int(generator.next() % UInt64(bytes.count))] = UInt8(truncatingIfNeeded: generator.next())
            }
            if round % 10 == 9 { bytes = bytes.prefix(Int(generator.next() % UInt64(bytes.count))) }
            let copy = try TestFolder()
            try FileManager.default.createDirectory(
                atPath: copy.data, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
            try bytes.write(to: URL(fileURLWithPath: copy.database))
            chmod(copy.database, 0o600)
            reasons.insert(
                await reason { () throws(StoreFault) in
                    let store = try copy.open()
                    let found = await look(store)
                    reasons.insert(found)
                    _ = await reason { () throws(StoreFault) in
                        try await store.transact { tx throws(StoreFault) in
                            try tx.put(Sample.account(2, email: "new@example.org"))
                            try tx.delete(account: Sample.id(1))
                            _ = try tx.purge(now: 100, auditSince: 100, limit: 100)
                        }
                    }
                    await store.close()
                })
            _ = await reason { () throws(StoreFault) in _ = try IntegrityCheck(folder: copy.data).findings() }
        }
        #expect(reasons.isSubset(of: [nil, .damaged, .unavailable]) && reasons.contains(.damaged), "\(reasons)")
    }

    /// The database cut short while it is open.
    @Test func aFileThatShrinks() async throws {
        let folder = try await filled(accounts: 60)
        let store = try folder.open()
        #expect(truncate(folder.database, 8_192) == 0)
        #expect(await look(store) != nil)
        await store.close()
    }

    @Test func otherFilesAreRefused() async throws {
        let folder = try await filled()
        for content in [Data("no database, though of some length".utf8), Data(repeating: 0, count: 5_000)] {
            try content.write(to: URL(fileURLWithPath: folder.database))
            chmod(folder.database, 0o600)
            #expect(await reason { () throws(StoreFault) in _ = try folder.open() } == .damaged)
        }
        // Of another program.
        try FileManager.default.removeItem(atPath: folder.database)
        try folder.sqlite("CREATE TABLE t (x)")
        chmod(folder.database, 0o600)
        #expect(await reason { () throws(StoreFault) in _ = try folder.open() } == .damaged)
    }

    @Test func theIntegrityCheckFinds() async throws {
        let folder = try await filled(accounts: 60)
        #expect(try IntegrityCheck(folder: folder.data).findings() == [])
        try folder.sqlite("PRAGMA foreign_keys = OFF; DELETE FROM accounts WHERE email_key LIKE 'a1%'")
        #expect(try IntegrityCheck(folder: folder.data).findings().contains { $0.contains("sessions") })
        let size = try FileManager.default.attributesOfItem(atPath: folder.database)[.size] as? Int ?? 0
        let file = try FileHandle(forWritingTo: URL(fileURLWithPath: folder.database))
        for page in 5..<(size / 4_096) {
            try file.seek(toOffset: UInt64(page * 4_096 + 2_000))
            try file.write(contentsOf: Data(repeating: 0xAA, count: 600))
        }
        try file.close()
        let findings: [String]?
        do { findings = try IntegrityCheck(folder: folder.data).findings() } catch { findings = nil }
        #expect(findings.map { !$0.isEmpty && $0.count <= IntegrityCheck.findingsAtMost } ?? true)
    }
}

/// Numbers that look like chance and are the same each time (xorshift).
private struct Numbers {
    var state: UInt64
    mutating func next() -> UInt64 {
        state ^= state << 13
        state ^= state >> 7
        state ^= state << 17
        return state
    }
}
