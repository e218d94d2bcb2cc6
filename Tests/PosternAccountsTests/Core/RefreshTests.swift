import PosternAccounts
import PosternBase
import PosternStoreTestSupport
import Testing

@Suite struct RefreshTests {
    @Test(arguments: TestedStore.all + [.repeating])
    func aSessionGoesOn(kind: TestedStore) async throws {
        try await withAccounts(kind) { fixture in
            var grant = try await fixture.signIn()
            for counter: Int64 in 1...20 {
                fixture.clock.move(by: 3_000)
                let next = try await fixture.refresh(grant)
                #expect(next.session.id == grant.session.id)
                #expect(next.session.counter == counter)
                #expect(next.account.id == grant.account.id)
                #expect(try await fixture.isActive(next.accessToken))
                grant = next
            }
        }
    }

    @Test(
        "attack classes 61 and 62: a former token gets the active one, or ends the session", arguments: TestedStore.all,
        [
            (0, false, "done"), (9, true, "done"), (10, false, "done"), (10, true, "refresh_token_reused"),
            (11, false, "done"), (11, true, "refresh_token_reused"), (86_400, false, "done"),
            (86_400, true, "refresh_token_reused"),
        ] as [(Int64, Bool, String)])
    func attack61And62(kind: TestedStore, row: (later: Int64, isSeen: Bool, word: String)) async throws {
        try await withAccounts(kind) { fixture in
            let first = try await fixture.signIn()
            fixture.clock.move(by: 100)
            let second = try await fixture.refresh(first)
            if row.isSeen { #expect(try await fixture.isActive(second.accessToken)) }
            fixture.clock.move(by: row.later)
            let word = await outcome {
                let again = try await fixture.refresh(first)
                #expect(again.refreshToken.revealed == second.refreshToken.revealed)
                #expect(again.session.counter == 1)
            }
            #expect(word == row.word)
            // The session ended for both bearers, or for none.
            #expect(
                await outcome { try await fixture.refresh(second) } == (row.word == "done" ? "done" : "session_ended"))
            #expect((try await fixture.session(first.session.id) != nil) == (row.word == "done"))
            let reuses = try await fixture.accounts.auditTrail(of: first.account.id, before: nil, limit: 100)
                .filter { $0.entry.event == .refreshTokenReused }
            #expect(reuses.count == (row.word == "done" ? 0 : 1))
        }
    }

    /// Whatever comes back shows that the client has got it.
    @Test(arguments: TestedStore.all, ["access token", "refresh token", "refreshed"])
    func whatCountsAsSeen(kind: TestedStore, what: String) async throws {
        try await withAccounts(kind) { fixture in
            let first = try await fixture.signIn()
            let second = try await fixture.refresh(first)
            switch what {
            case "access token": #expect(try await fixture.isActive(second.accessToken))
            case "refresh token": #expect(try await fixture.isActive(second.refreshToken))
            default: try await fixture.refresh(second)
            }
            fixture.clock.move(by: 60)
            #expect(await outcome { try await fixture.refresh(first) } == "refresh_token_reused")
        }
    }

    /// An access token of the generation before shows nothing of the present one.
    @Test(arguments: TestedStore.all)
    func aFormerAccessTokenShowsNothing(kind: TestedStore) async throws {
        try await withAccounts(kind) { fixture in
            let first = try await fixture.signIn()
            let second = try await fixture.refresh(first)
            #expect(try await fixture.isActive(first.accessToken))
            #expect(try await fixture.session(first.session.id)?.isSeen == false)
            fixture.clock.move(by: 60)
            #expect(try await fixture.refresh(first).refreshToken.revealed == second.refreshToken.revealed)
        }
    }

    @Test(arguments: TestedStore.all)
    func whatIsNoRefreshToken(kind: TestedStore) async throws {
        try await withAccounts(kind) { fixture in
            let proof = try fixture.proof()
            let grant = try await fixture.exchange(proof)
            let texts = ["", "x", grant.accessToken.revealed, proof.token, grant.refreshToken.revealed + "A"]
            for text in texts {
                let word = await outcome { try await fixture.accounts.refresh(text, visitor: Visitor()) }
                #expect(word == "refresh_token_unknown")
            }
            #expect(try await fixture.refresh(grant).session.counter == 1)
        }
    }

    @Test(
        arguments: TestedStore.all,
        [(99, "done"), (100, "session_ended"), (10_000, "session_ended")] as [(Int64, String)])
    func inactivity(kind: TestedStore, row: (later: Int64, word: String)) async throws {
        let policy = Accounts.Policy(sessions: SessionPolicy(inactivity: 100))
        try await withAccounts(kind, policy) { fixture in
            let grant = try await fixture.signIn()
            fixture.clock.move(by: row.later)
            #expect(try await fixture.isActive(grant.accessToken) == (row.word == "done"))
            #expect(try await fixture.isActive(grant.refreshToken) == (row.word == "done"))
            #expect(try await fixture.accounts.sessions(of: grant.account.id).count == (row.word == "done" ? 1 : 0))
            #expect(await outcome { try await fixture.refresh(grant) } == row.word)
        }
    }

    @Test(arguments: TestedStore.all)
    func aTimeBox(kind: TestedStore) async throws {
        let policy = Accounts.Policy(sessions: SessionPolicy(timeBox: 250, inactivity: 100))
        try await withAccounts(kind, policy) { fixture in
            var grant = try await fixture.signIn()
            for _ in 0..<3 {
                fixture.clock.move(by: 80)
                grant = try await fixture.refresh(grant)
            }
            #expect(grant.accessTokenExpiresAt == fixture.clock.now + 10)
            fixture.clock.move(by: 10)
            #expect(await outcome { try await fixture.refresh(grant) } == "session_ended")
            _ = try await fixture.accounts.purge(now: fixture.clock.now, auditRetention: 86_400)
            #expect(try await fixture.session(grant.session.id) == nil)
        }
    }

    /// Nobody loses a session to a clock that was ahead for a while: neither who refreshes then, nor who has another session when
    /// somebody signs in.
    @Test(arguments: TestedStore.all + [.repeating], [3_600, 20 * 365 * 86_400] as [Int64])
    func aClockThatWasAhead(kind: TestedStore, step: Int64) async throws {
        let policy = Accounts.Policy(sessions: SessionPolicy(timeBox: 3_000, inactivity: 1_000))
        try await withAccounts(kind, policy) { fixture in
            let first = try await fixture.signIn()
            let second = try await fixture.signIn()
            fixture.clock.move(by: step)
            let before = fixture.toldLines.count
            for _ in 0..<3 { #expect(await outcome { try await fixture.refresh(first) } == "session_ended") }
            // Nothing is written for who comes too late, however often.
            #expect(fixture.toldLines.count == before)
            let ahead = try await fixture.signIn()
            fixture.clock.move(by: -step)
            for grant in [first, second] {
                #expect(try await fixture.isActive(grant.accessToken))
                #expect(try await fixture.refresh(grant).session.counter == 1)
            }
            #expect(try await fixture.accounts.sessions(of: first.account.id).map(\.id).contains(ahead.session.id))
        }
    }

    /// Rules that have become shorter count for what is answered once more, too.
    @Test(arguments: TestedStore.all)
    func shorterRulesBeforeAnAnswerIsGivenAgain(kind: TestedStore) async throws {
        try await withAccounts(kind) { fixture in
            let first = try await fixture.signIn()
            fixture.clock.move(by: 100)
            try await fixture.refresh(first)
            try await fixture.restart(policy: Accounts.Policy(sessions: SessionPolicy(timeBox: 500)))
            let again = try await fixture.refresh(first)
            #expect(again.session.counter == 1 && again.session.expiresAt == first.session.createdAt + 500)
            #expect(again.accessTokenExpiresAt == first.session.createdAt + 500)
        }
    }
}
