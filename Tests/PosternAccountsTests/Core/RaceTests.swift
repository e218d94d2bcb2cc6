import PosternAccounts
import PosternBase
import PosternStoreTestSupport
import PosternTokens
import Testing

/// Many ask at once; what comes of it is what would have come of it one after another.
@Suite struct RaceTests {
    @Test(arguments: TestedStore.all, [TestClient.hashed, .issued, .plain])
    func fiftyExchangesOfOneToken(kind: TestedStore, client: TestClient) async throws {
        for _ in 0..<RaceRounds.count {
            try await withAccounts(kind) { fixture in
                let proof = try fixture.proof(TestSignIn(provider: .oidc, client: client))
                let results = await atOnce(50) { number -> (word: String, session: SessionID?) in
                    // In the middle of it the clock ticks.
                    if number == 25 { fixture.clock.move(by: 1) }
                    do { return ("done", try await fixture.exchange(proof).session.id) } catch {
                        return ((error as? AccountError)?.word ?? "\(error)", nil)
                    }
                }
                let sessions = Set(results.compactMap(\.session))
                #expect(sessions.count == 1)
                #expect(Set(results.map(\.word)).isSubset(of: ["done", "token_used"]))
                #expect(results.count { $0.word == "done" } == (client == .plain ? 1 : 50))
                let people = try await fixture.accounts.people(after: nil, limit: 10)
                #expect(people.count == 1)
                #expect(try await fixture.accounts.sessions(of: people[0].account.id).map(\.id) == Array(sessions))
            }
        }
    }

    @Test(arguments: TestedStore.all, Accounts.Confirmation.allCases)
    func fiftySignUpsOfOneAddress(kind: TestedStore, confirmation: Accounts.Confirmation) async throws {
        let policy = Accounts.Policy(confirmation: confirmation, attempts: AttemptRule(burst: 50, refill: 60))
        for _ in 0..<RaceRounds.count {
            try await withAccounts(kind, policy) { fixture in
                let words = await atOnce(50) { _ in await outcome { try await fixture.signUp("a@mail.example") } }
                if confirmation == .external {
                    #expect(words.allSatisfy { $0 == "done" })
                    let pending = try await fixture.accounts.signUps(after: nil, limit: 100).map(\.id)
                    #expect(pending.count == 5)
                    let confirmed = await atOnce(5) { number in
                        await outcome { try await fixture.accounts.confirm(pending[number], caller: nil) }
                    }
                    #expect(confirmed.sorted() == ["done"] + [String](repeating: "sign_up_unknown", count: 4))
                } else {
                    #expect(words.sorted() == ["done"] + [String](repeating: "email_taken", count: 49))
                }
                #expect(try await fixture.accountCount() == 1)
            }
        }
    }

    @Test("attack class 60: many refreshes with one token", arguments: TestedStore.all)
    func attack60(kind: TestedStore) async throws {
        for round in 0..<RaceRounds.count {
            try await withAccounts(kind) { fixture in
                let first = try await fixture.signIn()
                let second = try await fixture.refresh(first)
                let tokens = Lock<Set<String>>([])
                let words = await atOnce(20) { number in
                    // The clock ticks, and somebody uses what the others got.
                    if number == 10 { fixture.clock.move(by: 1) }
                    return await outcome {
                        let grant = try await fixture.refresh(number == 15 ? first : second)
                        if round % 2 == 0 { #expect(try await fixture.isActive(grant.accessToken)) }
                        tokens.withLock { _ = $0.insert(grant.refreshToken.revealed) }
                    }
                }
                #expect(words.allSatisfy { $0 == "done" }, "\(words)")
                // The one that came with the token before may have been first, and then got that.
                #expect(tokens.withLock { $0.subtracting([second.refreshToken.revealed]).count } == 1)
                #expect(try await fixture.session(first.session.id)?.counter == 2)
            }
        }
    }

    /// Two clocks that differ, or two requests that overtake each other at the border of a second: nobody is a thief for that.
    @Test(arguments: TestedStore.all)
    func theEarlierOneIsJudgedLater(kind: TestedStore) async throws {
        try await withAccounts(kind) { fixture in
            let first = try await fixture.signIn()
            fixture.clock.move(by: 2)
            let second = try await fixture.refresh(first)
            let third = try await fixture.refresh(second)
            #expect(try await fixture.isActive(third.accessToken))
            fixture.clock.move(by: -1)
            for former in [first, second] {
                #expect(try await fixture.refresh(former).refreshToken.revealed == third.refreshToken.revealed)
            }
        }
    }

    @Test(arguments: TestedStore.all, [true, false])
    func theFormerTokenAfterTenSeconds(kind: TestedStore, isSeen: Bool) async throws {
        for _ in 0..<RaceRounds.count {
            try await withAccounts(kind) { fixture in
                let first = try await fixture.signIn()
                let second = try await fixture.refresh(first)
                if isSeen { #expect(try await fixture.isActive(second.accessToken)) }
                fixture.clock.move(by: 11)
                let words = await atOnce(10) { _ in await outcome { try await fixture.refresh(first) } }
                if isSeen {
                    #expect(words.count { $0 == "refresh_token_reused" } == 1)
                    #expect(words.count { $0 == "session_ended" } == 9)
                } else {
                    #expect(words.allSatisfy { $0 == "done" })
                }
                #expect((try await fixture.session(first.session.id) == nil) == isSeen)
            }
        }
    }

    @Test(arguments: TestedStore.all)
    func linkAgainstUnlink(kind: TestedStore) async throws {
        for _ in 0..<RaceRounds.count {
            try await withAccounts(kind) { fixture in
                let first = try await fixture.signIn()
                let id = first.account.id
                let proof = try fixture.proof(TestSignIn(provider: .oidc))
                let name = try #require(try await fixture.accounts.person(id).identities.first?.key.name)
                let words = await atOnce(4) { number in
                    number == 0
                        ? await outcome { try await fixture.exchange(proof, linkTo: first) }
                        : await outcome { try await fixture.unlink(name, from: id) }
                }
                #expect(words.count { $0 == "done" } <= 2)
                // However it went, there is a way to sign in, and at most one was taken away.
                let identities = try await fixture.accounts.person(id).identities
                #expect((1...2).contains(identities.count))
                #expect(identities.contains { $0.key.provider == "oidc" })
            }
        }
    }

    /// Two are linked and each is unlinked at once: one stays.
    @Test(arguments: TestedStore.all)
    func theLastOneStays(kind: TestedStore) async throws {
        for _ in 0..<RaceRounds.count {
            try await withAccounts(kind) { fixture in
                let first = try await fixture.signIn()
                try await fixture.signIn(TestSignIn(provider: .oidc), linkTo: first)
                let names = try await fixture.accounts.person(first.account.id).identities.compactMap(\.key.name)
                let words = await atOnce(2) { number in
                    await outcome {
                        try await fixture.unlink(names[number], from: first.account.id)
                    }
                }
                #expect(words.sorted() == ["done", "last_sign_in_method"])
            }
        }
    }

    @Test(arguments: TestedStore.all)
    func revokeAgainstRefresh(kind: TestedStore) async throws {
        for _ in 0..<RaceRounds.count {
            try await withAccounts(kind) { fixture in
                let first = try await fixture.signIn()
                let grants = Lock<[Grant]>([first])
                let words = await atOnce(10) { number in
                    await outcome {
                        guard number != 5 else {
                            return try await fixture.accounts.revoke(first.accessToken.revealed, caller: nil)
                        }
                        let grant = try await fixture.refresh(first)
                        grants.withLock { $0.append(grant) }
                        _ = try await fixture.isActive(grant.accessToken)
                    }
                }
                #expect(Set(words).isSubset(of: ["done", "session_ended"]))
                for grant in grants.withLock({ $0 }) {
                    #expect(try await !fixture.isActive(grant.accessToken))
                    #expect(await outcome { try await fixture.refresh(grant) } == "session_ended")
                }
            }
        }
    }

    /// Whoever comes by way of the mailbox and whoever sits there already: afterwards there is one of them.
    @Test(arguments: TestedStore.all)
    func reclaimAgainstEverything(kind: TestedStore) async throws {
        for _ in 0..<RaceRounds.count {
            try await withAccounts(kind) { fixture in
                let address = "victim@mail.example"
                let squatter = try await fixture.member(address, isProven: false)
                let session = try await fixture.signIn(address)
                let victim = try fixture.proof(TestSignIn(email: address))
                let linked = try fixture.proof(TestSignIn(provider: .oidc))
                _ = await atOnce(5) { number in
                    switch number {
                    case 0: await outcome { try await fixture.exchange(victim) }
                    case 1: await outcome { try await fixture.exchange(linked, linkTo: session) }
                    case 2: await outcome { try await fixture.signIn(address) }
                    case 3: await outcome { try await fixture.refresh(session) }
                    default:
                        await outcome {
                            try await fixture.accounts.changePassword(
                                of: squatter.id, old: fixture.password(TestPassword.right),
                                new: fixture.password(TestPassword.other), keeping: session.session.id,
                                visitor: Visitor())
                        }
                    }
                }
                let person = try await fixture.accounts.person(squatter.id)
                #expect(person.account.email == nil)
                #expect(!person.identities.map(\.key.provider).contains("apple"))
                #expect(try await !fixture.accounts.sessions(of: squatter.id).map(\.provider).contains("apple"))
                #expect(await outcome { try await fixture.signIn(address) } == "invalid_credentials")
                let owner = try await fixture.accounts.person(email: fixture.email(address))
                #expect(owner.identities.map(\.key.provider) == ["apple"])
                #expect(owner.account.id != squatter.id)
            }
        }
    }
}
