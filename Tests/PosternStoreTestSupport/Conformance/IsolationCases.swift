import PosternAccounts
import PosternBase

extension StoreConformance {
    static let isolationCases: [Case] = [
        Case("a reader neither sees what is not committed nor waits for it") { test in
            let store = test.store
            let account = try Sample.account(1, email: "a@example.org")
            let written = Latch()
            let release = Latch()
            async let writing: Void = store.transact { tx throws(StoreFault) in
                try tx.put(account)
                written.open()
                release.wait()
            }
            do {
                try await written.opened()
                try expectSame(try await store.read(everything), [], "before it is committed")
            } catch {
                release.open()
                throw error
            }
            release.open()
            try await writing
            try expectSame(try await store.read(everything), [account.record], "after it is committed")
        },
        Case("a reader sees one moment, and who writes does not wait for it") { test in
            let store = test.store
            let first = try Sample.account(1)
            let second = try Sample.account(2)
            try await test.write { tx throws(StoreFault) in try tx.put(first) }
            let looked = Latch()
            let written = Latch()
            async let looks = store.read { reader throws(StoreFault) in
                let before = try everything(reader)
                looked.open()
                let isWritten = written.wait()
                return (before, try everything(reader), isWritten)
            }
            try await looked.opened()
            try await store.transact { tx throws(StoreFault) in try tx.put(second) }
            written.open()
            let (before, after, isWritten) = try await looks
            try expect(isWritten, "the writer waited for the reader")
            try expectSame(before, [first.record], "the first look")
            try expectSame(after, [first.record], "the second look of one reader")
            try expectSame(try await store.read(everything), [first.record, second.record], "another reader")
        },
        Case("a fault of a reader's body comes back as it is") { test in
            for reason in StoreFault.Reason.allCases {
                let fault = StoreFault(reason, "for the test: \(reason.rawValue)")
                do throws(StoreFault) {
                    try await test.store.read { _ throws(StoreFault) in throw fault }
                    throw StoreFault(.unavailable, "the reader did not fail")
                } catch { try expect(error == fault, "\(error) instead of \(fault)") }
                do throws(StoreFault) {
                    try await test.store.transact { _ throws(StoreFault) in throw fault }
                    throw StoreFault(.unavailable, "the transaction did not fail")
                } catch { try expect(error == fault, "\(error) instead of \(fault)") }
            }
            try await test.step(
                "after all faults", { tx throws(StoreFault) in try tx.append(AuditEntry(.signedIn, at: 1)) },
                look: everything, gives: [AuditEntry(.signedIn, at: 1).record])
        },
        Case("rows of every kind are there when the store is opened again") { test in
            let account = try Sample.account(1, email: "Sam@Example.org")
            let identity = Sample.identity(Sample.key("a\u{0}e\u{301}"), of: 1)
            let signUp = try Sample.signUp(1, "b@example.org")
            let proof = try Sample.proof(1, of: .account(account.id))
            let mail = Sample.mail(1, of: proof)
            let key = StoredSigningKey(keyID: "a", state: .current, sealed: [0, 1], createdAt: 1, since: 1)
            let entry = AuditEntry(.signedIn, at: 9)
            try await test.write { tx throws(StoreFault) in
                try tx.use(nonce: Sample.digest(4), expiresAt: 3)
                try tx.remember(Sample.token(5, expiresAt: 2))
                _ = try tx.purge(now: 5, auditSince: .min, limit: 9)
            }
            try await test.step(
                "put",
                { tx throws(StoreFault) in
                    try tx.put(account)
                    try tx.put(Sample.password(1))
                    try tx.put(identity)
                    try tx.put(Sample.session(1, of: 1))
                    try tx.put(signUp)
                    try tx.put(proof)
                    try tx.put(mail)
                    try tx.put(key)
                    try tx.remember(Sample.token(2))
                    try tx.use(nonce: Sample.digest(2), expiresAt: 3)
                    try tx.put(Sample.attempts(2))
                    try tx.append(entry)
                },
                look: { reader throws(StoreFault) in try StoreDump.records(of: reader, names: [Sample.digest(2)]) },
                gives: [
                    account.record, Sample.password(1).record, identity.record, Sample.session(1, of: 1).record,
                    proof.record, mail.record, signUp.record, key.record, Sample.token(2).record,
                    "nonce \(Hex.encode(Sample.digest(2)))",
                    Sample.attempts(2).record, "forgotten_nonces 3", "forgotten_tokens 2", entry.record,
                ])
            try await test.reopen()
            try await test.reopen()
        },
    ]
}
