import PosternAccounts
import PosternBase
import PosternStoreTestSupport
import Testing

/// What becomes of mailed proofs with the accounts and sign-ups that they are of, and what a store tells of them.
@Suite struct StoredMailedProofTests {
    private static let victim = "victim@mail.example"

    /// Ways to be the first to prove a mailbox.
    enum FirstProof: String, CaseIterable, Sendable { case provider, signUp, operatorCreates, operatorChanges }

    private func prove(_ way: FirstProof, _ fixture: AccountsFixture) async throws -> AccountID {
        let email = try fixture.email(Self.victim)
        switch way {
        case .provider: return try await fixture.signIn(TestSignIn(email: Self.victim)).account.id
        case .signUp:
            let id = try await fixture.pendingSignUp(Self.victim)
            return try await fixture.accounts.confirm(id, caller: nil).account.id
        case .operatorCreates:
            return try await fixture.accounts.create(email, isProven: true, nil, caller: nil).account.id
        case .operatorChanges:
            let id = try await fixture.accounts.create(nil, isProven: false, nil, caller: nil).account.id
            let pending = try await fixture.mail(.emailChange, .account(id), Self.victim)
            let change = AccountChange(email: (email, isProven: true))
            _ = try await fixture.accounts.change(id, change, caller: nil)
            // Those of the winner are theirs.
            #expect(try await fixture.proof(pending) != nil)
            return id
        }
    }

    /// Design 6: "any other first proof of the mailbox deletes password, sessions, identities and pending proofs made before it".
    @Test(arguments: TestedStore.all + [.repeating], FirstProof.allCases)
    func aFirstProofMakesThoseOfOthersVoid(kind: TestedStore, way: FirstProof) async throws {
        try await withAccounts(kind) { fixture in
            let squatter = try await fixture.member(Self.victim, isProven: false)
            let other = try await fixture.member("other@mail.example")
            let waiting = try await fixture.pendingSignUp(Self.victim)
            let void = [
                try await fixture.mail(.reset, .account(squatter.id), Self.victim),
                try await fixture.mail(.magicLink, .account(squatter.id), "VICTIM@mail.example"),
                try await fixture.mail(.emailChange, .account(other.id), Self.victim),
                try await fixture.mail(.verify, .signUp(waiting), Self.victim),
            ]
            let elsewhere = [
                try await fixture.mail(.emailChange, .account(squatter.id), "elsewhere@mail.example"),
                try await fixture.mail(.reset, .account(other.id), "other@mail.example"),
            ]
            let winner = try await prove(way, fixture)
            #expect(winner != squatter.id)
            for id in void { #expect(try await fixture.proof(id) == nil) }
            for id in elsewhere { #expect(try await fixture.proof(id) != nil) }
            // None of their mails goes out.
            let left = try await fixture.outbox().map(\.proof)
            #expect(Set(left).isDisjoint(with: void) && Set(left).isSuperset(of: elsewhere))
        }
    }

    /// A mailbox that is proven already stays whose it is, and so does all that was mailed.
    @Test(arguments: TestedStore.all)
    func aProofThatComesTooLateChangesNothing(kind: TestedStore) async throws {
        try await withAccounts(kind) { fixture in
            let owner = try await fixture.member(Self.victim)
            let other = try await fixture.signIn().account
            let proofs = [
                try await fixture.mail(.reset, .account(owner.id), Self.victim),
                try await fixture.mail(.emailChange, .account(other.id), Self.victim),
            ]
            let change = AccountChange(email: (owner.email ?? address("x@x.example"), isProven: true))
            let word = await outcome { try await fixture.accounts.change(other.id, change, caller: nil) }
            #expect(word == "email_taken")
            for id in proofs { #expect(try await fixture.proof(id) != nil) }
        }
    }

    @Test(arguments: TestedStore.all)
    func whoLeavesTakesTheirsAlong(kind: TestedStore) async throws {
        try await withAccounts(kind) { fixture in
            let gone = try await fixture.member("gone@mail.example")
            let stays = try await fixture.member("stays@mail.example")
            let signUp = try await fixture.pendingSignUp("gone@mail.example")
            let void = [
                try await fixture.mail(.reset, .account(gone.id), "gone@mail.example"),
                try await fixture.mail(.emailChange, .account(gone.id), "new@mail.example"),
                try await fixture.mail(.verify, .signUp(signUp), "gone@mail.example"),
            ]
            let kept = try await fixture.mail(.reset, .account(stays.id), "stays@mail.example")
            try await fixture.accounts.delete(account: gone.id, caller: nil)
            for id in void { #expect(try await fixture.proof(id) == nil) }
            #expect(try await fixture.outbox().map(\.proof) == [kept])
        }
    }

    /// Of 50 who bring one link or one code at once, one gets what it is for; wrong codes are all counted.
    @Test(arguments: TestedStore.all + [.repeating], [false, true])
    func oneOfManyAtOnceRedeems(kind: TestedStore, byCode: Bool) async throws {
        try await withAccounts(kind) { fixture in
            let member = try await fixture.member()
            let owner = MailedProof.Owner.account(member.id)
            let id = try await fixture.mail(.reset, owner, "member@mail.example")
            let decisions = try await all(50) { _ in
                try await fixture.redeem(id, .reset, isRight: byCode ? true : nil, address: member.email)
            }
            let redeemed = decisions.filter { if case .redeemed = $0 { true } else { false } }
            #expect(redeemed.count == 1 && decisions.count { $0 == .used } == 49)
            let guessed = try await fixture.mail(.reset, owner, "member@mail.example")
            let guesses = try await all(50) { _ in
                try await fixture.redeem(guessed, .reset, isRight: false, address: member.email)
            }
            #expect(guesses.count { if case .wrongCode = $0 { true } else { false } } == 5)
            #expect(guesses.count { if case .codeDisabled = $0 { true } else { false } } == 45)
            #expect(try await fixture.proof(guessed)?.wrongCodes == 50)
            #expect(
                try await fixture.redeem(guessed, .reset, isRight: nil, address: member.email)
                    == fixture.proof(guessed).map { .redeemed($0) })
        }
    }

    private func all(
        _ count: Int,
        _ body: @escaping @Sendable (Int) async throws -> MailedProofRule.Decision?
    ) async throws -> [MailedProofRule.Decision] {
        try await withThrowingTaskGroup { group in
            for number in 0..<count { group.addTask { try await body(number) } }
            return try await group.reduce(into: []) { $0 += $1.map { [$0] } ?? [] }
        }
    }

    /// What was used is not good again: neither after a purge nor when the clock goes back an hour then.
    @Test(arguments: TestedStore.all)
    func nothingUsedIsGoodAgain(kind: TestedStore) async throws {
        try await withAccounts(kind) { fixture in
            let member = try await fixture.member()
            let id = try await fixture.mail(.reset, .account(member.id), "member@mail.example")
            _ = try await fixture.redeem(id, .reset, isRight: nil, address: member.email)
            // It is remembered until the second in which it expires.
            for (step, isRemembered) in [(3_599, true), (-3_600, true), (3_601, false), (-3_600, false)]
                as [(Int64, Bool)]
            {
                fixture.clock.move(by: step)
                _ = try await fixture.accounts.purge(now: fixture.clock.now, auditRetention: 86_400)
                let decision = try await fixture.redeem(id, .reset, isRight: nil, address: member.email)
                #expect(decision == (isRemembered ? .used : nil), "\(step)")
            }
            #expect(try await fixture.outbox().isEmpty)
        }
    }

    /// Who has the whole store finds neither token nor code in it, and makes none without the master key.
    @Test("attack class 64: nothing at rest is what was mailed", arguments: TestedStore.all)
    func attack64(kind: TestedStore) async throws {
        try await withAccounts(kind) { fixture in
            let keys = try MailedProofKeys(MasterKeys(AccountsFixture.master))
            let thief = try MailedProofKeys(MasterKeys([Secret([UInt8](repeating: 9, count: 32))]))
            let member = try await fixture.member()
            for purpose in MailedProof.Purpose.allCases {
                // Looked for in all that is stored and told at the end, too (`expectDiscretion`).
                let id = try await fixture.mail(purpose, .account(member.id), "member@mail.example")
                let (token, code) = (try keys.token(id).revealed, try keys.code(id).revealed)
                let lines = try await fixture.failing.content()
                let stored = lines.joined(separator: "\n").lowercased()
                // Six digits may stand anywhere else by chance: the keys are new in each run.
                let rows = lines.filter { $0.hasPrefix("mail") }
                #expect(rows.count { $0.contains("\(id)") } == 2 && !rows.joined().contains(code))
                let mac = try #require(Base64URL.decode(token)).dropFirst(16)
                for secret in [token, Hex.encode(Array(mac)), Hex.encode(Array(token.utf8))] {
                    #expect(!stored.contains(secret.lowercased()), "stored: \(secret)")
                }
                #expect(try keys.proof(of: thief.token(id).revealed) == nil)
                #expect(try !keys.isCode(thief.code(id).revealed, of: id))
            }
        }
    }
}
