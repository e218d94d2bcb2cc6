import Glibc
import PosternAccounts
import PosternBase
import PosternPasswords
import PosternSQLite
import PosternTestSupport
import PosternTokens

/// People who sign up, sign in, refresh, change their passwords, sign out and leave, eight at a time and without end. What is promised
/// is put out once it is; what takes something away is put out before that too, since it may be done without having been promised.
struct People: Sendable {
    private static let lanes = 8
    private static let visitor = Visitor(caller: "test", userAgent: "Agent/1")

    private let run: String
    private let accounts: Accounts
    private let nonces: StoredNonces

    /// What somebody knows of their own account.
    private struct Member {
        let id: AccountID
        let email: EmailAddress
        var change = 0
        var grant: Grant
    }

    private struct Failure: Error {
        let text: String
    }

    /// The password after so many changes, which the test knows too.
    static func password(_ change: Int) -> String { "correct horse battery \(change)" }

    static func run(_ folder: String, run: String) async {
        do {
            let people = try await People(folder, run)
            try await withThrowingTaskGroup { group in
                for lane in 0..<lanes { group.addTask { try await people.live(lane) } }
                try await group.waitForAll()
            }
        } catch {
            Writing.say("failed \(error)")
            exit(1)
        }
    }

    private init(_ folder: String, _ run: String) async throws {
        self.run = run
        let store = try SQLiteStore(folder: folder, .serving)
        let master = try MasterKeys([Secret([UInt8](repeating: 7, count: 32))])
        let keys = try SigningKeys(master, plan: SigningKeyPlan(period: 7_776_000, accessTokenLifetime: 3_600))
        // Keys that were made before are to be opened again.
        try await keys.maintain(store, now: TimeSource.system.now())
        let tokens = AccessTokens(keys, issuer: "https://accounts.example", audience: "https://accounts.example")
        let pool = HashingPool(try PasswordCheck(CheapHasher()), threads: 2, queue: 64)
        nonces = StoredNonces(store)
        accounts = try Accounts(
            store: store, master: master, keys: keys, accessTokens: tokens,
            passwords: Passwords(policy: PasswordPolicy(blocklist: nil), pool: pool))
    }

    private func live(_ lane: Int) async throws {
        var members: [Member] = []
        for number in 0... {
            members.append(try await join(lane, number))
            // Somebody who has been there for a while, then the new one.
            let former = number * 7 % members.count
            for _ in 0..<2 { try await refresh(&members[former]) }
            if number % 2 == 0 { try await changePassword(&members[former]) }
            try await refresh(&members[members.count - 1])
            try await useNonce()
            if number % 3 == 2 { try await leave(members.remove(at: number * 5 % members.count)) }
            if number % 4 == 3, !members.isEmpty { try await signOut(members.remove(at: number * 3 % members.count)) }
        }
    }

    // MARK: - What they do

    private func join(_ lane: Int, _ number: Int) async throws -> Member {
        let email = try EmailAddress("member-\(run)-\(lane)-\(number)@example.org")
        let hash = try await accounts.hash(try password(0), email: email)
        let id = try await accounts.create(email, isProven: true, hash, caller: "test").account.id
        Writing.say("account \(id) 0")
        return Member(id: id, email: email, grant: try await signIn(email, 0))
    }

    private func signIn(_ email: EmailAddress, _ change: Int) async throws -> Grant {
        let grant = try await accounts.signIn(email: email, password: try password(change), visitor: Self.visitor)
        Writing.say("session \(grant.session.id) \(grant.session.counter)")
        return grant
    }

    private func refresh(_ member: inout Member) async throws {
        member.grant = try await accounts.refresh(member.grant.refreshToken.revealed, visitor: Self.visitor)
        Writing.say("session \(member.grant.session.id) \(member.grant.session.counter)")
    }

    /// Another device is signed out by that.
    private func changePassword(_ member: inout Member) async throws {
        let other = try await signIn(member.email, member.change).session.id
        Writing.say("ending \(other)")
        try await accounts.changePassword(
            of: member.id, old: try password(member.change), new: try password(member.change + 1),
            keeping: member.grant.session.id, visitor: Self.visitor)
        member.change += 1
        Writing.say("ended \(other)")
        Writing.say("account \(member.id) \(member.change)")
    }

    private func signOut(_ member: Member) async throws {
        let session = member.grant.session.id
        Writing.say("ending \(session)")
        try await accounts.end(session: session, caller: "test")
        Writing.say("ended \(session)")
    }

    private func leave(_ member: Member) async throws {
        Writing.say("ending \(member.grant.session.id)")
        Writing.say("deleting \(member.id)")
        try await accounts.delete(account: member.id, caller: "test")
        Writing.say("ended \(member.grant.session.id)")
        Writing.say("deleted \(member.id)")
    }

    private func useNonce() async throws {
        let name = RandomSource.system.bytes(32)
        let now = TimeSource.system.now()
        let state = try await nonces.redeem(name, expiresAt: now + 86_400, now: now, consume: true)
        guard state == .redeemed else { throw Failure(text: "a new nonce is \(state)") }
        Writing.say("nonce \(Hex.encode(name))")
    }

    private func password(_ change: Int) throws -> Password {
        guard let password = Password(Self.password(change)) else { throw Failure(text: "no password") }
        return password
    }
}
