import PosternAccounts
import PosternBase
import PosternStoreTestSupport
import PosternTestSupport
import Testing

@Suite struct PeopleTests {
    @Test("attack class 46: who was deleted and returns begins anew", arguments: TestedStore.all)
    func attack46(kind: TestedStore) async throws {
        try await withAccounts(kind) { fixture in
            let proof = try fixture.proof(TestSignIn(email: "a@mail.example"))
            let grant = try await fixture.exchange(proof)
            let pending = try await fixture.pendingSignUp("a@mail.example")
            try await fixture.accounts.delete(account: grant.account.id, caller: "backend")
            #expect(try await !fixture.isActive(grant.accessToken))
            #expect(await outcome { try await fixture.refresh(grant) } == "session_ended")
            #expect(await outcome { try await fixture.exchange(proof) } == "token_used")
            #expect(await outcome { try await fixture.accounts.confirm(pending, caller: nil) } == "sign_up_unknown")
            let word = await outcome { try await fixture.accounts.delete(account: grant.account.id, caller: nil) }
            #expect(word == "account_unknown")
            let returned = try await fixture.signIn(TestSignIn(email: "a@mail.example"))
            #expect(returned.isNewAccount)
            #expect(returned.account.id != grant.account.id)
            #expect(returned.account.userData == "{}")
            #expect(try await fixture.accounts.auditTrail(of: grant.account.id, before: nil, limit: 10).count > 1)
        }
    }

    @Test("attack class 47: what a notification asks for can be done, and done again", arguments: TestedStore.all)
    func attack47(kind: TestedStore) async throws {
        try await withAccounts(kind) { fixture in
            let grant = try await fixture.signIn()
            for _ in 0..<2 { _ = try await fixture.accounts.endSessions(of: grant.account.id, caller: "apple") }
            #expect(try await !fixture.isActive(grant.accessToken))
            let words = [
                await outcome { try await fixture.accounts.delete(account: grant.account.id, caller: "apple") },
                await outcome { try await fixture.accounts.delete(account: grant.account.id, caller: "apple") },
            ]
            #expect(words == ["done", "account_unknown"])
        }
    }

    @Test(arguments: TestedStore.all)
    func aBanEndsEverything(kind: TestedStore) async throws {
        try await withAccounts(kind) { fixture in
            let proof = try fixture.proof()
            let grant = try await fixture.exchange(proof)
            let id = grant.account.id
            func ban(_ until: Int64?) async throws {
                _ = try await fixture.accounts.change(id, AccountChange(bannedUntil: .some(until)), caller: "test")
            }
            try await ban(fixture.clock.now + 100)
            #expect(try await !fixture.isActive(grant.accessToken))
            #expect(try await !fixture.isActive(grant.refreshToken))
            #expect(await outcome { try await fixture.refresh(grant) } == "session_ended")
            #expect(await outcome { try await fixture.exchange(proof) } == "token_used")
            #expect(await outcome { try await fixture.signIn() } == "account_banned")
            fixture.clock.move(by: 100)
            try await fixture.signIn()
            // What had ended stays so.
            #expect(await outcome { try await fixture.refresh(grant) } == "session_ended")
            try await ban(.max)
            fixture.clock.set(1 << 40)
            #expect(await outcome { try await fixture.signIn() } != "done")
            fixture.clock.set(TestToken.issuedAt + 200)
            // The second time there is no ban that could end.
            for _ in 0..<2 { try await ban(nil) }
            try await fixture.signIn()
            let events = try await fixture.accounts.auditTrail(of: id, before: nil, limit: 100).map(\.entry.event)
            #expect(events.count { $0 == .accountBanned } == 2)
            #expect(events.count { $0 == .accountUnbanned } == 1)
        }
    }

    /// The second may have come before it is written down: it was a ban, and no end of one.
    @Test(arguments: TestedStore.all, [-1, 0, 1] as [Int64])
    func aBanThatIsOverAtOnce(kind: TestedStore, span: Int64) async throws {
        try await withAccounts(kind) { fixture in
            let grant = try await fixture.signIn()
            let ban = AccountChange(bannedUntil: .some(fixture.clock.now + span))
            let account = try await fixture.accounts.change(grant.account.id, ban, caller: "test").account
            #expect(account.isBanned(at: fixture.clock.now) == (span > 0))
            #expect(try await !fixture.isActive(grant.accessToken))
            let trail = try await fixture.accounts.auditTrail(of: grant.account.id, before: nil, limit: 1)
            #expect(trail.map(\.entry.event) == [.accountBanned])
        }
    }

    @Test(arguments: TestedStore.all)
    func changes(kind: TestedStore) async throws {
        try await withAccounts(kind) { fixture in
            let member = try await fixture.member("a@mail.example")
            try await fixture.member("b@mail.example")
            let pending = try await fixture.pendingSignUp("c@mail.example")
            func change(_ address: String, _ isProven: Bool) async -> String {
                await outcome {
                    try await fixture.accounts.change(
                        member.id, AccountChange(email: (fixture.email(address), isProven: isProven)), caller: nil)
                }
            }
            #expect(await change("B@mail.example", true) == "email_taken")
            // Its own address in another spelling is no other's.
            #expect(await change("A@mail.example", true) == "done")
            // What is proven gives way to what is proven alone.
            #expect(await change("c@mail.example", false) == "email_unproven")
            #expect(try await fixture.accounts.person(member.id).account.email == fixture.email("A@mail.example"))
            #expect(try await fixture.accounts.signUps(after: nil, limit: 10).count == 1)
            #expect(await change("c@mail.example", true) == "done")
            #expect(await outcome { try await fixture.accounts.confirm(pending, caller: nil) } == "sign_up_unknown")
            let data = AccountChange(userData: #"{"a":1}"#, backendData: #"{"b":2}"#)
            let person = try await fixture.accounts.change(member.id, data, caller: nil)
            #expect(person.account.userData == #"{"a":1}"#)
            #expect(person.account.backendData == #"{"b":2}"#)
            #expect(person.account.email?.text == "c@mail.example")
            let nobody = AccountID(milliseconds: 1, random: .seeded(9))
            #expect(await outcome { try await fixture.accounts.change(nobody, data, caller: nil) } == "account_unknown")
            #expect(await outcome { try await fixture.accounts.person(nobody) } == "account_unknown")
        }
    }
}
