import PosternAccounts
import PosternBase

extension StoreConformance {
    static let shapeCases: [Case] = [
        Case("two accounts cannot have one address, in whatever case") { test in
            try await putAccounts(test, 2)
            let first = try Sample.account(1, email: "a@example.org")
            try await test.write { tx throws(StoreFault) in try tx.put(first) }
            for email in ["a@example.org", "A@Example.ORG"] {
                for id: UInt8 in [2, 3] {
                    let second = try Sample.account(id, email: email)
                    try await test.refused("account \(id) with \(email)") { tx throws(StoreFault) in try tx.put(second)
                    }
                }
            }
        },
        Case("two accounts of one transaction cannot have one address") { test in
            let first = try Sample.account(1, email: "a@example.org")
            let second = try Sample.account(2, email: "A@example.org")
            try await test.refused("both") { tx throws(StoreFault) in
                try tx.put(first)
                try tx.put(second)
            }
        },
        Case("nothing belongs to an account that is not there") { test in
            try await putAccounts(test, 1)
            try await test.refused("password") { tx throws(StoreFault) in try tx.put(Sample.password(2)) }
            try await test.refused("session") { tx throws(StoreFault) in try tx.put(Sample.session(1, of: 2)) }
            try await test.refused("identity") { tx throws(StoreFault) in
                try tx.put(Sample.identity(Sample.key("a"), of: 2))
            }
        },
        Case("nothing belongs to an account that the same transaction has deleted") { test in
            try await putAccounts(test, 1)
            try await test.refused("password") { tx throws(StoreFault) in
                try tx.delete(account: Sample.name(1))
                try tx.put(Sample.password(1))
            }
            try await test.refused("session") { tx throws(StoreFault) in
                try tx.delete(account: Sample.name(1))
                try tx.put(Sample.session(1, of: 1))
            }
            try await test.refused("identity") { tx throws(StoreFault) in
                try tx.delete(account: Sample.name(1))
                try tx.put(Sample.identity(Sample.key("a"), of: 1))
            }
        },
        Case("an identity cannot move to an account that is not there") { test in
            try await putAccounts(test, 1)
            try await test.write { tx throws(StoreFault) in try tx.put(Sample.identity(Sample.key("a"), of: 1)) }
            try await test.refused("moved") { tx throws(StoreFault) in
                try tx.put(Sample.identity(Sample.key("a"), of: 2))
            }
        },
    ]
}
