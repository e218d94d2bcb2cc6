import PosternAccounts
import PosternBase
import PosternPasswords
import PosternStoreTestSupport
import PosternTestSupport
import Testing

@Suite struct AttemptTests {
    private static let policy = Accounts.Policy(
        attempts: AttemptRule(burst: 3, refill: 60), attemptsByAddress: AttemptRule(burst: 5, refill: 60))

    private func refusal(_ operation: () async throws -> Void) async -> AccountRefusal? {
        do { try await operation() } catch AccountError.refused(let refusal) { return refusal } catch { return nil }
        return nil
    }

    /// What is counted is what was typed: an address that nobody has runs out just as one of a member.
    @Test(arguments: TestedStore.all, ["member@mail.example", "nobody@mail.example"])
    func knownOrUnknown(kind: TestedStore, address: String) async throws {
        try await withAccounts(kind, Self.policy) { fixture in
            try await fixture.member()
            for spelling in [address, address.uppercased(), address] {
                #expect(
                    await outcome { try await fixture.signIn(spelling, TestPassword.wrong) } == "invalid_credentials")
            }
            let before = try await fixture.failing.content()
            let hashes = fixture.hasher.cheap.verifyCount
            // The right password is no way around.
            let told = await refusal { try await fixture.signIn(address) }
            #expect(told?.code == .tooManyAttempts)
            #expect(told?.retryAfter == 60)
            #expect(fixture.hasher.cheap.verifyCount == hashes)
            #expect(try await fixture.failing.content() == before)
            // Another address is not held up.
            #expect(await outcome { try await fixture.signIn("other@mail.example") } == "invalid_credentials")
            fixture.clock.move(by: 60)
            let word = await outcome { try await fixture.signIn(address) }
            #expect(word == (address.hasPrefix("member") ? "done" : "invalid_credentials"))
        }
    }

    @Test(arguments: TestedStore.all)
    func successForgives(kind: TestedStore) async throws {
        try await withAccounts(kind, Self.policy) { fixture in
            try await fixture.member()
            for _ in 0..<3 {
                for _ in 0..<2 {
                    let word = await outcome { try await fixture.signIn("member@mail.example", TestPassword.wrong) }
                    #expect(word == "invalid_credentials")
                }
                try await fixture.signIn("member@mail.example")
            }
        }
    }

    /// Who guesses at many addresses runs out, too, and gets none back by signing in to one's own.
    @Test(arguments: TestedStore.all)
    func byNetworkAddress(kind: TestedStore) async throws {
        try await withAccounts(kind, Self.policy) { fixture in
            try await fixture.member()
            try await fixture.signIn("member@mail.example", from: "192.0.2.1")
            for number in 0..<4 {
                let word = await outcome {
                    try await fixture.signIn("a\(number)@mail.example", from: "::ffff:192.0.2.1")
                }
                #expect(word == "invalid_credentials")
            }
            for address in ["member@mail.example", "b@mail.example"] {
                #expect(await outcome { try await fixture.signIn(address, from: "192.0.2.1") } == "too_many_attempts")
            }
            #expect(await outcome { try await fixture.signUp("c@mail.example") } == "done")
            #expect(await outcome { try await fixture.signIn("member@mail.example", from: "192.0.2.2") } == "done")
            // One customer has 2⁶⁴ addresses of IPv6.
            for number in 0..<5 {
                let word = await outcome {
                    try await fixture.signIn("d\(number)@mail.example", from: "2001:db8::\(number)")
                }
                #expect(word == "invalid_credentials")
            }
            let word = await outcome { try await fixture.signIn("e@mail.example", from: "2001:db8::ffff:9") }
            #expect(word == "too_many_attempts")
            #expect(
                await outcome { try await fixture.signIn("e@mail.example", from: "2001:db8:0:1::1") }
                    == "invalid_credentials")
        }
    }

    @Test(arguments: TestedStore.all)
    func signUpsAndPasswordChanges(kind: TestedStore) async throws {
        try await withAccounts(kind, Self.policy) { fixture in
            let member = try await fixture.member()
            for address in ["member@mail.example", "nobody@mail.example"] {
                for _ in 0..<3 { try await fixture.signUp(address) }
                #expect(await outcome { try await fixture.signUp(address) } == "too_many_attempts")
            }
            func change(_ old: String) async -> String {
                await outcome {
                    try await fixture.accounts.changePassword(
                        of: member.id, old: fixture.password(old), new: fixture.password(TestPassword.other),
                        keeping: nil,
                        visitor: Visitor())
                }
            }
            for _ in 0..<3 { #expect(await change(TestPassword.wrong) == "password_wrong") }
            #expect(await change(TestPassword.right) == "too_many_attempts")
            // Each purpose is counted on its own.
            try await fixture.signIn("member@mail.example")
        }
    }

    /// A clock that is set back gives no try, and locks nobody out until it is where it was.
    @Test(arguments: TestedStore.all)
    func clockSteps(kind: TestedStore) async throws {
        try await withAccounts(kind, Self.policy) { fixture in
            for _ in 0..<3 { _ = await outcome { try await fixture.signIn("a@mail.example") } }
            fixture.clock.move(by: -3_600)
            #expect(await outcome { try await fixture.signIn("a@mail.example") } == "too_many_attempts")
            fixture.clock.move(by: 59)
            #expect(await outcome { try await fixture.signIn("a@mail.example") } == "too_many_attempts")
            fixture.clock.move(by: 1)
            #expect(await outcome { try await fixture.signIn("a@mail.example") } == "invalid_credentials")
            #expect(await outcome { try await fixture.signIn("a@mail.example") } == "too_many_attempts")
        }
    }

    /// Whoever has given the right old password has not guessed, whatever else is wrong.
    @Test(arguments: TestedStore.all)
    func otherMistakesCostNoTry(kind: TestedStore) async throws {
        try await withAccounts(kind, Self.policy) { fixture in
            let member = try await fixture.member()
            let stranger = try await fixture.signIn()
            func change(to new: String, keeping kept: SessionID? = nil) async -> String {
                await outcome {
                    try await fixture.accounts.changePassword(
                        of: member.id, old: fixture.password(TestPassword.right), new: fixture.password(new),
                        keeping: kept, visitor: Visitor())
                }
            }
            for _ in 0..<4 {
                #expect(await change(to: "short") == "password_unacceptable")
                #expect(await change(to: TestPassword.other, keeping: stranger.session.id) == "session_ended")
            }
            #expect(await change(to: TestPassword.other) == "done")
        }
    }

    /// Whoever was not even compared has tried nothing, so others' haste locks nobody out.
    @Test(arguments: TestedStore.all)
    func aFullPoolCostsNoTry(kind: TestedStore) async throws {
        try await withAccounts(kind, Self.policy) { fixture in
            let member = try await fixture.member()
            fixture.accounts.passwords?.pool.close()
            for _ in 0..<7 {
                await #expect(throws: AccountError.fault(.busy(retryAfterSeconds: 1))) {
                    try await fixture.signIn("member@mail.example")
                }
                await #expect(throws: AccountError.fault(.busy(retryAfterSeconds: 1))) {
                    try await fixture.signUp("new@mail.example")
                }
                await #expect(throws: AccountError.fault(.busy(retryAfterSeconds: 1))) {
                    try await fixture.accounts.changePassword(
                        of: member.id, old: fixture.password(TestPassword.right),
                        new: fixture.password(TestPassword.other), keeping: nil, visitor: Visitor())
                }
            }
            try await fixture.restart()
            for _ in 0..<3 {
                let word = await outcome { try await fixture.signIn("member@mail.example", TestPassword.wrong) }
                #expect(word == "invalid_credentials")
            }
            #expect(await outcome { try await fixture.signIn("member@mail.example") } == "too_many_attempts")
            #expect(await outcome { try await fixture.signUp("new@mail.example") } == "done")
        }
    }
}
