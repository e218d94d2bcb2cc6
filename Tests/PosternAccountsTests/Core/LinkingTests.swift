import PosternAccounts
import PosternBase
import PosternStoreTestSupport
import Testing

@Suite struct LinkingTests {
    private static let other = TestSignIn(provider: .oidc, subject: "other")

    @Test(arguments: TestedStore.all + [.repeating])
    func aNewIdentityJoinsTheSession(kind: TestedStore) async throws {
        try await withAccounts(kind) { fixture in
            let first = try await fixture.signIn()
            // The address of another member changes nothing: who is signed in says whose the identity is.
            try await fixture.member("member@mail.example")
            let linked = try await fixture.signIn(
                TestSignIn(provider: .google, email: "member@mail.example", claims: [("hd", .string("mail.example"))]),
                linkTo: first)
            #expect(linked.account.id == first.account.id)
            #expect(!linked.isNewAccount)
            #expect(try await fixture.accounts.person(first.account.id).identities.count == 2)
            #expect(try await fixture.isActive(first.accessToken))
            // Once more is a sign-in.
            let again = try await fixture.signIn(TestSignIn(provider: .google), linkTo: first)
            #expect(again.account.id == first.account.id)
            #expect(try await fixture.accounts.person(first.account.id).identities.count == 2)
        }
    }

    @Test(arguments: TestedStore.all)
    func anIdentityOfSomebodyElseStaysTheirs(kind: TestedStore) async throws {
        try await withAccounts(kind) { fixture in
            let first = try await fixture.signIn()
            let second = try await fixture.signIn(Self.other)
            #expect(await outcome { try await fixture.signIn(Self.other, linkTo: first) } == "identity_taken")
            #expect(try await fixture.signIn(Self.other).account.id == second.account.id)
        }
    }

    @Test(arguments: TestedStore.all)
    func onlyALivingSessionLinks(kind: TestedStore) async throws {
        let policy = Accounts.Policy(sessions: SessionPolicy(inactivity: 600))
        try await withAccounts(kind, policy) { fixture in
            let proof = try fixture.proof(Self.other)
            func link(_ token: String) async -> String {
                await outcome {
                    try await fixture.accounts.exchange(
                        proof.token, nonce: proof.nonce, audience: nil, linkTo: token,
                        verifier: fixture.verifier(.oidc), visitor: Visitor())
                }
            }
            let grant = try await fixture.signIn()
            for token in ["", "x", proof.token, grant.refreshToken.revealed, grant.accessToken.revealed + "A"] {
                #expect(await link(token) == "session_ended")
            }
            try await fixture.accounts.end(session: grant.session.id, caller: nil)
            #expect(await link(grant.accessToken.revealed) == "session_ended")
            let expired = try await fixture.signIn()
            fixture.clock.move(by: 600)
            #expect(await link(expired.accessToken.revealed) == "session_ended")
            let banned = try await fixture.signIn()
            _ = try await fixture.accounts.change(
                banned.account.id, AccountChange(bannedUntil: .some(.max)), caller: nil)
            #expect(["session_ended", "account_banned"].contains(await link(banned.accessToken.revealed)))
            try await fixture.accounts.delete(account: banned.account.id, caller: nil)
            #expect(await link(banned.accessToken.revealed) == "session_ended")
            // None of this has used the token up, or made an account.
            #expect(try await fixture.exchange(proof).isNewAccount)
            #expect(try await fixture.accountCount() == 1)
        }
    }

    /// A provider that the settings have no more is no way to sign in.
    @Test(arguments: TestedStore.all)
    func aProviderThatIsGone(kind: TestedStore) async throws {
        try await withAccounts(kind) { fixture in
            let grant = try await fixture.signIn()
            try await fixture.signIn(TestSignIn(provider: .oidc), linkTo: grant)
            let id = grant.account.id
            let identities = try await fixture.accounts.person(id).identities
            let apple = try #require(identities.first { $0.key.provider == "apple" }?.key.name)
            let oidc = try #require(identities.first { $0.key.provider == "oidc" }?.key.name)
            for (name, providers, word): (String, [TestProvider], String) in [
                (apple, [.apple, .google], "last_sign_in_method"), (apple, [], "last_sign_in_method"),
                (oidc, [.apple, .google], "done"), (apple, [.apple, .google], "last_sign_in_method"),
            ] {
                #expect(await outcome { try await fixture.unlink(name, from: id, providers: providers) } == word)
            }
        }
    }

    @Test(arguments: TestedStore.all)
    func unlinking(kind: TestedStore) async throws {
        try await withAccounts(kind) { fixture in
            let first = try await fixture.signIn()
            let name = try #require(try await fixture.accounts.person(first.account.id).identities.first?.key.name)
            func unlink(_ name: String, _ account: AccountID) async -> String {
                await outcome { try await fixture.unlink(name, from: account) }
            }
            #expect(await unlink(name, first.account.id) == "last_sign_in_method")
            let stranger = try await fixture.signIn(TestSignIn(subject: "stranger"))
            #expect(await unlink(name, stranger.account.id) == "identity_unknown")
            #expect(await unlink("", first.account.id) == "identity_unknown")
            try await fixture.signIn(Self.other, linkTo: first)
            #expect(await unlink(name, first.account.id) == "done")
            #expect(await unlink(name, first.account.id) == "identity_unknown")
            // Who comes with it now is somebody new.
            #expect(try await fixture.signIn().account.id != first.account.id)
            #expect(try await fixture.signIn(Self.other).account.id == first.account.id)
        }
    }

    /// A password without an address opens nothing, so it is no way to sign in.
    @Test(arguments: TestedStore.all)
    func aPasswordCountsOnlyWithAnAddress(kind: TestedStore) async throws {
        try await withAccounts(kind) { fixture in
            let grant = try await fixture.signIn()
            let id = grant.account.id
            // As no operation leaves one behind.
            let hash = try await fixture.accounts.hash(fixture.password(TestPassword.right), email: nil)
            try await fixture.store.transact { transaction throws(StoreFault) in
                try transaction.put(StoredPassword(account: id, hash: hash, changedAt: 1))
            }
            let name = try #require(try await fixture.accounts.person(id).identities.first?.key.name)
            #expect(
                await outcome { try await fixture.unlink(name, from: id) }
                    == "last_sign_in_method")
            let change = AccountChange(email: (try fixture.email("a@mail.example"), isProven: true))
            _ = try await fixture.accounts.change(id, change, caller: nil)
            #expect(
                await outcome { try await fixture.unlink(name, from: id) } == "done")
            #expect(try await fixture.signIn("a@mail.example").account.id == id)
        }
    }
}
