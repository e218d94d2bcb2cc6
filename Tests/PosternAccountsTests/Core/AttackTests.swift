import PosternAccounts
import PosternBase
import PosternStoreTestSupport
import Testing

/// Attack classes that no other suite has; 42 to 48, 60 to 63 and 66 stand with what they attack.
@Suite struct AttackTests {
    @Test(
        "attack class 64: no session is chosen from outside, and nothing at rest opens one", arguments: TestedStore.all)
    func attack64(kind: TestedStore) async throws {
        try await withAccounts(kind) { fixture in
            try await fixture.member()
            var grants = [try await fixture.signIn("member@mail.example")]
            // Whoever brings a session of before gets a new one all the same.
            grants.append(try await fixture.signIn(linkTo: grants[0]))
            grants.append(try await fixture.signIn("member@mail.example"))
            #expect(Set(grants.map(\.session.id)).count == 3)
            #expect(Set(grants.map(\.refreshToken.revealed)).count == 3)
            // Who has the whole store and not the master key makes no token of it (`expectDiscretion` looks for the tokens).
            let other = try RefreshTokens(MasterKeys([Secret([UInt8](repeating: 9, count: 32))]))
            for grant in grants {
                let forged = try other.token(grant.session.id, counter: grant.session.counter)
                let word = await outcome { try await fixture.accounts.refresh(forged, visitor: Visitor()) }
                #expect(word == "refresh_token_unknown")
                #expect(try await !fixture.isActive(Secret("\(grant.session.id)")))
                #expect("\(grant)".contains(grant.refreshToken.revealed) == false)
            }
        }
    }

    @Test("attack class 65: a bad token is refused, and only our own trouble is a fault", arguments: TestedStore.all)
    func attack65(kind: TestedStore) async throws {
        try await withAccounts(kind) { fixture in
            for token in ["", "x", "a.b.c", "{}", String(repeating: "A", count: 100_000), "\u{0}", "\u{1F600}"] {
                await #expect(throws: AccountError.self) {
                    do { try await fixture.exchange(TestProof(token: token, nonce: "x", provider: .apple)) } catch {
                        guard case AccountError.tokenRefused = error else {
                            throw Unmet("\(token.prefix(20)): \(error)")
                        }
                        throw error
                    }
                }
            }
            fixture.failing.fail(.from(1), with: .locked)
            #expect(await outcome { try await fixture.signIn() } == "store_locked")
            fixture.failing.fail(.never)
            try await fixture.signIn()
        }
    }
}
