import PosternAccounts
import PosternBase

extension StoreConformance {
    private static let order: [UInt8] = [0x00, 0x01, 0x7F, 0x80, 0xFF]

    static let listCases: [Case] = [
        Case("accounts are listed in the order of the bytes of their names, page by page") { test in
            let accounts = try order.map { try Sample.account($0) }
            try await test.write { tx throws(StoreFault) in for account in accounts.reversed() { try tx.put(account) } }
            for limit in [0, 1, 2, 4, 5, 6, Int.max, -1, Int.min] {
                let wanted = accounts.map(\.record)
                for after in -1..<accounts.count {
                    let last = after < 0 ? nil : accounts[after].id
                    let page = try await test.store.read { reader throws(StoreFault) in
                        try reader.accounts(after: last, limit: limit).map(\.record)
                    }
                    let rest = wanted[(after + 1)...]
                    try expectSame(page, Array(rest.prefix(max(limit, 0))), "\(limit) accounts after \(after)")
                }
            }
            let page = try await test.store.read { reader throws(StoreFault) in
                try reader.accounts(after: Sample.name(0x7F, 1), limit: 9).map(\.record)
            }
            try expectSame(page, accounts[3...].map(\.record), "accounts after a name that is not there")
        },
        Case("sign-ups are listed in the order of the bytes of their names, page by page") { test in
            let signUps = try order.map { try Sample.signUp($0, "a\($0)@example.org") }
            try await test.write { tx throws(StoreFault) in for signUp in signUps.reversed() { try tx.put(signUp) } }
            for limit in [0, 1, 2, 4, 5, 6, Int.max, -1, Int.min] {
                for after in -1..<signUps.count {
                    let last = after < 0 ? nil : signUps[after].id
                    let page = try await test.store.read { reader throws(StoreFault) in
                        try reader.signUps(after: last, limit: limit).map(\.record)
                    }
                    let rest = signUps[(after + 1)...].map(\.record)
                    try expectSame(page, Array(rest.prefix(max(limit, 0))), "\(limit) sign-ups after \(after)")
                }
            }
        },
    ]
}
