import PosternAccounts
import PosternBase
import PosternPasswords
import PosternStoreTestSupport
import PosternTestSupport
import Testing

@Suite struct PasswordSignInTests {
    private static let address = "member@mail.example"

    @Test(arguments: TestedStore.all + [.repeating])
    func whoIsLetIn(kind: TestedStore) async throws {
        try await withAccounts(kind) { fixture in
            let member = try await fixture.member()
            let grant = try await fixture.signIn("MEMBER@Mail.Example")
            #expect(grant.account.id == member.id)
            #expect(grant.session.method == .password)
            #expect(grant.session.provider == nil)
            #expect(grant.account.lastSignInAt == fixture.clock.now)
            #expect(!grant.isNewAccount)
            #expect(try await fixture.isActive(grant.accessToken))
            for password in [TestPassword.wrong, "", " ", TestPassword.right + " ", TestPassword.right.uppercased()] {
                #expect(await outcome { try await fixture.signIn(Self.address, password) } == "invalid_credentials")
            }
            #expect(await outcome { try await fixture.signIn("nobody@mail.example") } == "invalid_credentials")
            // An account without a password, and a sign-up that waits.
            try await fixture.signIn(TestSignIn(email: "apple@mail.example"))
            #expect(await outcome { try await fixture.signIn("apple@mail.example") } == "invalid_credentials")
            _ = try await fixture.pendingSignUp("pending@mail.example")
            #expect(await outcome { try await fixture.signIn("pending@mail.example") } == "invalid_credentials")
        }
    }

    @Test(arguments: TestedStore.all)
    func aBannedMember(kind: TestedStore) async throws {
        try await withAccounts(kind) { fixture in
            let member = try await fixture.member()
            let until = fixture.clock.now + 100
            _ = try await fixture.accounts.change(member.id, AccountChange(bannedUntil: .some(until)), caller: nil)
            #expect(await outcome { try await fixture.signIn(Self.address) } == "account_banned")
            // Only who knows the password is told.
            #expect(
                await outcome { try await fixture.signIn(Self.address, TestPassword.wrong) } == "invalid_credentials")
            fixture.clock.move(by: 99)
            #expect(await outcome { try await fixture.signIn(Self.address) } == "account_banned")
            fixture.clock.move(by: 1)
            try await fixture.signIn(Self.address)
        }
    }

    @Test(arguments: TestedStore.all)
    func aServerWithoutPasswords(kind: TestedStore) async throws {
        try await withAccounts(kind, hasPasswords: false) { fixture in
            #expect(await outcome { try await fixture.signIn(Self.address) } == "passwords_off")
            #expect(await outcome { try await fixture.signUp(Self.address) } == "passwords_off")
            let grant = try await fixture.signIn()
            let word = await outcome {
                try await fixture.accounts.changePassword(
                    of: grant.account.id, old: nil, new: fixture.password(TestPassword.right), keeping: nil,
                    visitor: Visitor())
            }
            #expect(word == "passwords_off")
        }
    }

    // MARK: - Who has an account shows in nothing

    /// A known address with a wrong password, one without a password, one that waits, one that nobody has: as many hashes and writes.
    @Test(arguments: TestedStore.all)
    func everyFailureCostsTheSame(kind: TestedStore) async throws {
        try await withAccounts(kind) { fixture in
            try await fixture.member()
            try await fixture.member("unproven@mail.example", isProven: false)
            try await fixture.signIn(TestSignIn(email: "apple@mail.example"))
            _ = try await fixture.pendingSignUp("pending@mail.example")
            var costs: [String] = []
            for address in [
                "member@mail.example", "unproven@mail.example", "apple@mail.example", "pending@mail.example",
                "nobody@mail.example",
            ] {
                let (hashes, comparisons) = (fixture.hasher.cheap.hashCount, fixture.hasher.cheap.verifyCount)
                _ = fixture.counting.takeCounts()
                let word = await outcome { try await fixture.signIn(address, TestPassword.wrong, from: "192.0.2.1") }
                let counts = fixture.counting.takeCounts()
                costs.append(
                    "\(word) hashes \(fixture.hasher.cheap.hashCount - hashes) comparisons "
                        + "\(fixture.hasher.cheap.verifyCount - comparisons) commits \(counts.commits) durable "
                        + "\(counts.durableWrites) reads \(counts.reads) changes "
                        + "\(counts.changes.map { "\($0.key) \($0.value)" }.sorted())")
            }
            #expect(Set(costs).count == 1, "\(costs)")
            #expect(
                costs[0]
                    == #"invalid_credentials hashes 0 comparisons 1 commits 2 durable 2 reads 0 changes ["append 1", "putAttempts 2"]"#
            )
        }
    }

    // MARK: - What happens while the password is compared

    private func held(
        _ fixture: AccountsFixture,
        _ password: String = TestPassword.right,
        _ meanwhile: () async throws -> Void
    ) async throws -> String {
        let gate = Gate()
        fixture.hasher.hold(gate)
        async let word = outcome { try await fixture.signIn(Self.address, password) }
        await gate.arrived()
        do { try await meanwhile() } catch {
            gate.open()
            _ = await word
            throw error
        }
        gate.open()
        return await word
    }

    @Test(arguments: TestedStore.all, ["changed", "gone", "deleted", "banned", "moved"])
    func whatChangedMeanwhileCounts(kind: TestedStore, what: String) async throws {
        try await withAccounts(kind) { fixture in
            let member = try await fixture.member()
            let other = try await fixture.accounts.hash(
                fixture.password(TestPassword.other), email: fixture.email(Self.address))
            let word = try await held(fixture) {
                switch what {
                case "changed":
                    try await fixture.store.transact { transaction throws(StoreFault) in
                        // In the same second.
                        try transaction.put(
                            StoredPassword(account: member.id, hash: other, changedAt: member.createdAt))
                    }
                case "gone":
                    try await fixture.store.transact { transaction throws(StoreFault) in
                        try transaction.delete(passwordOf: member.id)
                    }
                case "deleted": try await fixture.accounts.delete(account: member.id, caller: nil)
                case "banned":
                    _ = try await fixture.accounts.change(
                        member.id, AccountChange(bannedUntil: .some(.max)), caller: nil)
                default:
                    // Somebody else has proven to have the address.
                    let change = AccountChange(email: (try fixture.email("b@mail.example"), isProven: true))
                    _ = try await fixture.accounts.change(member.id, change, caller: nil)
                }
            }
            // Whoever was let in by address and password at the time is the same account's.
            let wanted = ["banned": "account_banned", "moved": "done"][what] ?? "invalid_credentials"
            #expect(word == wanted)
            let sessions = try await fixture.store.read { reader throws(StoreFault) in
                try reader.sessions(of: member.id).count
            }
            #expect(sessions == (what == "moved" ? 1 : 0))
            if what == "changed" { try await fixture.signIn(Self.address, TestPassword.other) }
        }
    }

    // MARK: - Better hashes

    /// A hash of other parameters than ours, as after an import.
    private func imported(_ fixture: AccountsFixture, _ password: String = TestPassword.right) async throws -> Account {
        let parameters = try #require(Argon2idParameters(memoryKiB: 16, passes: 2))
        let hash = try Argon2idHasher(parameters).hash(fixture.password(password).normalized())
        return try await fixture.accounts.create(
            fixture.email(Self.address), isProven: true, Secret(hash.text), caller: nil
        ).account
    }

    private func rehashes(_ fixture: AccountsFixture) async throws -> Int {
        try await fixture.accounts.auditTrail(of: nil, before: nil, limit: 1_000)
            .count { $0.entry.event == .passwordRehashed }
    }

    @Test(arguments: TestedStore.all)
    func aBetterHashIsWrittenOnce(kind: TestedStore) async throws {
        try await withAccounts(kind) { fixture in
            let member = try await imported(fixture)
            let before = try #require(try await fixture.password(of: member.id))
            #expect(
                await outcome { try await fixture.signIn(Self.address, TestPassword.wrong) } == "invalid_credentials")
            #expect(try await fixture.password(of: member.id) == before)
            fixture.clock.move(by: 60)
            try await fixture.signIn(Self.address)
            let after = try #require(try await fixture.password(of: member.id))
            #expect(after != before)
            #expect(after.changedAt == before.changedAt)
            try await fixture.signIn(Self.address)
            #expect(try await fixture.password(of: member.id) == after)
            #expect(try await rehashes(fixture) == 1)
        }
    }

    @Test(arguments: TestedStore.all)
    func aBetterHashNeverTakesThePlaceOfANewerPassword(kind: TestedStore) async throws {
        try await withAccounts(kind) { fixture in
            let member = try await imported(fixture)
            let word = try await held(fixture) {
                try await fixture.accounts.changePassword(
                    of: member.id, old: fixture.password(TestPassword.right), new: fixture.password(TestPassword.other),
                    keeping: nil, visitor: Visitor())
            }
            #expect(word == "invalid_credentials")
            try await fixture.signIn(Self.address, TestPassword.other)
            #expect(await outcome { try await fixture.signIn(Self.address) } == "invalid_credentials")
            #expect(try await rehashes(fixture) == 0)
        }
    }

    /// Two at once with the right password: both are let in, though one of them has replaced the hash.
    @Test(arguments: TestedStore.all)
    func aHashThatIsReplacedMeanwhile(kind: TestedStore) async throws {
        try await withAccounts(kind) { fixture in
            let member = try await imported(fixture)
            let word = try await held(fixture) { try await fixture.signIn(Self.address) }
            #expect(word == "done")
            #expect(try await rehashes(fixture) == 1)
            #expect(try await fixture.accounts.sessions(of: member.id).count == 2)
        }
    }

    @Test(arguments: TestedStore.all)
    func aPasswordChangeWhileTheHashIsReplaced(kind: TestedStore) async throws {
        try await withAccounts(kind) { fixture in
            let member = try await imported(fixture)
            let gate = Gate()
            fixture.hasher.hold(gate)
            async let word = outcome {
                try await fixture.accounts.changePassword(
                    of: member.id, old: fixture.password(TestPassword.right), new: fixture.password(TestPassword.other),
                    keeping: nil, visitor: Visitor())
            }
            await gate.arrived()
            let signedIn = await outcome { try await fixture.signIn(Self.address) }
            gate.open()
            #expect(await word == "done")
            #expect(signedIn == "done")
            try await fixture.signIn(Self.address, TestPassword.other)
        }
    }
}
