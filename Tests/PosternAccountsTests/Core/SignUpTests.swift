import PosternAccounts
import PosternBase
import PosternStoreTestSupport
import PosternTestSupport
import Testing

@Suite struct SignUpTests {
    private static let address = "new@mail.example"

    @Test(arguments: TestedStore.all)
    func withoutConfirmation(kind: TestedStore) async throws {
        try await withAccounts(kind, Accounts.Policy(confirmation: .none)) { fixture in
            guard case .account(let person) = try await fixture.signUp(Self.address, userData: #"{"a":1}"#) else {
                Issue.record("it waits")
                return
            }
            #expect(person.account.emailProvenAt == nil)
            #expect(person.account.userData == #"{"a":1}"#)
            #expect(person.hasPassword)
            #expect(try await fixture.signIn(Self.address).account.id == person.account.id)
            #expect(await outcome { try await fixture.signUp("NEW@mail.example", TestPassword.other) } == "email_taken")
            #expect(
                await outcome { try await fixture.signIn(Self.address, TestPassword.other) } == "invalid_credentials")
        }
    }

    @Test(arguments: TestedStore.all + [.repeating])
    func withConfirmation(kind: TestedStore) async throws {
        try await withAccounts(kind) { fixture in
            let id = try await fixture.pendingSignUp(Self.address)
            #expect(try await fixture.accountCount() == 0)
            fixture.clock.move(by: 60)
            let person = try await fixture.accounts.confirm(id, caller: "backend")
            #expect(person.account.emailProvenAt == fixture.clock.now)
            #expect(try await fixture.signIn(Self.address).account.id == person.account.id)
            #expect(await outcome { try await fixture.accounts.confirm(id, caller: nil) } == "sign_up_unknown")
        }
    }

    /// The same answer, hashes and writes, whether anybody has the address, has proven it, waits for it, or nobody has it.
    @Test(arguments: TestedStore.all)
    func nobodyLearnsWhoHasAnAccount(kind: TestedStore) async throws {
        try await withAccounts(kind) { fixture in
            try await fixture.member("member@mail.example")
            try await fixture.member("unproven@mail.example", isProven: false)
            try await fixture.signIn(TestSignIn(email: "apple@mail.example"))
            var costs: [String] = []
            for address in [
                "member@mail.example", "unproven@mail.example", "apple@mail.example", "nobody@mail.example",
                "nobody@mail.example",
            ] {
                let (hashes, comparisons) = (fixture.hasher.cheap.hashCount, fixture.hasher.cheap.verifyCount)
                _ = fixture.counting.takeCounts()
                guard case .waits(_, let expiry) = try await fixture.signUp(address) else {
                    Issue.record("\(address) was answered otherwise")
                    continue
                }
                let counts = fixture.counting.takeCounts()
                costs.append(
                    "\(expiry) hashes \(fixture.hasher.cheap.hashCount - hashes) comparisons "
                        + "\(fixture.hasher.cheap.verifyCount - comparisons) commits \(counts.commits) durable "
                        + "\(counts.durableWrites) reads \(counts.reads) calls "
                        + "\(counts.calls.map { "\($0.key) \($0.value)" }.sorted())")
            }
            #expect(Set(costs).count == 1, "\(costs)")
            #expect(costs[0].contains("hashes 1 comparisons 0 commits 2 durable 2"), "\(costs)")
        }
    }

    /// Confirming one activates its password and data, and nothing of the others.
    @Test(arguments: TestedStore.all, 0..<3)
    func eachAttemptIsItsOwn(kind: TestedStore, confirmed: Int) async throws {
        try await withAccounts(kind) { fixture in
            let passwords = ["first horse 11", "second horse 22", "third horse 33"]
            var ids: [SignUpID] = []
            for (number, password) in passwords.enumerated() {
                guard
                    case .waits(let id, _) = try await fixture.signUp(
                        Self.address, password, userData: #"{"n":\#(number)}"#)
                else { continue }
                ids.append(id)
            }
            let person = try await fixture.accounts.confirm(ids[confirmed], caller: nil)
            #expect(person.account.userData == #"{"n":\#(confirmed)}"#)
            for (number, password) in passwords.enumerated() {
                let word = await outcome { try await fixture.signIn(Self.address, password) }
                #expect(word == (number == confirmed ? "done" : "invalid_credentials"))
                #expect(
                    await outcome { try await fixture.accounts.confirm(ids[number], caller: nil) } == "sign_up_unknown")
            }
        }
    }

    /// An account that somebody made at the address before it was proven loses the address, whoever says that it is proven.
    @Test(arguments: TestedStore.all, ["confirm", "change", "create"])
    func provingDisplaces(kind: TestedStore, by: String) async throws {
        try await withAccounts(kind) { fixture in
            let other = try await fixture.member(Self.address, TestPassword.other, isProven: false)
            let session = try await fixture.signIn(Self.address, TestPassword.other)
            let id = try await fixture.pendingSignUp(Self.address)
            let email = try fixture.email(Self.address)
            let person: Person
            switch by {
            case "confirm": person = try await fixture.accounts.confirm(id, caller: nil)
            case "change":
                let account = try await fixture.member("other@mail.example")
                let change = AccountChange(email: (email, isProven: true))
                person = try await fixture.accounts.change(account.id, change, caller: nil)
            default: person = try await fixture.accounts.create(email, isProven: true, nil, caller: nil)
            }
            #expect(person.account.id != other.id)
            #expect(person.identities.isEmpty)
            #expect(person.account.email == email)
            #expect(try await fixture.accounts.person(email: email).account.id == person.account.id)
            #expect(try await fixture.accounts.person(other.id).account.email == nil)
            #expect(try await fixture.accounts.sessions(of: other.id).map(\.id) == [session.session.id])
            #expect(
                await outcome { try await fixture.signIn(Self.address, TestPassword.other) } == "invalid_credentials")
            #expect(
                await outcome { try await fixture.accounts.confirm(id, caller: nil) } == "sign_up_unknown")
        }
    }

    /// The audit trail says by what an account was made.
    @Test(arguments: TestedStore.all, Accounts.Confirmation.allCases)
    func whoMadeIt(kind: TestedStore, confirmation: Accounts.Confirmation) async throws {
        try await withAccounts(kind, Accounts.Policy(confirmation: confirmation)) { fixture in
            if case .waits(let id, _) = try await fixture.signUp(Self.address) {
                _ = try await fixture.accounts.confirm(id, caller: nil)
            }
            try await fixture.member("other@mail.example")
            _ = try await fixture.accounts.create(nil, isProven: false, nil, caller: "test")
            try await fixture.signIn()
            let made = try await fixture.accounts.auditTrail(of: nil, before: nil, limit: 100).map(\.entry)
                .filter { $0.event == .accountCreated }.compactMap(\.detail)
            #expect(made == ["apple", "operator", "operator", "password"])
        }
    }

    @Test(arguments: TestedStore.all)
    func whatIsTakenStaysTaken(kind: TestedStore) async throws {
        try await withAccounts(kind) { fixture in
            let id = try await fixture.pendingSignUp(Self.address, TestPassword.other)
            try await fixture.member(Self.address, isProven: false)
            let other = try await fixture.pendingSignUp(Self.address)
            let owner = try await fixture.accounts.confirm(other, caller: nil)
            #expect(await outcome { try await fixture.accounts.confirm(id, caller: nil) } == "sign_up_unknown")
            // One that came after.
            let late = try await fixture.pendingSignUp(Self.address, TestPassword.other)
            #expect(await outcome { try await fixture.accounts.confirm(late, caller: nil) } == "email_taken")
            #expect(try await fixture.signIn(Self.address).account.id == owner.account.id)
        }
    }

    @Test(arguments: TestedStore.all, [(86_399, "done"), (86_400, "sign_up_unknown")] as [(Int64, String)])
    func expiry(kind: TestedStore, row: (later: Int64, word: String)) async throws {
        try await withAccounts(kind) { fixture in
            let id = try await fixture.pendingSignUp(Self.address)
            fixture.clock.move(by: row.later)
            #expect(try await fixture.accounts.signUps(after: nil, limit: 10).count == (row.word == "done" ? 1 : 0))
            #expect(await outcome { try await fixture.accounts.confirm(id, caller: nil) } == row.word)
        }
    }

    @Test(arguments: TestedStore.all)
    func fiveForAnAddress(kind: TestedStore) async throws {
        try await withAccounts(kind) { fixture in
            let elsewhere = try await fixture.pendingSignUp("elsewhere@mail.example")
            var ids: [SignUpID] = []
            for _ in 0..<7 {
                ids.append(try await fixture.pendingSignUp(Self.address))
                fixture.clock.move(by: 1)
            }
            let left = try await fixture.accounts.signUps(after: nil, limit: 100).map(\.id)
            #expect(left == [elsewhere] + ids.suffix(5))
            #expect(await outcome { try await fixture.accounts.confirm(ids[1], caller: nil) } == "sign_up_unknown")
            #expect(await outcome { try await fixture.accounts.confirm(ids[2], caller: nil) } == "done")
        }
    }

    /// Expired ones in between shorten no page.
    @Test(arguments: TestedStore.all)
    func pages(kind: TestedStore) async throws {
        try await withAccounts(kind, Accounts.Policy(signUpLifetime: 100)) { fixture in
            for number in 0..<5 { _ = try await fixture.pendingSignUp("old\(number)@mail.example") }
            fixture.clock.move(by: 100)
            var ids: [SignUpID] = []
            for number in 0..<5 {
                ids.append(try await fixture.pendingSignUp("new\(number)@mail.example"))
                fixture.clock.move(by: 1)
            }
            var found: [SignUpID] = []
            while case let page = try await fixture.accounts.signUps(after: found.last, limit: 2), !page.isEmpty {
                #expect(page.count == 2 || found.count + page.count == 5)
                found += page.map(\.id)
            }
            #expect(found == ids)
            #expect(try await fixture.accounts.signUps(after: nil, limit: 0).isEmpty)
            #expect(try await fixture.accounts.signUps(after: nil, limit: -1).isEmpty)
        }
    }

    /// A policy of any numbers takes no server down.
    @Test(arguments: [.min, -1, 0, .max] as [Int64])
    func extremes(seconds: Int64) async throws {
        let policy = Accounts.Policy(
            sessions: SessionPolicy(timeBox: seconds, inactivity: seconds), signUpLifetime: seconds,
            attempts: AttemptRule(burst: seconds, refill: seconds))
        for now in [0, 1 << 40] as [Int64] {
            try await withAccounts(TestedStore.all[0], policy) { fixture in
                fixture.clock.set(now)
                let id = try await fixture.pendingSignUp(Self.address)
                _ = await outcome { try await fixture.accounts.confirm(id, caller: nil) }
                try await fixture.member()
                let grant = try await fixture.signIn("member@mail.example")
                _ = await outcome { try await fixture.refresh(grant) }
                _ = try await fixture.accounts.purge(
                    now: fixture.clock.now, auditRetention: seconds, limit: Int(clamping: seconds))
            }
        }
    }
}
