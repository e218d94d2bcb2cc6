import PosternAccounts
import PosternBase

extension StoreConformance {
    static let auditCases: [Case] = [
        Case("every field of an audit entry comes back as it was appended, the newest first") { test in
            let entries = oddEntries()
            try await test.step(
                "appended", { tx throws(StoreFault) in for entry in entries { try tx.append(entry) } },
                look: everything, gives: entries.reversed().map(\.record))
        },
        Case("the audit trail is paged, of one account or of all") { test in
            let entries = (0..<7).map { AuditEntry(.signedIn, at: 7 - $0, account: Sample.name(UInt8($0 % 2))) }
            try await test.write { tx throws(StoreFault) in for entry in entries { try tx.append(entry) } }
            for account: AccountID? in [nil, Sample.name(0), Sample.name(1), Sample.name(2)] {
                let wanted = Array(entries.filter { account == nil || $0.account == account }.map(\.record).reversed())
                for limit in [1, 2, 3, wanted.count, wanted.count + 1] where limit > 0 {
                    let pages = try await pages(test.store, of: account, limit: limit)
                    try expectSame(pages.flatMap { $0 }, wanted, "pages of \(limit)")
                    try expect(pages.dropLast().allSatisfy { $0.count == limit }, "a page of \(limit) is not full")
                }
                for limit in [0, -1, Int.min] {
                    let page = try await test.store.read { reader throws(StoreFault) in
                        try reader.auditTrail(of: account, before: nil, limit: limit).count
                    }
                    try expect(page == 0, "a limit of \(limit) gives \(page)")
                }
            }
        },
        Case("numbers of the audit trail rise, and none comes back after a purge of everything") { test in
            var highest: Int64?
            for round: Int64 in 0..<3 {
                try await test.write { tx throws(StoreFault) in
                    for at in 0..<3 { try tx.append(AuditEntry(.signedIn, at: round + Int64(at))) }
                }
                let numbers = try await test.store.read { reader throws(StoreFault) in
                    try reader.auditTrail(of: nil, before: nil, limit: 9).map(\.number)
                }
                try expect(numbers.count == 3, "\(numbers.count) entries instead of 3")
                try expect(zip(numbers, numbers.dropFirst()).allSatisfy { $0 > $1 }, "numbers do not fall: \(numbers)")
                if let highest { try expect(numbers.allSatisfy { $0 > highest }, "\(numbers) after \(highest)") }
                highest = numbers.first
                try await test.write { tx throws(StoreFault) in _ = try tx.purge(now: 0, auditSince: .max, limit: 9) }
                try await test.reopen()
            }
        },
        Case("an audit entry about what is not there is kept") { test in
            let entry = AuditEntry(.signInFailed, at: 1, account: Sample.name(1), session: Sample.name(2))
            try await test.step(
                "appended", { tx throws(StoreFault) in try tx.append(entry) }, look: everything, gives: [entry.record])
        },
    ]

    private static func oddEntries() -> [AuditEntry] {
        AuditEvent.allCases.map { AuditEntry($0, at: 1) } + Sample.times.map { AuditEntry(.signedIn, at: $0) }
            + Sample.texts.flatMap {
                [AuditEntry(.signedIn, at: 1, caller: $0), AuditEntry(.signedIn, at: 1, detail: $0)]
            }
            + [
                AuditEntry(.signedIn, at: 1, account: Sample.name(0xFF)),
                AuditEntry(.signedIn, at: 1, session: Sample.name(0xFF)),
            ]
    }

    private static func pages(_ store: any AccountStore, of account: AccountID?, limit: Int) async throws -> [[String]]
    {
        var pages: [[String]] = []
        var last: Int64?
        while pages.count < 20 {
            let page = try await store.read { [last] reader throws(StoreFault) in
                try reader.auditTrail(of: account, before: last, limit: limit)
            }
            if page.isEmpty { return pages }
            pages.append(page.map(\.entry.record))
            last = page.last?.number
        }
        throw Unmet("the pages do not end")
    }
}
