import PosternAccounts
import PosternBase
import PosternStoreTestSupport
import PosternTokens
import Testing

@Suite struct ExchangeTests {
    @Test(arguments: TestedStore.all + [.repeating], TestProvider.allCases)
    func newAndReturning(kind: TestedStore, provider: TestProvider) async throws {
        try await withAccounts(kind) { fixture in
            let wish = TestSignIn(provider: provider)
            let first = try await fixture.signIn(wish)
            #expect(first.isNewAccount)
            #expect(first.session.method == .identityToken)
            #expect(first.session.provider == provider.rawValue)
            #expect(first.session.counter == 0)
            #expect(first.session.userAgent == "Agent/1")
            #expect(first.accessTokenExpiresAt == fixture.clock.now + 3_600)
            fixture.clock.move(by: 60)
            let second = try await fixture.signIn(wish)
            #expect(!second.isNewAccount)
            #expect(second.account.id == first.account.id)
            #expect(second.session.id != first.session.id)
            #expect(second.account.lastSignInAt == fixture.clock.now)
            let person = try await fixture.accounts.person(first.account.id)
            #expect(person.identities.count == 1)
            #expect(person.identities.first?.lastSignInAt == fixture.clock.now)
            #expect(try await fixture.accountCount() == 1)
            #expect(try await fixture.isActive(first.accessToken))
            #expect(try await fixture.isActive(second.accessToken))
        }
    }

    /// Subjects are bytes: what looks the same is not the same person.
    @Test(arguments: TestedStore.all)
    func everySubjectIsSomebody(kind: TestedStore) async throws {
        try await withAccounts(kind) { fixture in
            let subjects = ["a", "A", "a ", "\u{E9}", "e\u{301}", "a\u{0}", "a\u{0}b"]
            for subject in subjects { try await fixture.signIn(TestSignIn(subject: subject)) }
            for subject in subjects { try await fixture.signIn(TestSignIn(provider: .oidc, subject: subject)) }
            #expect(try await fixture.accountCount() == 2 * subjects.count)
        }
    }

    @Test("attack class 42: an address that is absent, changes or is a relay", arguments: TestedStore.all)
    func attack42(kind: TestedStore) async throws {
        try await withAccounts(kind) { fixture in
            let first = try await fixture.signIn(TestSignIn(email: "first@mail.example"))
            let without = try await fixture.signIn()
            #expect(without.account.id == first.account.id)
            #expect(without.account.email?.text == "first@mail.example")
            let changed = try await fixture.signIn(TestSignIn(email: "second@mail.example"))
            #expect(changed.account.id == first.account.id)
            #expect(changed.account.email?.text == "first@mail.example")
            let identities = try await fixture.accounts.person(first.account.id).identities
            #expect(identities.map(\.email) == ["second@mail.example"])
            let relay = try await fixture.signIn(
                TestSignIn(
                    subject: "relayed", email: "x1@privaterelay.appleid.com",
                    claims: [("is_private_email", .string("true"))]))
            #expect(relay.account.email?.text == "x1@privaterelay.appleid.com")
            #expect(try await fixture.accounts.person(relay.account.id).identities.map(\.isPrivateRelay) == [true])
            #expect(try await fixture.accountCount() == 2)
        }
    }

    @Test("attack class 45: another subject is another person, whatever transfer_sub says", arguments: TestedStore.all)
    func attack45(kind: TestedStore) async throws {
        try await withAccounts(kind) { fixture in
            let before = try await fixture.signIn(TestSignIn(subject: "old"))
            let after = try await fixture.signIn(TestSignIn(subject: "new", claims: [("transfer_sub", .string("old"))]))
            #expect(after.account.id != before.account.id)
        }
    }

    @Test("attack class 48: a name or address beside the token counts for nothing", arguments: TestedStore.all)
    func attack48(kind: TestedStore) async throws {
        try await withAccounts(kind) { fixture in
            let victim = try await fixture.member("victim@mail.example")
            // Only claims that were signed are looked at, and of those only `email`.
            let claims: [(String, JSONOutput)] = [
                ("user", .object([("email", .string("victim@mail.example"))])),
                ("name", .string("victim@mail.example")),
                ("preferred_username", .string("victim@mail.example")), ("upn", .string("victim@mail.example")),
            ]
            let other = try await fixture.signIn(TestSignIn(claims: claims))
            #expect(other.account.id != victim.id)
            #expect(other.account.email == nil)
        }
    }

    /// What is longer than an address can be, or none, makes an account without one.
    @Test(
        arguments: TestedStore.all,
        ["x", "a@b", "a b@mail.example", String(repeating: "a", count: 400) + "@mail.example"])
    func whatIsNoAddress(kind: TestedStore, email: String) async throws {
        try await withAccounts(kind) { fixture in
            let grant = try await fixture.signIn(TestSignIn(email: email))
            #expect(grant.account.email == nil)
            let stored = try await fixture.accounts.person(grant.account.id).identities.first?.email
            #expect(stored == (email.utf8.count <= 320 ? email : nil))
        }
    }

    /// Nothing is begun that could not be answered.
    @Test func withoutASignerNothingIsUsedUp() async throws {
        try await withAccounts(TestedStore.all[0]) { fixture in
            let master = try MasterKeys(AccountsFixture.master)
            let keys = try SigningKeys(master, plan: SigningKeyPlan(period: 1, accessTokenLifetime: 60))
            let accounts = try Accounts(
                store: fixture.counting, master: master, keys: keys,
                accessTokens: AccessTokens(keys, issuer: "https://a.example", audience: "a"),
                passwords: fixture.accounts.passwords, time: fixture.clock.source)
            try await fixture.member()
            let grant = try await fixture.signIn("member@mail.example")
            let before = try await fixture.failing.content()
            let proof = try fixture.proof(TestSignIn(client: .issued))
            let verifier = try fixture.verifier(.apple)
            let told = [
                await outcome {
                    try await accounts.exchange(
                        proof.token, nonce: proof.nonce, audience: nil, verifier: verifier, visitor: Visitor())
                },
                await outcome { try await accounts.refresh(grant.refreshToken.revealed, visitor: Visitor()) },
                await outcome {
                    try await accounts.signIn(
                        email: fixture.email("member@mail.example"), password: fixture.password(TestPassword.right),
                        visitor: Visitor())
                },
            ]
            #expect(told == ["keys", "keys", "keys"])
            #expect(try await fixture.failing.content() == before)
            try await fixture.exchange(proof)
        }
    }
}
