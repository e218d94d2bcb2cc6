import PosternAccounts
import PosternBase
import PosternStoreTestSupport
import Testing

/// To whom an identity belongs by the address of its token (design 6).
@Suite struct AddressTests {
    struct Row: Sendable, CustomStringConvertible {
        let provider: TestProvider
        let email: String
        let isVerified: JSONOutput?
        let hosted: JSONOutput?
        let hasAuthority: Bool

        init(
            _ provider: TestProvider,
            _ email: String,
            _ isVerified: JSONOutput? = .bool(true),
            hosted: JSONOutput? = nil,
            authority: Bool
        ) {
            (self.provider, self.email, self.isVerified) = (provider, email, isVerified)
            (self.hosted, hasAuthority) = (hosted, authority)
        }

        var description: String {
            "\(provider) \(email) \(isVerified?.text() ?? "-") \(hosted?.text() ?? "-")"
        }
    }

    static let rows = [
        Row(.apple, "a@mail.example", authority: true),
        Row(.apple, "a@mail.example", .string("true"), authority: true),
        Row(.apple, "a@mail.example", .bool(false), authority: false),
        Row(.apple, "a@mail.example", .string("false"), authority: false),
        Row(.apple, "a@mail.example", .string("TRUE"), authority: false),
        Row(.apple, "a@mail.example", .integer(1), authority: false),
        Row(.apple, "a@mail.example", .null, authority: false),
        Row(.apple, "a@mail.example", nil, authority: false),
        Row(.google, "a@gmail.com", authority: true),
        Row(.google, "a@GMail.COM", authority: true),
        Row(.google, "a@gmail.com", .bool(false), authority: false),
        Row(.google, "a@gmail.com", nil, authority: false),
        Row(.google, "a@googlemail.com", authority: false),
        Row(.google, "a@notgmail.com", authority: false),
        Row(.google, "a@x.gmail.com", authority: false),
        Row(.google, "a@gmail.com.mail.example", authority: false),
        Row(.google, "a@mail.example", authority: false),
        Row(.google, "a@mail.example", hosted: .string("mail.example"), authority: true),
        Row(.google, "a@mail.example", hosted: .string(""), authority: false),
        Row(.google, "a@mail.example", hosted: .null, authority: false),
        Row(.google, "a@mail.example", hosted: .bool(true), authority: false),
        Row(.google, "a@mail.example", .bool(false), hosted: .string("mail.example"), authority: false),
        Row(.oidc, "a@mail.example", authority: false),
        Row(.oidc, "a@gmail.com", hosted: .string("gmail.com"), authority: false),
    ]

    private func wish(_ row: Row) -> TestSignIn {
        TestSignIn(
            provider: row.provider, email: row.email, isVerified: row.isVerified,
            claims: row.hosted.map { [("hd", $0)] } ?? [])
    }

    @Test(
        "attack class 43: an address leads to an account only by who has a say about it", arguments: TestedStore.all,
        rows)
    func attack43(kind: TestedStore, row: Row) async throws {
        try await withAccounts(kind) { fixture in
            let member = try await fixture.member(row.email)
            let grant = try await fixture.signIn(wish(row))
            #expect((grant.account.id == member.id) == row.hasAuthority)
            #expect(grant.isNewAccount != row.hasAuthority)
            #expect((grant.account.email != nil) == row.hasAuthority)
            // The member's password stays, and works.
            #expect(try await fixture.signIn(row.email).account.id == member.id)
        }
    }

    @Test(arguments: TestedStore.all, rows)
    func aNewAccountHasTheAddressOrNone(kind: TestedStore, row: Row) async throws {
        try await withAccounts(kind) { fixture in
            let pending = try await fixture.pendingSignUp(row.email)
            let grant = try await fixture.signIn(wish(row))
            #expect((grant.account.email != nil) == row.hasAuthority)
            #expect(grant.account.emailProvenAt == (row.hasAuthority ? fixture.clock.now : nil))
            // Who waits for an address that is proven to be another's waits in vain.
            let word = await outcome { try await fixture.accounts.confirm(pending, caller: nil) }
            #expect(word == (row.hasAuthority ? "sign_up_unknown" : "done"))
        }
    }

    /// Neither side gets at what is the other's: not even a name, under which a backend may keep things and tokens live on.
    @Test(
        "attack class 44: whoever typed the address first has nothing of who proves it",
        arguments: TestedStore.all + [.repeating], [false, true])
    func attack44(kind: TestedStore, hasIdentity: Bool) async throws {
        try await withAccounts(kind, Accounts.Policy(confirmation: .none)) { fixture in
            let address = "victim@mail.example"
            guard case .account(let squatter) = try await fixture.signUp(address, userData: #"{"role":"x"}"#) else {
                Issue.record("no account")
                return
            }
            let change = AccountChange(backendData: #"{"paid":true}"#, bannedUntil: hasIdentity ? nil : .some(.max))
            let session = try await fixture.signIn(address)
            let linked = TestSignIn(provider: .oidc, subject: "squatter")
            if hasIdentity { try await fixture.signIn(linked, linkTo: session) }
            _ = try await fixture.accounts.change(squatter.account.id, change, caller: nil)

            let victim = try await fixture.signIn(TestSignIn(email: "VICTIM@mail.example"))
            #expect(victim.isNewAccount)
            #expect(victim.account.id != squatter.account.id)
            #expect(victim.account.emailProvenAt == fixture.clock.now)
            #expect(victim.account.userData == "{}" && victim.account.backendData == "{}")
            let person = try await fixture.accounts.person(victim.account.id)
            #expect(!person.hasPassword)
            #expect(person.identities.map(\.key.provider) == ["apple"])
            #expect(try await fixture.accounts.sessions(of: victim.account.id).map(\.id) == [victim.session.id])
            // What was there goes on without the address.
            let former = try await fixture.accounts.person(squatter.account.id)
            #expect(former.account.email == nil && !former.hasPassword)
            #expect(former.account.backendData == #"{"paid":true}"#)
            #expect(try await fixture.isActive(session.accessToken) == hasIdentity)
            #expect(await outcome { try await fixture.signIn(address) } == "invalid_credentials")
            guard hasIdentity else { return }
            #expect(try await fixture.signIn(linked).account.id == squatter.account.id)
            let name = try #require(former.identities.first?.key.name)
            let word = await outcome {
                try await fixture.unlink(name, from: squatter.account.id)
            }
            #expect(word == "last_sign_in_method")
        }
    }

    @Test(arguments: TestedStore.all)
    func aProvenAddressIsJoinedAndKeepsAll(kind: TestedStore) async throws {
        try await withAccounts(kind) { fixture in
            let member = try await fixture.member("a@mail.example")
            let session = try await fixture.signIn("a@mail.example")
            let grant = try await fixture.signIn(TestSignIn(email: "a@mail.example"))
            #expect(grant.account.id == member.id)
            #expect(try await fixture.isActive(session.accessToken))
            #expect(try await fixture.accounts.person(member.id).hasPassword)
        }
    }

    /// An identity that is somebody's stays theirs, whose ever its address is.
    @Test(arguments: TestedStore.all, [false, true])
    func anOwnerStaysOwner(kind: TestedStore, isProven: Bool) async throws {
        try await withAccounts(kind) { fixture in
            let owner = try await fixture.signIn()
            let other = try await fixture.member("other@mail.example", isProven: isProven)
            let again = try await fixture.signIn(TestSignIn(email: "other@mail.example"))
            #expect(again.account.id == owner.account.id)
            #expect(try await fixture.signIn("other@mail.example").account.id == other.id)
        }
    }

    @Test(arguments: TestedStore.all)
    func aBannedAccountIsNotJoined(kind: TestedStore) async throws {
        try await withAccounts(kind) { fixture in
            let member = try await fixture.member("a@mail.example")
            _ = try await fixture.accounts.change(member.id, AccountChange(bannedUntil: .some(.max)), caller: nil)
            let before = try await fixture.failing.content()
            let word = await outcome { try await fixture.signIn(TestSignIn(email: "a@mail.example")) }
            #expect(word == "account_banned")
            #expect(try await fixture.failing.content() == before)
        }
    }
}
