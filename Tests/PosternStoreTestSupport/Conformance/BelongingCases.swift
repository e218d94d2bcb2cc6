import PosternAccounts
import PosternBase
import PosternTokens

extension StoreConformance {
    static let belongingCases: [Case] = [
        Case("a password comes back as it was put, is replaced and deleted") { test in
            try await putAccounts(test, 1, 2)
            let other = Sample.password(2, "other")
            try await test.write { tx throws(StoreFault) in try tx.put(other) }
            let look: StoreTest.Look = { reader throws(StoreFault) in
                try records(reader.password(of: Sample.name(1))) + records(reader.password(of: Sample.name(2)))
            }
            for (text, time) in zip(Sample.texts + Sample.texts, Sample.times.cycled) {
                let password = StoredPassword(account: Sample.name(1), hash: Secret(text), changedAt: time)
                try await test.step(
                    "put", { tx throws(StoreFault) in try tx.put(password) }, look: look,
                    gives: [password.record, other.record])
            }
            try await test.step(
                "deleted", { tx throws(StoreFault) in try tx.delete(passwordOf: Sample.name(1)) }, look: look,
                gives: [other.record])
        },
        Case("every field of an identity comes back as it was put, and is replaced") { test in
            try await putAccounts(test, 1, 2)
            let key = Sample.key("a")
            for (index, email) in ([nil] + Sample.texts).enumerated() {
                let time = Sample.times[index % Sample.times.count]
                // With another account each time: an identity can move.
                let identity = Identity(
                    key: key, account: Sample.name(index % 2 == 0 ? 1 : 2), email: email,
                    isEmailVerified: index % 3 == 0,
                    isPrivateRelay: index % 5 == 0, createdAt: time, lastSignInAt: time)
                try await test.step(
                    "put", { tx throws(StoreFault) in try tx.put(identity) },
                    look: { reader throws(StoreFault) in
                        try records(reader.identity(key)) + reader.identities(of: Sample.name(1)).map(\.record)
                            + reader.identities(of: Sample.name(2)).map(\.record)
                    }, gives: [identity.record, identity.record])
            }
        },
        Case("identities whose names look alike are not one") { test in
            try await putAccounts(test, 1, 2)
            let keys = alikeKeys()
            let identities = keys.enumerated().map { Sample.identity($1, of: 1, at: Int64($0)) }
            let look: StoreTest.Look = { reader throws(StoreFault) in
                var lines = try reader.identities(of: Sample.name(1)).map(\.record)
                for key in keys { lines += records(try reader.identity(key)) }
                return lines
            }
            try await test.step(
                "put", { tx throws(StoreFault) in for identity in identities { try tx.put(identity) } }, look: look,
                gives: identities.map(\.record) + identities.map(\.record))
            for (index, key) in keys.enumerated() {
                let rest = identities[(index + 1)...].map(\.record)
                try await test.step(
                    "deleted", { tx throws(StoreFault) in try tx.delete(identity: key) }, look: look, gives: rest + rest
                )
            }
        },
        Case("the identities of an account are listed from the oldest, and deleted together") { test in
            try await putAccounts(test, 1, 2)
            let ages: [Int64] = [5, 3, Sample.greatest, 1, 0, 4]
            let identities = ages.map { Sample.identity(Sample.key("\($0)"), of: 1, at: $0) }
            let other = Sample.identity(Sample.key("other"), of: 2)
            try await test.step(
                "put", { tx throws(StoreFault) in for identity in identities + [other] { try tx.put(identity) } },
                look: { reader throws(StoreFault) in try reader.identities(of: Sample.name(1)).map(\.record) },
                gives: identities.sorted { $0.createdAt < $1.createdAt }.map(\.record))
            try await test.step(
                "deleted", { tx throws(StoreFault) in try tx.delete(identitiesOf: Sample.name(1)) },
                look: { reader throws(StoreFault) in
                    try reader.identities(of: Sample.name(1)).map(\.record)
                        + reader.identities(of: Sample.name(2)).map(\.record)
                }, gives: [other.record])
        },
    ]

    /// Keys that a store confuses which folds, trims, normalises, or ends texts at U+0000.
    private static func alikeKeys() -> [IdentityKey] {
        let subjects: [[UInt8]] =
            Sample.texts.map { Array($0.utf8) } + [
                Array("A".utf8), Array(0...255), Array(0...254), [0], [0, 0], [0xFF], [0xC3, 0x28],
            ]
        let texts = ["", "a", "A", "a\u{0}", "\u{E9}", "e\u{301}", " a"]
        return subjects.map { IdentityKey(provider: "p", issuer: "i", subject: Subject($0)) }
            + texts.map { Sample.key("s", provider: $0) } + texts.map { Sample.key("s", issuer: $0) }
            // Where one part ends and the next begins counts.
            + [Sample.key("c", provider: "a", issuer: "b"), Sample.key("bc", provider: "a", issuer: "")]
            + [Sample.key("", provider: "a", issuer: "bc"), Sample.key("", provider: "ab", issuer: "c")]
    }
}

/// Accounts without anything.
func putAccounts(_ test: StoreTest, _ ids: UInt8...) async throws {
    let accounts = try ids.map { try Sample.account($0) }
    try await test.write { tx throws(StoreFault) in for account in accounts { try tx.put(account) } }
}

extension [Int64] {
    /// The same over and over.
    var cycled: some Sequence<Int64> { (0...).lazy.map { self[$0 % count] } }
}
