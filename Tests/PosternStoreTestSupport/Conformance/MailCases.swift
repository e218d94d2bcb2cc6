import PosternAccounts
import PosternBase

extension StoreConformance {
    /// Mailed proofs and the outbox.
    static let mailCases: [Case] = [
        Case("every field of a mailed proof comes back as it was put, and is replaced") { test in
            try await putOwners(test)
            for proof in try oddProofs() {
                try await test.step(
                    "put", { tx throws(StoreFault) in try tx.put(proof) },
                    look: { reader throws(StoreFault) in
                        var lines = records(try reader.mailedProof(proof.id))
                        for owner in owners { lines += try reader.mailedProofs(of: owner).map(\.record) }
                        return lines
                    }, gives: [proof.record, proof.record])
            }
        },
        Case("mailed proofs are listed in the order of their names, also those that are used or over") { test in
            try await putOwners(test)
            let names: [UInt8] = [0x80, 0x01, 0xFF, 0x7F, 0x00]
            for (number, owner) in owners.enumerated() {
                let proofs = try names.map { name in
                    try Sample.proof(name, UInt8(number), of: owner, expiresAt: Int64(name), usedAt: 1)
                }
                try await test.step(
                    "put", { tx throws(StoreFault) in for proof in proofs { try tx.put(proof) } },
                    look: { reader throws(StoreFault) in try reader.mailedProofs(of: owner).map(\.record) },
                    gives: [4, 1, 3, 0, 2].map { proofs[$0].record })
            }
        },
        Case("a mailed proof stays when its account or sign-up is replaced, and goes with it") { test in
            try await putOwners(test)
            let proofs = try owners.enumerated().map { try Sample.proof(UInt8($0), of: $1) }
            let mails = proofs.map { Sample.mail($0.id.bytes[0], of: $0) }
            let look: StoreTest.Look = { reader throws(StoreFault) in
                var lines: [String] = []
                for proof in proofs { lines += records(try reader.mailedProof(proof.id)) }
                for mail in mails { lines += records(try reader.mail(mail.id)) }
                return lines
            }
            let all = proofs.map(\.record) + mails.map(\.record)
            let account = try Sample.account(1, email: "new@example.org")
            let signUp = try Sample.signUp(1, "new@example.org")
            try await test.step(
                "replaced",
                { tx throws(StoreFault) in
                    for proof in proofs { try tx.put(proof) }
                    for mail in mails { try tx.put(mail) }
                    try tx.put(account)
                    try tx.put(signUp)
                }, look: look, gives: all)
            try await test.step(
                "proofs replaced", { tx throws(StoreFault) in for proof in proofs { try tx.put(proof) } },
                look: look, gives: all)
            for gone in owners.indices {
                try await test.step(
                    "\(gone) gone",
                    { tx throws(StoreFault) in
                        switch gone {
                        case 0: try tx.delete(account: account.id)
                        case 1: try tx.delete(mailedProof: proofs[1].id)
                        case 2: try tx.delete(signUpsFor: signUp.email)
                        default: try tx.delete(signUp: Sample.name(2))
                        }
                    }, look: look,
                    gives: proofs[(gone + 1)...].map(\.record) + mails[(gone + 1)...].map(\.record))
            }
        },
        Case("mailed proofs for an address are deleted in any case, those of one account apart") { test in
            try await putOwners(test)
            let emails = ["a@example.org", "A@EXAMPLE.org", "b@example.org"]
            let proofs = try emails.indices.flatMap { index in
                try owners.enumerated().map {
                    try Sample.proof(UInt8(index), UInt8($0), of: $1, email: emails[index])
                }
            }
            let look: StoreTest.Look = { reader throws(StoreFault) in
                var lines: [String] = []
                for proof in proofs { lines += records(try reader.mailedProof(proof.id)) }
                return lines
            }
            let email = try mailbox("a@Example.ORG")
            try await test.write { tx throws(StoreFault) in for proof in proofs { try tx.put(proof) } }
            try await test.step(
                "those of others",
                { tx throws(StoreFault) in try tx.delete(mailedProofsFor: email, except: Sample.name(1)) },
                look: look, gives: [0, 4, 8, 9, 10, 11].map { proofs[$0].record })
            try await test.step(
                "all",
                { tx throws(StoreFault) in
                    for proof in proofs { try tx.put(proof) }
                    try tx.delete(mailedProofsFor: email, except: nil)
                }, look: look, gives: [8, 9, 10, 11].map { proofs[$0].record })
        },
        Case("every field of a mail comes back as it was put, and is replaced") { test in
            try await putOwners(test)
            let proofs = try [1, 2].map { try Sample.proof($0, of: owners[0]) }
            try await test.write { tx throws(StoreFault) in for proof in proofs { try tx.put(proof) } }
            let purposes = MailedProof.Purpose.allCases
            for (index, time) in Sample.times.enumerated() {
                let mail = OutboxMail(
                    id: Sample.name(7), proof: proofs[index % 2].id, purpose: purposes[index % purposes.count],
                    email: try mailbox(index % 2 == 0 ? "MiXed@example.org" : "b@example.org"), createdAt: time,
                    nextAttemptAt: time, tries: time, expiresAt: time)
                try await test.step(
                    "put", { tx throws(StoreFault) in try tx.put(mail) },
                    look: { reader throws(StoreFault) in
                        var lines = records(try reader.mail(mail.id))
                        for proof in proofs { lines += try reader.mails(of: proof.id).map(\.record) }
                        return lines + (try reader.outbox(dueAt: .max, limit: 9).map(\.record))
                    }, gives: [mail.record, mail.record, mail.record])
            }
        },
        Case("mails that are due come from the earliest on, no more than the limit") { test in
            try await putOwners(test)
            let proof = try Sample.proof(1, of: owners[0])
            let times: [Int64] = [5, 0, 7, 5, Sample.greatest, 5]
            let names: [UInt8] = [0x80, 1, 2, 0x7F, 3, 0]
            let mails = zip(names, times).map { Sample.mail($0, of: proof, nextAttemptAt: $1) }
            let order = [1, 5, 3, 0, 2, 4]
            try await test.step(
                "put",
                { tx throws(StoreFault) in
                    try tx.put(proof)
                    for mail in mails { try tx.put(mail) }
                }, look: { reader throws(StoreFault) in try reader.mails(of: proof.id).map(\.record) },
                gives: [5, 1, 2, 4, 3, 0].map { mails[$0].record })
            for time: Int64 in [.min, -1, 0, 4, 5, 6, 7, Sample.greatest - 1, Sample.greatest, .max] {
                let due = order.map { mails[$0] }.filter { $0.nextAttemptAt <= time }.map(\.record)
                for limit in [Int.min, -1, 0, 1, 3, 6, Int.max] {
                    let found = try await test.store.read { reader throws(StoreFault) in
                        try reader.outbox(dueAt: time, limit: limit).map(\.record)
                    }
                    try expectSame(found, Array(due.prefix(max(limit, 0))), "\(limit) mails due at \(time)")
                }
            }
            try await test.step(
                "deleted", { tx throws(StoreFault) in try tx.delete(mail: mails[1].id) },
                look: { reader throws(StoreFault) in try reader.outbox(dueAt: 5, limit: 2).map(\.record) },
                gives: [mails[5].record, mails[3].record])
        },
        Case("no mailed proof is without its account or sign-up, and no mail without its proof") { test in
            try await putOwners(test)
            let proof = try Sample.proof(1, of: owners[0])
            try await test.write { tx throws(StoreFault) in try tx.put(proof) }
            let missing: [MailedProof.Owner] = [.account(Sample.name(3)), .signUp(Sample.name(3))]
            for (number, owner) in missing.enumerated() {
                for name: UInt8 in [1, 2] {
                    let bad = try Sample.proof(name, of: owner)
                    try await test.refused("\(number), \(name)") { tx throws(StoreFault) in try tx.put(bad) }
                }
            }
            for number in [0, 2] {
                let bad = try Sample.proof(2, of: owners[number])
                try await test.refused("\(number), deleted before") { tx throws(StoreFault) in
                    if number == 0 { try tx.delete(account: Sample.name(1)) }
                    try tx.delete(signUp: Sample.name(1))
                    try tx.put(bad)
                }
            }
            let orphan = Sample.mail(1, of: try Sample.proof(2, of: owners[0]))
            try await test.refused("mail") { tx throws(StoreFault) in try tx.put(orphan) }
            try await test.refused("mail of a deleted proof") { tx throws(StoreFault) in
                try tx.put(Sample.mail(1, of: proof))
                try tx.delete(account: Sample.name(1))
                try tx.put(Sample.mail(1, of: proof))
            }
        },
        Case("a purged sign-up takes its mailed proofs along, and a purged proof its mails") { test in
            try await putOwners(test)
            let signUp = try Sample.signUp(9, "c@example.org", expiresAt: 10)
            let proofs = [
                try Sample.proof(1, of: .signUp(signUp.id)), try Sample.proof(2, of: owners[0], expiresAt: 10),
                try Sample.proof(3, of: owners[0]),
            ]
            let mails = proofs.map { Sample.mail($0.id.bytes[0], of: $0, expiresAt: 2_000) }
            try await test.step(
                "purged",
                { tx throws(StoreFault) in
                    try tx.put(signUp)
                    for proof in proofs { try tx.put(proof) }
                    for mail in mails { try tx.put(mail) }
                    _ = try tx.purge(now: 10, auditSince: 0, limit: 9)
                },
                look: { reader throws(StoreFault) in
                    var lines: [String] = []
                    for proof in proofs { lines += records(try reader.mailedProof(proof.id)) }
                    return lines + (try reader.outbox(dueAt: .max, limit: 9).map(\.record))
                }, gives: [proofs[2].record, mails[2].record])
        },
    ]

    /// Two accounts and two sign-ups, whose names are the same bytes.
    private static let owners: [MailedProof.Owner] = [
        .account(Sample.name(1)), .account(Sample.name(2)), .signUp(Sample.name(1)), .signUp(Sample.name(2)),
    ]

    private static func putOwners(_ test: StoreTest) async throws {
        try await putAccounts(test, 1, 2)
        let signUps = try ([1, 2] as [UInt8]).map { try Sample.signUp($0, "waits\($0)@example.org") }
        try await test.write { tx throws(StoreFault) in for signUp in signUps { try tx.put(signUp) } }
    }

    /// One after the other, of one name and another owner each time.
    private static func oddProofs() throws -> [MailedProof] {
        let purposes = MailedProof.Purpose.allCases
        let emails = ["MiXed.Case+tag@Example.org", "\"a b\"@xn--bcher-kva.example", "b@example.org"]
        var proofs: [MailedProof] = []
        for (index, time) in (Sample.times + Sample.times).enumerated() {
            proofs.append(
                MailedProof(
                    id: Sample.name(9), purpose: purposes[index % purposes.count], owner: owners[index % 4],
                    email: try mailbox(emails[index % 3]), createdAt: time, expiresAt: time, wrongCodes: time,
                    usedAt: index % 3 == 1 ? nil : time))
        }
        return proofs
    }
}

func records(_ proof: MailedProof?) -> [String] { proof.map { [$0.record] } ?? [] }
func records(_ mail: OutboxMail?) -> [String] { mail.map { [$0.record] } ?? [] }
