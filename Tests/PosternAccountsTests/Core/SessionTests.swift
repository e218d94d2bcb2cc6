import PosternAccounts
import PosternBase
import PosternJOSE
import PosternStoreTestSupport
import PosternTokens
import Testing

@Suite struct SessionTests {
    @Test(arguments: TestedStore.all)
    func listsAndEnds(kind: TestedStore) async throws {
        try await withAccounts(kind) { fixture in
            var grants: [Grant] = []
            for _ in 0..<4 {
                grants.append(try await fixture.signIn())
                fixture.clock.move(by: 1)
            }
            let id = grants[0].account.id
            let stranger = try await fixture.signIn(TestSignIn(subject: "stranger"))
            func left() async throws -> [SessionID] { try await fixture.accounts.sessions(of: id).map(\.id) }
            #expect(try await left() == grants.map(\.session.id))
            try await fixture.accounts.end(session: grants[1].session.id, caller: "test")
            #expect(try await left() == [0, 2, 3].map { grants[$0].session.id })
            let again = await outcome { try await fixture.accounts.end(session: grants[1].session.id, caller: "test") }
            #expect(again == "session_unknown")
            // Neither one of somebody else nor one that is over can go on.
            for kept in [stranger.session.id, grants[1].session.id] {
                let word = await outcome { try await fixture.accounts.endSessions(of: id, except: kept, caller: nil) }
                #expect(word == "session_unknown")
            }
            #expect(try await left().count == 3)
            #expect(try await fixture.accounts.endSessions(of: id, except: grants[2].session.id, caller: "test") == 2)
            #expect(try await left() == [grants[2].session.id])
            #expect(try await fixture.accounts.endSessions(of: id, caller: "test") == 1)
            #expect(try await fixture.accounts.endSessions(of: id, caller: "test") == 0)
            #expect(try await left() == [])
            #expect(try await fixture.isActive(stranger.accessToken))
            let nobody = AccountID(milliseconds: 1, random: .seeded(9))
            #expect(await outcome { try await fixture.accounts.sessions(of: nobody) } == "account_unknown")
            #expect(
                await outcome { try await fixture.accounts.endSessions(of: nobody, caller: nil) } == "account_unknown")
        }
    }

    @Test("attack class 63: an ended session is over at once, for every token of it", arguments: TestedStore.all)
    func attack63(kind: TestedStore) async throws {
        try await withAccounts(kind) { fixture in
            let first = try await fixture.signIn()
            let second = try await fixture.refresh(first)
            try await fixture.accounts.end(session: first.session.id, caller: nil)
            for grant in [first, second] {
                #expect(try await !fixture.isActive(grant.accessToken))
                #expect(try await !fixture.isActive(grant.refreshToken))
                #expect(await outcome { try await fixture.refresh(grant) } == "session_ended")
            }
        }
    }

    @Test(arguments: TestedStore.all, ["access", "refresh", "former access", "former refresh"])
    func revocation(kind: TestedStore, what: String) async throws {
        try await withAccounts(kind) { fixture in
            let first = try await fixture.signIn()
            let second = try await fixture.refresh(first)
            let other = try await fixture.signIn()
            let token =
                switch what {
                case "access": second.accessToken
                case "refresh": second.refreshToken
                case "former access": first.accessToken
                default: first.refreshToken
                }
            try await fixture.accounts.revoke(token.revealed, caller: nil)
            #expect(try await !fixture.isActive(second.accessToken))
            #expect(await outcome { try await fixture.refresh(second) } == "session_ended")
            #expect(try await fixture.isActive(other.accessToken))
            // Once more, and whatever else: nothing is said (RFC 7009 §2.2).
            for text in [token.revealed, "", "x", try fixture.proof().token, other.accessToken.revealed + "A"] {
                try await fixture.accounts.revoke(text, caller: nil)
            }
            #expect(try await fixture.isActive(other.accessToken))
        }
    }

    @Test(arguments: TestedStore.all)
    func introspectionSaysWhose(kind: TestedStore) async throws {
        try await withAccounts(kind) { fixture in
            let grant = try await fixture.signIn()
            guard
                case .accessToken(let content, let session, let account) =
                    try await fixture.accounts.introspect(grant.accessToken.revealed),
                case .refreshToken(let other, _) = try await fixture.accounts.introspect(grant.refreshToken.revealed)
            else {
                Issue.record("inactive")
                return
            }
            #expect(content.session == grant.session.id)
            #expect(content.expiresAt == grant.accessTokenExpiresAt)
            #expect(session.id == grant.session.id)
            #expect(other.id == grant.session.id)
            #expect(account.id == grant.account.id)
            fixture.clock.move(by: 3_600)
            #expect(try await !fixture.isActive(grant.accessToken))
            #expect(try await fixture.isActive(grant.refreshToken))
            for text in ["", "x", try fixture.proof().token] { #expect(try await !fixture.isActive(Secret(text))) }
        }
    }

    /// The first sight of a generation is one write; after that introspection only reads.
    @Test(arguments: TestedStore.all)
    func seenIsWrittenOnce(kind: TestedStore) async throws {
        try await withAccounts(kind) { fixture in
            var grant = try await fixture.signIn()
            for _ in 0..<3 {
                _ = fixture.counting.takeCounts()
                for _ in 0..<5 { #expect(try await fixture.isActive(grant.accessToken)) }
                #expect(try await fixture.isActive(grant.refreshToken))
                let counts = fixture.counting.takeCounts()
                #expect(counts.commits == 1)
                #expect(counts.durableWrites == 1)
                #expect(counts.changes == [.putSession: 1])
                grant = try await fixture.refresh(grant)
            }
        }
    }

    /// Rules that have become shorter count for the sessions that there are, and longer ones from the next refresh on.
    @Test(
        arguments: TestedStore.all,
        [
            (SessionPolicy(timeBox: 1_000), 999, true), (SessionPolicy(timeBox: 1_000), 1_000, false),
            (SessionPolicy(inactivity: 1_000), 999, true), (SessionPolicy(inactivity: 1_000), 1_000, false),
            (SessionPolicy(inactivity: 90 * 86_400), 60 * 86_400 - 1, true),
            (SessionPolicy(inactivity: 90 * 86_400), 60 * 86_400, false),
        ] as [(SessionPolicy, Int64, Bool)])
    func otherRules(kind: TestedStore, change: (SessionPolicy, Int64, Bool)) async throws {
        let (sessions, seconds, lives) = change
        try await withAccounts(kind) { fixture in
            let grant = try await fixture.signIn()
            fixture.clock.move(by: seconds)
            try await fixture.restart(policy: Accounts.Policy(sessions: sessions))
            #expect(try await fixture.accounts.sessions(of: grant.account.id).isEmpty != lives)
            #expect(try await fixture.isActive(grant.refreshToken) == lives)
            let linking = await outcome { try await fixture.signIn(TestSignIn(provider: .oidc), linkTo: grant) }
            #expect(linking == (lives && seconds < 3_600 ? "done" : "session_ended"))
            var next: Grant?
            let refresh = await outcome { next = try await fixture.refresh(grant) }
            #expect(refresh == (lives ? "done" : "session_ended"))
            if let next { #expect(next.accessTokenExpiresAt > fixture.clock.now) }
        }
    }

    @Test(arguments: TestedStore.all)
    func oneSessionAlone(kind: TestedStore) async throws {
        let policy = Accounts.Policy(sessions: SessionPolicy(isSingle: true))
        try await withAccounts(kind, policy) { fixture in
            let first = try await fixture.signIn()
            let stranger = try await fixture.signIn(TestSignIn(subject: "stranger"))
            let proof = try fixture.proof()
            let second = try await fixture.exchange(proof)
            #expect(try await !fixture.isActive(first.accessToken))
            #expect(try await fixture.isActive(stranger.accessToken))
            // A retry gets the one session; it does not end it.
            #expect(try await fixture.exchange(proof).session == second.session)
            // Linking is a sign-in too.
            let third = try await fixture.signIn(TestSignIn(provider: .oidc), linkTo: second)
            #expect(try await fixture.accounts.sessions(of: first.account.id).map(\.id) == [third.session.id])
        }
    }

    @Test(arguments: TestedStore.all)
    func aHundredSessions(kind: TestedStore) async throws {
        try await withAccounts(kind) { fixture in
            try await fixture.member()
            var grants: [Grant] = []
            for _ in 0..<103 {
                grants.append(try await fixture.signIn("member@mail.example"))
                fixture.clock.move(by: 1)
            }
            let left = try await fixture.accounts.sessions(of: grants[0].account.id).map(\.id)
            #expect(left == grants.suffix(100).map(\.session.id))
            #expect(try await !fixture.isActive(grants[2].accessToken))
            #expect(try await fixture.isActive(grants[3].accessToken))
        }
    }

    /// What is over takes nobody's place.
    @Test(arguments: TestedStore.all)
    func sessionsThatAreOverMakeRoom(kind: TestedStore) async throws {
        let policy = Accounts.Policy(sessions: SessionPolicy(inactivity: 1_000))
        try await withAccounts(kind, policy) { fixture in
            for _ in 0..<100 { try await fixture.signIn() }
            fixture.clock.move(by: 1_000)
            let kept = try await fixture.signIn()
            let id = kept.account.id
            #expect(try await fixture.accounts.sessions(of: id).map(\.id) == [kept.session.id])
            // The oldest of them has gone all the same, and none of the living before all of them.
            #expect(try await fixture.accounts.keptSessions(of: id).count == 100)
            for _ in 0..<99 { try await fixture.signIn() }
            #expect(try await fixture.accounts.keptSessions(of: id).count == 100)
            #expect(try await fixture.accounts.sessions(of: id).count == 100)
            let ended = try await fixture.accounts.auditTrail(of: nil, before: nil, limit: 1_000)
                .filter { $0.entry.detail == "too_many_sessions" }
            #expect(ended.isEmpty)
        }
    }

    @Test(
        "attack class 66: a session's token where an identity token is wanted, and the other way round",
        arguments: TestedStore.all)
    func attack66(kind: TestedStore) async throws {
        try await withAccounts(kind) { fixture in
            let proof = try fixture.proof(TestSignIn(provider: .oidc, client: .unchecked))
            let grant = try await fixture.exchange(proof)
            #expect(try await !fixture.isActive(Secret(proof.token)))
            // An operator who trusts the server's own issuer, keys, audience and algorithm as a provider.
            let keys = fixture.accounts.keys
            let own = try TokenVerifier(
                .oidc(
                    issuer: AccountsFixture.issuer, audiences: [Audience("app", nonce: .unchecked)],
                    algorithms: [.es256],
                    keySetURL: "https://accounts.example/.well-known/jwks.json"),
                keys: StaticKeySource(KeySet(keys.keySet)), time: fixture.clock.source)
            let word = await outcome {
                try await fixture.accounts.exchange(
                    grant.accessToken.revealed, nonce: nil, audience: nil, verifier: own, visitor: Visitor())
            }
            #expect(word == "not_an_identity_token")
            for provider in TestProvider.allCases {
                let proof = TestProof(token: grant.accessToken.revealed, provider: provider)
                #expect(await outcome { try await fixture.exchange(proof) } != "done")
            }
        }
    }

    /// Whoever asks about a token is answered although nothing can be written down.
    @Test(arguments: TestedStore.all)
    func introspectionNeedsNoRoom(kind: TestedStore) async throws {
        try await withAccounts(kind) { fixture in
            let grant = try await fixture.signIn()
            fixture.failing.fail(.at(4), with: .full)
            #expect(try await fixture.isActive(grant.accessToken))
            #expect(fixture.failing.failedCall != nil)
            fixture.failing.fail(.never)
        }
    }
}
