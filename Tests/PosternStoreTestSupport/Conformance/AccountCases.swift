import PosternAccounts
import PosternBase
import PosternTokens

extension StoreConformance {
    static let accountCases: [Case] = [
        Case("every field of an account comes back as it was put, and is replaced") { test in
            for account in try oddAccounts() {
                try await test.step(
                    "put", { tx throws(StoreFault) in try tx.put(account) },
                    look: { reader throws(StoreFault) in try records(reader.account(account.id)) },
                    gives: [account.record])
            }
        },
        Case("an account is found by its address in any case, and by no other") { test in
            let account = try Sample.account(1, email: "Sam.Doe@Example.org")
            let spellings = try ["sam.doe@example.org", "SAM.DOE@EXAMPLE.ORG", "Sam.Doe@example.org"].map(mailbox)
            let others = try ["samdoe@example.org", "sam.doe@example.com", "xam.doe@example.org"].map(mailbox)
            try await test.step(
                "put", { tx throws(StoreFault) in try tx.put(account) },
                look: { reader throws(StoreFault) in
                    try found(spellings, reader) + ["-"] + (try found(others, reader))
                },
                gives: [account.record, account.record, account.record, "-"])
        },
        Case("an address that was given up is free, and so is that of a deleted account") { test in
            let email = try mailbox("a@example.org")
            var first = try Sample.account(1, email: "a@example.org")
            let second = try Sample.account(2, email: "A@example.org")
            let looks: StoreTest.Look = { reader throws(StoreFault) in try found([email], reader) }
            try await test.write { [first] tx throws(StoreFault) in try tx.put(first) }
            first.email = nil
            try await test.step(
                "given up", { [first] tx throws(StoreFault) in try tx.put(first) }, look: looks, gives: [])
            try await test.step(
                "taken", { tx throws(StoreFault) in try tx.put(second) }, look: looks, gives: [second.record])
            first.email = email
            try await test.step(
                "deleted and taken in one transaction",
                { [first] tx throws(StoreFault) in
                    try tx.delete(account: second.id)
                    try tx.put(first)
                }, look: looks, gives: [first.record])
        },
        Case("an address may be put in another case on the same account") { test in
            let lower = try Sample.account(1, email: "a@example.org")
            let upper = try Sample.account(1, email: "A@example.org")
            try await test.write { tx throws(StoreFault) in try tx.put(lower) }
            try await test.step(
                "put", { tx throws(StoreFault) in try tx.put(upper) }, look: everything, gives: [upper.record])
        },
        Case("any number of accounts have no address") { test in
            let accounts = try (1...3).map { try Sample.account($0) }
            try await test.step(
                "put", { tx throws(StoreFault) in for account in accounts { try tx.put(account) } },
                look: everything, gives: accounts.map(\.record))
        },
        Case("what belongs to an account stays when the account is replaced") { test in
            var account = try Sample.account(1, email: "a@example.org")
            let belongings = try await furnish(test, account)
            account.email = try mailbox("b@example.org")
            account.updatedAt = 1_001
            try await test.step(
                "replaced", { [account] tx throws(StoreFault) in try tx.put(account) },
                look: everything, gives: [account.record] + belongings)
        },
        Case("a deleted account takes its password, identities and sessions along, and nothing else") { test in
            let gone = try Sample.account(1, email: "a@example.org")
            let stays = try Sample.account(2, email: "b@example.org")
            _ = try await furnish(test, gone)
            let belongings = try await furnish(test, stays)
            let signUp = try Sample.signUp(1, "a@example.org")
            let token = Sample.token(1)
            let entry = AuditEntry(.signedIn, at: 1, account: gone.id, session: Sample.name(1))
            try await test.write { tx throws(StoreFault) in
                try tx.put(signUp)
                try tx.remember(token)
                try tx.append(entry)
            }
            try await test.step(
                "deleted", { tx throws(StoreFault) in try tx.delete(account: gone.id) },
                look: { reader throws(StoreFault) in
                    let orphans = records(try reader.password(of: gone.id))
                    let lines = try orphans + reader.identities(of: gone.id).map(\.record)
                    return try lines + reader.sessions(of: gone.id).map(\.record)
                        + records(reader.session(Sample.name(1))) + records(reader.identity(Sample.key("1")))
                        + StoreDump.records(of: reader, names: [token.name])
                },
                gives: [stays.record] + belongings + [signUp.record, token.record, entry.record])
        },
        Case("an account that was deleted comes back without what it had") { test in
            let account = try Sample.account(1, email: "a@example.org")
            _ = try await furnish(test, account)
            try await test.step(
                "put again",
                { tx throws(StoreFault) in
                    try tx.delete(account: account.id)
                    try tx.put(account)
                }, look: everything, gives: [account.record])
        },
        Case("to delete what is not there does nothing") { test in
            let account = try Sample.account(1, email: "a@example.org")
            let belongings = try await furnish(test, account)
            let free = try mailbox("b@example.org")
            try await test.step(
                "deleted",
                { tx throws(StoreFault) in
                    try tx.delete(account: Sample.name(9))
                    try tx.delete(passwordOf: Sample.name(9))
                    try tx.delete(identity: Sample.key("9"))
                    try tx.delete(identitiesOf: Sample.name(9))
                    try tx.delete(session: Sample.name(9))
                    try tx.delete(sessionsOf: Sample.name(9), except: nil)
                    try tx.delete(signUp: Sample.name(9))
                    try tx.delete(signUpsFor: free)
                    try tx.delete(mailedProof: Sample.name(9))
                    try tx.delete(mailedProofsFor: free, except: nil)
                    try tx.delete(mail: Sample.name(9))
                    try tx.delete(signingKey: "none")
                }, look: everything, gives: [account.record] + belongings)
        },
    ]

    /// One account after the other, of one name: each field nil and not, at the ends of what it may hold.
    private static func oddAccounts() throws -> [Account] {
        var accounts = try ["MiXed.Case+tag@Example.org", "\"a b\\\"c\"@xn--bcher-kva.example"].map {
            try Sample.account(1, email: $0)
        }
        for time in Sample.times {
            accounts.append(
                Account(
                    id: Sample.name(1), emailProvenAt: time, createdAt: time, updatedAt: time, lastSignInAt: time,
                    bannedUntil: time))
        }
        for object in Sample.objects {
            accounts.append(Account(id: Sample.name(1), userData: object, createdAt: 1))
            accounts.append(Account(id: Sample.name(1), backendData: object, createdAt: 1))
        }
        accounts.append(Account(id: Sample.name(1), emailProvenAt: 1, createdAt: 2, updatedAt: 3))
        accounts.append(Account(id: Sample.name(1), createdAt: 2, updatedAt: 3, lastSignInAt: 4))
        accounts.append(Account(id: Sample.name(1), createdAt: 2, updatedAt: 3, bannedUntil: 5))
        accounts.append(Account(id: Sample.name(1), createdAt: 2, updatedAt: 3, bannedUntil: .max))
        return accounts
    }
}

/// Looks at all that is listed.
let everything: StoreTest.Look = { reader throws(StoreFault) in try StoreDump.records(of: reader) }

func mailbox(_ text: String) throws -> EmailAddress { try EmailAddress(text) }

func records(_ account: Account?) -> [String] { account.map { [$0.record] } ?? [] }
func records(_ password: StoredPassword?) -> [String] { password.map { [$0.record] } ?? [] }
func records(_ identity: Identity?) -> [String] { identity.map { [$0.record] } ?? [] }
func records(_ session: Session?) -> [String] { session.map { [$0.record] } ?? [] }
func records(_ signUp: SignUp?) -> [String] { signUp.map { [$0.record] } ?? [] }

private func found(_ emails: [EmailAddress], _ reader: any StoreReader) throws(StoreFault) -> [String] {
    var lines: [String] = []
    for email in emails { lines += records(try reader.account(email: email)) }
    return lines
}

/// Puts the account, with a password, two identities and two sessions; answers those as `everything` lists them.
private func furnish(_ test: StoreTest, _ account: Account) async throws -> [String] {
    let number = account.id.bytes[0]
    let password = Sample.password(number)
    let identities = ["\(number)", "\(number)b"].enumerated().map {
        Sample.identity(Sample.key($1), of: number, at: 1_000 + Int64($0))
    }
    let sessions = [number, number + 100].map { Sample.session($0, of: number) }
    try await test.write { tx throws(StoreFault) in
        try tx.put(account)
        try tx.put(password)
        for identity in identities { try tx.put(identity) }
        for session in sessions { try tx.put(session) }
    }
    return [password.record] + identities.map(\.record) + sessions.map(\.record)
}
