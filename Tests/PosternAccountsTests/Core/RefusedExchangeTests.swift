import PosternAccounts
import PosternBase
import PosternJOSE
import PosternStoreTestSupport
import PosternTestSupport
import PosternTokens
import Testing

/// A refused exchange consumes neither nonce nor token, and writes nothing at all.
@Suite struct RefusedExchangeTests {
    enum Reason: String, CaseIterable, Sendable {
        case nonceMissing = "nonce_missing"
        case nonceUnknown = "nonce_unknown"
        case nonceMismatch = "nonce_mismatch"
        case audienceMismatch = "audience_mismatch"
        case badSignature = "signature_invalid"
        case issuedInFuture = "issued_in_future"
        case sessionEnded = "session_ended"
        case identityTaken = "identity_taken"
        case accountBanned = "account_banned"
        case full = "store_full"
        case keysUnavailable = "keys_unavailable"
    }

    private struct NoKeys: KeySource {
        func current() -> KeySet? { nil }
        func keySet(missing keyID: String?) async throws(VerificationFault) -> KeySet {
            throw .keysUnavailable("made to fail by the test")
        }
    }

    private func refused(_ reason: Reason, _ proof: TestProof, _ fixture: AccountsFixture) async throws -> String {
        var changed = proof
        switch reason {
        case .nonceMissing: changed.nonce = nil
        case .nonceUnknown: changed.nonce = "unknown"
        case .nonceMismatch: changed.nonce = try fixture.nonces.issue(audience: "issued")?.nonce
        case .audienceMismatch: changed.audience = "hashed"
        case .badSignature: changed.token = proof.token.dropLast(8) + "AAAAAAAA"
        case .issuedInFuture: fixture.clock.move(by: -61)
        case .sessionEnded:
            let other = try await fixture.signIn(TestSignIn(subject: "other"))
            try await fixture.accounts.end(session: other.session.id, caller: nil)
            return await unchanged(fixture) { try await fixture.exchange(proof, linkTo: other) }
        case .identityTaken:
            let other = try await fixture.signIn(TestSignIn(subject: "other"))
            return await unchanged(fixture) { try await fixture.exchange(proof, linkTo: other) }
        case .accountBanned: try await ban(.some(.max), fixture)
        case .full: fixture.failing.fail(.from(1), with: .full)
        case .keysUnavailable:
            let verifier = try TokenVerifier(
                .apple(audiences: TestClient.allCases.map(\.audience)), keys: NoKeys(), issuedNonces: fixture.nonces,
                time: fixture.clock.source)
            return await unchanged(fixture) {
                try await fixture.accounts.exchange(
                    proof.token, nonce: proof.nonce, audience: nil, verifier: verifier, visitor: Visitor())
            }
        }
        let asked = changed
        return await unchanged(fixture) { try await fixture.exchange(asked) }
    }

    private func ban(_ until: Int64?, _ fixture: AccountsFixture) async throws {
        for person in try await fixture.accounts.people(after: nil, limit: 10) {
            _ = try await fixture.accounts.change(
                person.account.id, AccountChange(bannedUntil: .some(until)), caller: nil)
        }
    }

    private func unchanged<Value>(_ fixture: AccountsFixture, _ operation: () async throws -> Value) async -> String {
        let before = try? await fixture.failing.content()
        let word = await outcome(operation)
        let after = try? await fixture.failing.content()
        #expect(before != nil && after == before, "\(word)")
        return word
    }

    @Test(arguments: TestedStore.all, Reason.allCases)
    func consumesNothing(kind: TestedStore, reason: Reason) async throws {
        try await withAccounts(kind) { fixture in
            let owner = try await fixture.signIn()
            let proof = try fixture.proof(TestSignIn(client: .issued))
            let word = try await refused(reason, proof, fixture)
            #expect(word == reason.rawValue)
            // What was in the way is gone; the same token and nonce buy a session.
            fixture.failing.fail(.never)
            fixture.clock.set(TestToken.issuedAt)
            if reason == .accountBanned { try await ban(nil, fixture) }
            let grant = try await fixture.exchange(proof)
            #expect(grant.account.id == owner.account.id)
        }
    }

    /// A token that was refused as used leaves the nonce of another alone, and the other way round.
    @Test(arguments: TestedStore.all)
    func whatIsUsedTakesNothingWithIt(kind: TestedStore) async throws {
        try await withAccounts(kind) { fixture in
            let nonce = try #require(try fixture.nonces.issue(audience: "issued")?.nonce)
            let first = try fixture.proof(TestSignIn(client: .issued, nonce: nonce))
            let second = try fixture.proof(TestSignIn(client: .issued, nonce: nonce))
            try await fixture.exchange(first)
            let before = try await fixture.failing.content()
            #expect(await outcome { try await fixture.exchange(second) } == "nonce_used")
            #expect(try await fixture.failing.content() == before)
            fixture.clock.move(by: 31)
            #expect(await outcome { try await fixture.exchange(first) } == "token_used")
            #expect(try await fixture.failing.content() == before)
        }
    }
}
