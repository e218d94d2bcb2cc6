import PosternAccounts
import PosternBase

extension StoreConformance {
    static let purgeCases: [Case] = [
        Case("a purge deletes what has expired, to the second, and nothing else") { test in
            try await putAccounts(test, 1)
            let names = (1...6).map { Sample.digest($0) }
            let rows = try expiringRows()
            try await test.write { tx throws(StoreFault) in try rows.put(in: tx) }
            // Expiries are 9, 10 and 11.
            let fates: [(now: Int64, left: [UInt8], tokensLeft: [UInt8])] = [
                (8, [1, 2, 3], [1, 2, 3]), (9, [2, 3], [1, 2, 3]), (10, [3], [2, 3]), (11, [], [3]), (12, [], []),
            ]
            for fate in fates {
                var wanted = rows.lines(left: fate.left, tokensLeft: fate.tokensLeft, names: names)
                wanted += [(fate.left, "nonces"), (fate.tokensLeft, "tokens")].compactMap { left, kind in
                    left.count < 3 ? "forgotten_\(kind) \(8 + (3 - Int64(left.count)))" : nil
                }
                let account = try Sample.account(1)
                try await test.step(
                    "purged at \(fate.now)",
                    { tx throws(StoreFault) in _ = try tx.purge(now: fate.now, auditSince: 0, limit: 100) },
                    look: { reader throws(StoreFault) in
                        try StoreDump.records(of: reader, names: names).sorted()
                    }, gives: (wanted + [account.record]).sorted())
            }
        },
        Case("a purge deletes audit entries of before a second, whatever their order") { test in
            let entries = [3, 1, Sample.greatest, 2, 0, 5].map { AuditEntry(.signedIn, at: $0) }
            try await test.write { tx throws(StoreFault) in for entry in entries { try tx.append(entry) } }
            for since: Int64 in [.min, 0, 1, 2, 3, 4, .max] {
                try await test.step(
                    "before \(since)",
                    { tx throws(StoreFault) in _ = try tx.purge(now: .min, auditSince: since, limit: 9) },
                    look: everything, gives: entries.reversed().filter { $0.at >= since }.map(\.record))
            }
        },
        Case("a purge deletes no more than its limit, and says how many") { test in
            try await putAccounts(test, 1)
            let rows = try expiringRows()
            try await test.write { tx throws(StoreFault) in try rows.put(in: tx) }
            let names = (1...6).map { Sample.digest($0) }
            // Seven kinds with three rows each and one audit entry.
            var left = 22
            for limit in [0, -1, Int.min, 1, 2, 5, 7, 100, 100] {
                let before = try await count(test.store, names)
                let deleted = try await test.store.transact { tx throws(StoreFault) in
                    try tx.purge(now: 100, auditSince: 100, limit: limit)
                }
                let wanted = min(max(limit, 0), left)
                try expect(deleted == wanted, "limit \(limit): says \(deleted) instead of \(wanted)")
                let after = try await count(test.store, names)
                try expect(before - after == wanted, "limit \(limit): \(before - after) are gone instead of \(wanted)")
                left -= wanted
            }
        },
        Case("what was forgotten is known by its greatest expiry, which never falls") { test in
            let look: StoreTest.Look = { reader throws(StoreFault) in
                try [reader.forgottenNonces(), reader.forgottenTokens()].map { $0.map { String($0) } ?? "-" }
            }
            try await test.step(
                "nothing", { tx throws(StoreFault) in try purge(tx, 5) }, look: look, gives: ["-", "-"])
            let rounds: [(nonce: Int64, token: Int64, gives: [String])] = [
                (7, 8, ["7", "8"]), (20, 30, ["20", "30"]), (10, 10, ["20", "30"]), (21, 29, ["21", "30"]),
                (Sample.greatest, Sample.greatest, ["\(Sample.greatest)", "\(Sample.greatest)"]),
                (0, 0, ["\(Sample.greatest)", "\(Sample.greatest)"]),
            ]
            for (index, round) in rounds.enumerated() {
                let token = Sample.token(UInt8(index), expiresAt: round.token)
                try await test.step(
                    "used",
                    { tx throws(StoreFault) in
                        try tx.use(nonce: Sample.digest(UInt8(index)), expiresAt: round.nonce)
                        try tx.remember(token)
                        try purge(tx, .max)
                    }, look: look, gives: round.gives)
                try await test.reopen()
            }
        },
        Case("what was forgotten counts only what was deleted") { test in
            for nonce: UInt8 in 1...3 {
                try await test.write { tx throws(StoreFault) in
                    try tx.use(nonce: Sample.digest(nonce), expiresAt: Int64(nonce))
                }
            }
            for round in 1...3 {
                try await test.write { tx throws(StoreFault) in _ = try tx.purge(now: 9, auditSince: 0, limit: 1) }
                let left = try await test.store.read(used([1, 2, 3]))
                let forgotten = ["1", "2", "3"].filter { !left.contains($0) }
                let highest = try await test.store.read { reader throws(StoreFault) in try reader.forgottenNonces() }
                try expect(forgotten.count == round, "\(forgotten.count) instead of \(round) are gone")
                try expect(highest.map { "\($0)" } == forgotten.last, "\(forgotten) are gone, noted is \(highest ?? 0)")
            }
        },
        Case("a purged nonce or token may be put again") { test in
            try await test.write { tx throws(StoreFault) in
                try tx.use(nonce: Sample.digest(1), expiresAt: 1)
                try tx.remember(Sample.token(1, expiresAt: 1))
                try purge(tx, 2)
            }
            try await test.step(
                "again",
                { tx throws(StoreFault) in
                    try tx.use(nonce: Sample.digest(1), expiresAt: 9)
                    try tx.remember(Sample.token(1, expiresAt: 9))
                },
                look: { reader throws(StoreFault) in try StoreDump.records(of: reader, names: [Sample.digest(1)]) },
                gives: [
                    Sample.token(1, expiresAt: 9).record, "nonce \(Hex.encode(Sample.digest(1)))", "forgotten_nonces 1",
                    "forgotten_tokens 1",
                ])
        },
    ]

    private static func purge(_ tx: any StoreTransaction, _ now: Int64) throws(StoreFault) {
        _ = try tx.purge(now: now, auditSince: .min, limit: 100)
    }

    private static func count(_ store: any AccountStore, _ names: [[UInt8]]) async throws(StoreFault) -> Int {
        try await store.dump(names: names).filter { !$0.hasPrefix("forgotten") }.count
    }

    private static func expiringRows() throws -> ExpiringRows {
        let numbers: [UInt8] = [1, 2, 3]
        let lasting = try Sample.proof(9, of: .account(Sample.name(1)))
        return ExpiringRows(
            signUps: try numbers.map { try Sample.signUp($0, "a@example.org", expiresAt: 8 + Int64($0)) },
            // That one was used is remembered until it expires.
            proofs: try numbers.map {
                try Sample.proof(
                    $0, of: .account(Sample.name(1)), expiresAt: 8 + Int64($0), usedAt: $0 == 2 ? 1 : nil)
            },
            lasting: lasting,
            mails: numbers.map { Sample.mail($0, of: lasting, expiresAt: 8 + Int64($0)) }
        )
    }
}

/// Rows 1, 2 and 3 of each kind, which expire at 9, 10 and 11.
private struct ExpiringRows: Sendable {
    let signUps: [SignUp]
    let proofs: [MailedProof]
    /// What the mails are of.
    let lasting: MailedProof
    let mails: [OutboxMail]
    let sessions = ([1, 2, 3] as [UInt8]).map { Sample.session($0, of: 1, expiresAt: 8 + Int64($0)) }
    let tokens = ([1, 2, 3] as [UInt8]).map { Sample.token($0, expiresAt: 8 + Int64($0)) }
    let attempts = ([1, 2, 3] as [UInt8]).map { Sample.attempts($0, expiresAt: 8 + Int64($0)) }
    let entry = AuditEntry(.signedIn, at: 1)

    func put(in tx: any StoreTransaction) throws(StoreFault) {
        for signUp in signUps { try tx.put(signUp) }
        for proof in proofs + [lasting] { try tx.put(proof) }
        for mail in mails { try tx.put(mail) }
        for session in sessions { try tx.put(session) }
        for token in tokens { try tx.remember(token) }
        for count in attempts { try tx.put(count) }
        for nonce: UInt8 in [1, 2, 3] { try tx.use(nonce: Sample.digest(nonce), expiresAt: 8 + Int64(nonce)) }
        try tx.append(entry)
    }

    func lines(left: [UInt8], tokensLeft: [UInt8], names: [[UInt8]]) -> [String] {
        let rows = left.map { Int($0) - 1 }
        return rows.flatMap { [signUps[$0].record, sessions[$0].record, attempts[$0].record] }
            + rows.flatMap { [proofs[$0].record, mails[$0].record] } + [lasting.record]
            + left.map { "nonce \(Hex.encode(Sample.digest($0)))" } + tokensLeft.map { tokens[Int($0) - 1].record }
            + [entry.record]
    }
}
