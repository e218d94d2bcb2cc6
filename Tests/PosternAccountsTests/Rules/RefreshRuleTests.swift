import PosternAccounts
import PosternBase
import Testing

@Suite struct RefreshRuleTests {
    private static let now: Int64 = 1_790_000_000
    private static let year: Int64 = 365 * 86_400

    private func session(counter: Int64 = 5, rotated: Int64 = 0, isSeen: Bool = false) -> Session {
        Session(
            id: Identifier(milliseconds: 1, random: .seeded(1)),
            account: Identifier(milliseconds: 1, random: .seeded(2)),
            method: .password, createdAt: Self.now - 100, counter: counter, rotatedAt: Self.now - rotated,
            isSeen: isSeen,
            expiresAt: Self.now + Self.year)
    }

    private func decide(
        _ session: Session, _ counter: Int64, _ policy: SessionPolicy = SessionPolicy(), at now: Int64 = now
    )
        -> String
    {
        switch RefreshRule.decide(session, presented: counter, policy, now: now) {
        case .rotate: "rotate"
        case .again: "again"
        case .reuse: "reuse"
        case .expired: "expired"
        }
    }

    /// The active token goes on whatever the clock says and whoever has seen it.
    @Test(arguments: [-3_600, -1, 0, 1, 10, 86_400] as [Int64], [false, true])
    func theActiveTokenRotates(rotated: Int64, isSeen: Bool) {
        #expect(decide(session(rotated: rotated, isSeen: isSeen), 5) == "rotate")
    }

    /// How long ago the rotation was; seen or not; what becomes of the parent and of its parent.
    @Test(
        arguments: [
            (0, false, "again", "again"), (0, true, "again", "again"),
            (9, false, "again", "again"), (9, true, "again", "again"),
            (10, false, "again", "reuse"), (10, true, "reuse", "reuse"),
            (11, false, "again", "reuse"), (11, true, "reuse", "reuse"),
            (86_400, false, "again", "reuse"), (86_400, true, "reuse", "reuse"),
            // Two refreshes at once, judged in the other order, or on machines whose clocks differ a little.
            (-1, false, "again", "again"), (-1, true, "again", "again"),
            (-10, false, "again", "again"), (-10, true, "again", "again"),
            (-11, false, "again", "reuse"), (-11, true, "reuse", "reuse"),
            // A clock that was set back an hour opens nothing.
            (-3_600, false, "again", "reuse"), (-3_600, true, "reuse", "reuse"),
        ] as [(Int64, Bool, String, String)])
    func formerTokens(rotated: Int64, isSeen: Bool, parent: String, older: String) {
        let session = session(rotated: rotated, isSeen: isSeen)
        #expect(decide(session, 4) == parent)
        for counter: Int64 in [3, 0, -1, .min] { #expect(decide(session, counter) == older, "\(counter)") }
    }

    /// Genuine, and of a generation that the store knows nothing of: it was put back to an earlier state.
    @Test(arguments: [6, 7, .max] as [Int64], [0, 60] as [Int64])
    func tokensOfLaterGenerations(counter: Int64, rotated: Int64) {
        #expect(decide(session(rotated: rotated), counter) == "reuse")
    }

    @Test(arguments: [(-1, "rotate"), (0, "expired"), (1, "expired"), (3_600, "expired")] as [(Int64, String)])
    func theEnd(after: Int64, decision: String) {
        var session = session()
        session.expiresAt = Self.now - after
        #expect(decide(session, 5) == decision)
        // What is over is over for former tokens too.
        #expect(decide(session, 4) == (decision == "rotate" ? "again" : "expired"))
    }

    /// Where the rules have become shorter, what is answered again ends as early.
    @Test(arguments: [false, true], [nil, 300] as [Int64?])
    func whatIsAnsweredAgain(isLate: Bool, timeBox: Int64?) {
        let before = session(rotated: isLate ? 60 : 0)
        let policy = SessionPolicy(timeBox: timeBox, inactivity: Self.year * 2)
        guard case .again(let present) = RefreshRule.decide(before, presented: 4, policy, now: Self.now) else {
            Issue.record("not answered again")
            return
        }
        var wanted = before
        if let timeBox { wanted.expiresAt = before.createdAt + timeBox }
        #expect(present == wanted)
    }

    @Test func whatARotationChanges() throws {
        let before = session(isSeen: true)
        let policy = SessionPolicy(timeBox: 10_000, inactivity: 500)
        guard case .rotate(let next) = RefreshRule.decide(before, presented: 5, policy, now: Self.now) else {
            Issue.record("not rotated")
            return
        }
        var wanted = before
        wanted.counter = 6
        wanted.rotatedAt = Self.now
        wanted.isSeen = false
        wanted.expiresAt = Self.now + 500
        #expect(next == wanted)
    }

    /// A session that is refreshed all the time ends with its time-box.
    @Test func aTimeBoxEndsWhatIsRefreshed() {
        let policy = SessionPolicy(timeBox: 1_000, inactivity: 400)
        var current = session(counter: 0)
        let began = current.createdAt
        current.expiresAt = policy.expiry(createdAt: began, now: began)
        var now = began
        while case .rotate(let next) = RefreshRule.decide(current, presented: current.counter, policy, now: now) {
            current = next
            now += 100
        }
        #expect(now == began + 1_000)
        #expect(current.counter == 10)
    }

    /// Who stays away a second too long signs in anew.
    @Test(arguments: [(399, "rotate"), (400, "expired")] as [(Int64, String)])
    func inactivityEndsASession(seconds: Int64, decision: String) {
        let policy = SessionPolicy(inactivity: 400)
        var session = session()
        session.expiresAt = policy.expiry(createdAt: session.createdAt, now: Self.now)
        #expect(decide(session, 5, policy, at: Self.now + seconds) == decision)
    }
}
