import PosternAccounts
import PosternBase
import PosternStoreTestSupport
import PosternTokens
import Testing

/// What is used stays used: over restarts, purges and clocks that step (design 4.5).
@Suite struct StoredNonceTests {
    private static let issued = TestSignIn(client: .issued)

    @Test(arguments: TestedStore.all)
    func aRestartForgetsNothing(kind: TestedStore) async throws {
        try await withAccounts(kind) { fixture in
            let unused = try fixture.proof(Self.issued)
            let used = try fixture.proof(Self.issued)
            let grant = try await fixture.exchange(used)
            try await fixture.restart()
            try await fixture.exchange(unused)
            #expect(try await fixture.exchange(used).session == grant.session)
            let again = try fixture.proof(TestSignIn(client: .issued, nonce: used.nonce))
            #expect(await outcome { try await fixture.exchange(again) } == "nonce_used")
            fixture.clock.move(by: 30)
            #expect(await outcome { try await fixture.exchange(used) } == "token_used")
            // Sessions go on.
            #expect(try await fixture.isActive(grant.accessToken))
            #expect(try await fixture.refresh(grant).session.counter == 1)
        }
    }

    @Test(arguments: TestedStore.all)
    func anotherMasterKey(kind: TestedStore) async throws {
        try await withAccounts(kind) { fixture in
            let unused = try fixture.proof(Self.issued)
            let used = try fixture.proof(Self.issued)
            let grant = try await fixture.exchange(used)
            let new = Secret([UInt8](repeating: 8, count: 32))
            try await fixture.restart(master: [new] + AccountsFixture.master)
            #expect(await outcome { try await fixture.exchange(unused) } == "done")
            let again = try fixture.proof(TestSignIn(client: .issued, nonce: used.nonce))
            #expect(await outcome { try await fixture.exchange(again) } == "nonce_used")
            let next = try await fixture.refresh(grant)
            #expect(try await fixture.isActive(next.accessToken))
            #expect(try await fixture.isActive(grant.accessToken))
        }
    }

    /// The verifier and the exchange use up the same nonces.
    @Test(arguments: TestedStore.all)
    func verifyingAndExchanging(kind: TestedStore) async throws {
        try await withAccounts(kind) { fixture in
            func verify(_ proof: TestProof, consumes: Bool) async -> String {
                await outcome {
                    try await fixture.verifier(.apple).identity(
                        proof.token, VerificationRequest(nonce: proof.nonce, consumesNonce: consumes))
                }
            }
            let first = try fixture.proof(Self.issued)
            #expect(await verify(first, consumes: false) == "done")
            #expect(await verify(first, consumes: true) == "done")
            #expect(await verify(first, consumes: false) == "nonce_used")
            #expect(await verify(first, consumes: true) == "nonce_used")
            #expect(await outcome { try await fixture.exchange(first) } == "nonce_used")
            let second = try fixture.proof(Self.issued)
            try await fixture.exchange(second)
            #expect(await verify(second, consumes: true) == "nonce_used")
        }
    }

    @Test(arguments: TestedStore.all, [1, 1_000] as [Int64])
    func nonceAndTokenArePurgedAndTheClockIsSetBack(kind: TestedStore, late: Int64) async throws {
        try await withAccounts(kind) { fixture in
            let early = try fixture.proof(Self.issued)
            let used = try fixture.proof(Self.issued)
            try await fixture.exchange(used)
            let start = fixture.clock.now
            // The nonce is purged, the token not yet.
            fixture.clock.set(start + 600 + late)
            #expect(try await fixture.accounts.purge(now: fixture.clock.now, auditRetention: .max) > 0)
            fixture.clock.set(start + 31)
            let again = try fixture.proof(TestSignIn(client: .issued, nonce: used.nonce))
            for proof in [again, early] {
                #expect(await outcome { try await fixture.exchange(proof) } == "nonce_expired")
            }
            #expect(await outcome { try await fixture.exchange(used) } == "token_used")
            // Now the token as well.
            fixture.clock.set(start + 3_960 + late)
            #expect(try await fixture.accounts.purge(now: fixture.clock.now, auditRetention: .max) > 0)
            fixture.clock.set(start + 31)
            #expect(await outcome { try await fixture.exchange(used) } == "token_used")
            // Even one that was never used, of the same time: nobody knows that any more.
            let other = try fixture.proof(TestSignIn(claims: [("exp", .integer(start + 3_600))]))
            #expect(await outcome { try await fixture.exchange(other) } == "token_used")
            // What expires later is as good as ever.
            fixture.clock.set(start + 3_960 + late)
            try await fixture.exchange(fixture.proof(Self.issued))
        }
    }

    /// At every second up to the end, purged at every second, the token buys nothing.
    @Test(arguments: TestedStore.all)
    func toTheLastSecond(kind: TestedStore) async throws {
        try await withAccounts(kind) { fixture in
            let start = fixture.clock.now
            let proof = try fixture.proof(TestSignIn(claims: [("exp", .integer(start + 40))]))
            let unused = try fixture.proof(TestSignIn(claims: [("exp", .integer(start + 40))]))
            try await fixture.exchange(proof)
            for second in Int64(30)...170 {
                fixture.clock.set(start + second)
                _ = try await fixture.accounts.purge(now: fixture.clock.now, auditRetention: .max)
                let word = await outcome { try await fixture.exchange(proof) }
                #expect(word == (second < 100 ? "token_used" : "token_expired"), "\(second)")
                // One of the same time that nobody has used is good to the last.
                if second == 99 { try await fixture.exchange(unused) }
            }
        }
    }

    @Test(arguments: TestedStore.all, [-3_600, 3_600] as [Int64])
    func anHourOnOrBack(kind: TestedStore, step: Int64) async throws {
        try await withAccounts(kind) { fixture in
            let proof = try fixture.proof(Self.issued)
            let grant = try await fixture.exchange(proof)
            fixture.clock.move(by: 60)
            let second = try await fixture.refresh(grant)
            #expect(try await fixture.isActive(second.accessToken))
            let clean = await outcome { try await fixture.exchange(proof) }
            #expect(clean == "token_used")
            fixture.clock.move(by: step)
            _ = try await fixture.accounts.purge(now: fixture.clock.now, auditRetention: .max)
            #expect(await outcome { try await fixture.exchange(proof) } != "done")
            // The session neither died nor lives for ever.
            let third = try await fixture.refresh(second)
            #expect(third.session.expiresAt == fixture.clock.now + 60 * 86_400)
            #expect(try await fixture.isActive(third.accessToken))
            fixture.clock.move(by: -step)
            #expect(await outcome { try await fixture.exchange(proof) } == "token_used")
            let fourth = try await fixture.refresh(third)
            #expect(try await fixture.isActive(fourth.accessToken))
            // A former token is one, whatever the clock did.
            fixture.clock.move(by: 11)
            #expect(await outcome { try await fixture.refresh(second) } == "refresh_token_reused")
            #expect(await outcome { try await fixture.refresh(fourth) } == "session_ended")
        }
    }
}
