import PosternAccounts
import PosternBase
import PosternStoreTestSupport
import Testing

/// A store that fails at any of its calls leaves nothing half-made, and the same can be asked again.
@Suite struct FailureTests {
    private static let address = "member@mail.example"

    /// Operations of one transaction.
    static let names = [
        "new", "returning", "joined", "reclaimed", "linked", "refreshed", "reused", "ended", "all ended",
        "revoked", "confirmed", "confirmed and reclaimed", "created", "changed", "banned", "deleted",
        "unlinked",
        "purged",
    ]

    private typealias Operation = () async throws -> Void

    private func prepared(_ name: String, _ fixture: AccountsFixture) async throws -> Operation {
        let accounts = fixture.accounts
        func exchanging(_ wish: TestSignIn, linkTo: Grant? = nil) throws -> Operation {
            var wish = wish
            wish.client = .issued
            let proof = try fixture.proof(wish)
            return { try await fixture.exchange(proof, linkTo: linkTo) }
        }
        switch name {
        case "new": return try exchanging(TestSignIn(email: Self.address))
        case "joined":
            try await fixture.member()
            return try exchanging(TestSignIn(email: Self.address))
        case "reclaimed":
            try await fixture.member(isProven: false)
            let session = try await fixture.signIn(Self.address)
            try await fixture.signIn(TestSignIn(provider: .oidc), linkTo: session)
            let waiting = try await fixture.pendingSignUp(Self.address)
            try await fixture.mail(.verify, .signUp(waiting), Self.address)
            try await fixture.mail(.reset, .account(session.account.id), Self.address)
            return try exchanging(TestSignIn(email: Self.address))
        case "confirmed", "confirmed and reclaimed":
            if name != "confirmed" {
                try await fixture.member(isProven: false)
                let squatter = try await fixture.signIn(Self.address).account.id
                try await fixture.mail(.reset, .account(squatter), Self.address)
            }
            let id = try await fixture.pendingSignUp(Self.address)
            return { _ = try await accounts.confirm(id, caller: nil) }
        case "created": return { _ = try await accounts.create(nil, isProven: false, nil, caller: nil) }
        default: break
        }
        let grant = try await fixture.signIn()
        let id = grant.account.id
        switch name {
        case "returning": return try exchanging(TestSignIn())
        case "linked": return try exchanging(TestSignIn(provider: .oidc), linkTo: grant)
        case "refreshed": return { try await fixture.refresh(grant) }
        case "reused":
            #expect(try await fixture.isActive(fixture.refresh(grant).accessToken))
            fixture.clock.move(by: 60)
            return {
                let word = await outcome { try await fixture.refresh(grant) }
                guard word == "refresh_token_reused" else { throw Unmet(word) }
            }
        case "ended": return { try await accounts.end(session: grant.session.id, caller: nil) }
        case "all ended": return { try await accounts.endSessions(of: id, caller: nil) }
        case "revoked": return { try await accounts.revoke(grant.accessToken.revealed, caller: nil) }
        case "changed":
            let change = AccountChange(email: (try fixture.email("new@mail.example"), isProven: true), userData: "{}")
            return { _ = try await accounts.change(id, change, caller: nil) }
        case "banned":
            return { _ = try await accounts.change(id, AccountChange(bannedUntil: .some(.max)), caller: nil) }
        case "deleted":
            try await fixture.mail(.emailChange, .account(id), Self.address)
            return { try await accounts.delete(account: id, caller: nil) }
        case "unlinked":
            try await fixture.signIn(TestSignIn(provider: .oidc), linkTo: grant)
            let name = try #require(try await accounts.person(id).identities.first?.key.name)
            return { _ = try await fixture.unlink(name, from: id) }
        default:
            try await fixture.mail(.emailChange, .account(id), Self.address)
            fixture.clock.move(by: 90 * 86_400)
            return { _ = try await accounts.purge(now: fixture.clock.now, auditRetention: 1) }
        }
    }

    @Test(arguments: TestedStore.all, names)
    func nothingIsHalfMade(kind: TestedStore, name: String) async throws {
        for isLasting in [false, true] {
            try await withAccounts(kind) { fixture in
                let operation = try await prepared(name, fixture)
                let told = fixture.toldLines.count
                let trial = try await fixture.failing.failAtEveryCall(with: .full, andLater: isLasting, of: operation)
                #expect(trial.calls.contains { $0.isChange }, "\(trial.calls)")
                // What came to nothing was not told of either: only the last time was.
                let news = fixture.toldLines.count - told
                #expect(news == trial.calls.count { $0 == .append } || name == "purged", "\(trial.calls) \(news)")
            }
        }
    }

    /// Operations of several transactions: what they leave when the nth call fails, and that they can be done then.
    @Test(arguments: TestedStore.all, ["sign-in", "rehash", "sign-up", "open sign-up", "password"])
    func severalTransactions(kind: TestedStore, name: String) async throws {
        let policy = Accounts.Policy(
            confirmation: name == "open sign-up" ? .none : .external, attempts: AttemptRule(burst: 3, refill: 60))
        for number in 1...100 {
            var hasFailed = false
            try await withAccounts(kind, policy) { fixture in
                let member = try await fixture.member()
                let session = try await fixture.signIn(Self.address)
                let operation: Operation =
                    switch name {
                    case "sign-in", "rehash": { try await fixture.signIn(Self.address) }
                    case "password":
                        {
                            try await fixture.accounts.changePassword(
                                of: member.id, old: fixture.password(TestPassword.right),
                                new: fixture.password(TestPassword.other), keeping: session.session.id,
                                visitor: Visitor())
                        }
                    default: { try await fixture.signUp("new@mail.example") }
                    }
                let before = try await belongings(fixture)
                fixture.failing.fail(.at(number), with: .full)
                let word = await outcome(operation)
                hasFailed = fixture.failing.failedCall != nil
                fixture.failing.fail(.never)
                #expect(word == (hasFailed ? "store_full" : "done"), "call \(number)")
                guard hasFailed else { return }
                #expect(try await belongings(fixture) == before, "call \(number)")
                try await operation()
                #expect(try await belongings(fixture) != before)
                let password = name == "password" ? TestPassword.other : TestPassword.right
                #expect(await outcome { try await fixture.signIn(Self.address, password) } == "done")
            }
            if !hasFailed {
                #expect(number > 5)
                return
            }
        }
        Issue.record("it does not end")
    }

    /// All that is stored but tries that were counted: those are taken before anything else.
    private func belongings(_ fixture: AccountsFixture) async throws -> [String] {
        try await fixture.failing.content(names: [])
    }
}
