import PosternAccounts
import PosternBase
import PosternPasswords
import PosternStoreTestSupport
import Testing

@Suite struct PasswordChangeTests {
    private static let address = "member@mail.example"

    private func change(
        _ fixture: AccountsFixture,
        _ id: AccountID,
        from old: String?,
        to new: String = TestPassword.other,
        keeping kept: SessionID? = nil
    ) async -> String {
        await outcome {
            try await fixture.accounts.changePassword(
                of: id, old: old.map { try fixture.password($0) }, new: fixture.password(new), keeping: kept,
                visitor: Visitor(caller: "backend"))
        }
    }

    @Test(arguments: TestedStore.all + [.repeating])
    func theOldOneMustBeGiven(kind: TestedStore) async throws {
        try await withAccounts(kind) { fixture in
            let member = try await fixture.member()
            let sessions = [try await fixture.signIn(Self.address), try await fixture.signIn(Self.address)]
            for old in [nil, "", TestPassword.wrong, TestPassword.other] {
                #expect(await change(fixture, member.id, from: old) == "password_wrong")
            }
            #expect(await change(fixture, member.id, from: TestPassword.right, to: "short") == "password_unacceptable")
            for grant in sessions { #expect(try await fixture.isActive(grant.accessToken)) }
        }
    }

    @Test(arguments: TestedStore.all)
    func otherSessionsEnd(kind: TestedStore) async throws {
        try await withAccounts(kind) { fixture in
            let member = try await fixture.member()
            let kept = try await fixture.signIn(Self.address)
            let other = try await fixture.signIn(Self.address)
            let stranger = try await fixture.signIn()
            #expect(await change(fixture, member.id, from: TestPassword.right, keeping: kept.session.id) == "done")
            #expect(try await fixture.isActive(kept.accessToken))
            #expect(try await !fixture.isActive(other.accessToken))
            #expect(try await fixture.isActive(stranger.accessToken))
            #expect(await outcome { try await fixture.signIn(Self.address) } == "invalid_credentials")
            try await fixture.signIn(Self.address, TestPassword.other)
            #expect(await change(fixture, member.id, from: TestPassword.other, to: TestPassword.right) == "done")
            #expect(try await fixture.accounts.sessions(of: member.id).isEmpty)
        }
    }

    @Test(arguments: TestedStore.all)
    func whereThereWasNone(kind: TestedStore) async throws {
        try await withAccounts(kind) { fixture in
            let grant = try await fixture.signIn(TestSignIn(email: "apple@mail.example"))
            #expect(await change(fixture, grant.account.id, from: nil, keeping: grant.session.id) == "done")
            #expect(try await fixture.signIn("apple@mail.example", TestPassword.other).account.id == grant.account.id)
            let nobody = AccountID(milliseconds: 1, random: .seeded(9))
            #expect(await change(fixture, nobody, from: nil) == "account_unknown")
        }
    }

    /// Nobody signs in by a password without an address, so none is set that would look like a way to sign in.
    @Test(arguments: TestedStore.all)
    func withoutAnAddressThereIsNone(kind: TestedStore) async throws {
        try await withAccounts(kind) { fixture in
            let id = try await fixture.signIn(TestSignIn(provider: .oidc, email: "a@mail.example")).account.id
            #expect(await change(fixture, id, from: nil) == "email_missing")
            #expect(await change(fixture, id, from: TestPassword.right, to: "short") == "email_missing")
            #expect(try await fixture.password(of: id) == nil)
            let hash = try await fixture.accounts.hash(fixture.password(TestPassword.right), email: nil)
            let word = await outcome { try await fixture.accounts.create(nil, isProven: false, hash, caller: nil) }
            #expect(word == "email_missing")
            #expect(try await fixture.accountCount() == 1)
            let address = AccountChange(email: (try fixture.email("a@mail.example"), isProven: true))
            _ = try await fixture.accounts.change(id, address, caller: nil)
            #expect(await change(fixture, id, from: nil) == "done")
            try await fixture.signIn("a@mail.example", TestPassword.other)
        }
    }

    @Test(arguments: TestedStore.all)
    func anAddressThatIsLostMeanwhile(kind: TestedStore) async throws {
        try await withAccounts(kind) { fixture in
            let email = try fixture.email(Self.address)
            let id = try await fixture.accounts.create(email, isProven: false, nil, caller: nil).account.id
            let gate = Gate()
            fixture.hasher.holdHash(gate)
            async let word = change(fixture, id, from: nil)
            await gate.arrived()
            let proven = await outcome { try await fixture.accounts.create(email, isProven: true, nil, caller: nil) }
            gate.open()
            #expect(proven == "done")
            #expect(await word == "email_missing")
            #expect(try await fixture.password(of: id) == nil)
        }
    }

    /// The audit trail tells a sign-in that failed from a change that did.
    @Test(arguments: TestedStore.all)
    func whatFailedIsTold(kind: TestedStore) async throws {
        try await withAccounts(kind) { fixture in
            let member = try await fixture.member()
            _ = await outcome { try await fixture.signIn(Self.address, TestPassword.wrong) }
            for old in [nil, TestPassword.wrong] { _ = await change(fixture, member.id, from: old) }
            let trail = try await fixture.accounts.auditTrail(of: member.id, before: nil, limit: 10).map(\.entry)
            let failed = trail.filter { $0.event == .signInFailed }.compactMap(\.detail)
            #expect(failed == ["old_password", "old_password", "password"])
        }
    }

    /// A session that ended while the new password was hashed changes nothing any more: the mailbox may have been proven by another.
    @Test(arguments: TestedStore.all)
    func aSessionThatEndsMeanwhile(kind: TestedStore) async throws {
        try await withAccounts(kind) { fixture in
            let member = try await fixture.member()
            let grant = try await fixture.signIn(Self.address)
            let gate = Gate()
            fixture.hasher.hold(gate)
            async let word = change(fixture, member.id, from: TestPassword.right, keeping: grant.session.id)
            await gate.arrived()
            let ended = await outcome { try await fixture.accounts.end(session: grant.session.id, caller: nil) }
            gate.open()
            #expect(ended == "done")
            #expect(await word == "session_ended")
            try await fixture.signIn(Self.address)
            // Nor does that of somebody else.
            let stranger = try await fixture.signIn()
            let other = await change(fixture, member.id, from: TestPassword.right, keeping: stranger.session.id)
            #expect(other == "session_ended")
        }
    }

    @Test(arguments: TestedStore.all, ["changed", "gone"])
    func whatChangedMeanwhileCounts(kind: TestedStore, what: String) async throws {
        try await withAccounts(kind) { fixture in
            let member = try await fixture.member()
            let third = try await fixture.accounts.hash(fixture.password("third horse 33"), email: nil)
            let gate = Gate()
            fixture.hasher.hold(gate)
            async let word = change(fixture, member.id, from: TestPassword.right)
            await gate.arrived()
            let isChanged = what == "changed"
            try await fixture.store.transact { transaction throws(StoreFault) in
                try transaction.delete(passwordOf: member.id)
                if isChanged { try transaction.put(StoredPassword(account: member.id, hash: third, changedAt: 1)) }
            }
            gate.open()
            #expect(await word == "password_wrong")
            #expect(try await fixture.password(of: member.id)?.hash.revealed == (isChanged ? third.revealed : nil))
            let events = try await fixture.accounts.auditTrail(of: member.id, before: nil, limit: 1).map(\.entry.event)
            #expect(events == [.signInFailed])
        }
    }
}
