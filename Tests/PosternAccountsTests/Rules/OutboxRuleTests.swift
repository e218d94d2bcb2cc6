import PosternBase
import Testing

@testable import PosternAccounts

@Suite struct OutboxRuleTests {
    private static let now: Int64 = 1_790_000_000

    private func mail(tries: Int64 = 0, next: Int64 = now, expires: Int64 = now + 86_400) -> OutboxMail {
        OutboxMail(
            id: Identifier(milliseconds: 1, random: .seeded(1)), proof: Identifier(milliseconds: 1, random: .seeded(2)),
            purpose: .verify, email: address("a@example.org"), createdAt: Self.now - 10, nextAttemptAt: next,
            tries: tries, expiresAt: expires)
    }

    private func later(_ mail: OutboxMail, by seconds: Int64, tries: Int64) -> OutboxRule.Decision {
        var mail = mail
        (mail.nextAttemptAt, mail.tries) = (Self.now + seconds, tries)
        return .later(mail)
    }

    @Test(
        arguments: [
            (0, 30, 1), (1, 60, 2), (2, 120, 3), (3, 240, 4), (4, 480, 5), (5, 960, 6), (6, 1_800, 7), (7, 1_800, 8),
            (10, 1_800, 11), (11, 1_800, 12), (63, 1_800, 64), (64, 1_800, 65), (1 << 53 - 2, 1_800, 1 << 53 - 1),
            (1 << 53 - 1, 1_800, 1 << 53 - 1), (.max, 1_800, 1 << 53 - 1), (-1, 30, 0), (.min, 30, .min + 1),
        ] as [(Int64, Int64, Int64)])
    func itWaitsTwiceAsLongEachTime(tries: Int64, seconds: Int64, next: Int64) {
        #expect(
            OutboxRule.failed(mail(tries: tries), now: Self.now) == later(mail(tries: tries), by: seconds, tries: next))
    }

    /// Nothing is tried in the second of its expiry, so nothing waits for it.
    @Test(arguments: [(31, false), (30, true), (29, true), (1, true), (0, true), (-1, true)] as [(Int64, Bool)])
    func itGivesUpAtExpiry(left: Int64, isGivenUp: Bool) {
        let mail = mail(expires: Self.now + left)
        #expect(OutboxRule.failed(mail, now: Self.now) == (isGivenUp ? .giveUp : later(mail, by: 30, tries: 1)))
    }

    @Test func itEnds() {
        var mail = mail()
        var now = Self.now
        var count = 0
        while case .later(let next) = OutboxRule.failed(mail, now: now) {
            #expect(next.nextAttemptAt > now && OutboxRule.isDue(next, now: next.nextAttemptAt))
            (mail, now, count) = (next, next.nextAttemptAt, count + 1)
        }
        // Six that double to 1,890 s, then one in half an hour.
        #expect(count == 6 + (86_400 - 1_890 - 1) / 1_800)
        #expect(mail.tries == Int64(count))
    }

    @Test(
        arguments: [
            (0, 10, true), (-1, 10, true), (1, 10, false), (0, 1, true), (0, 0, false), (-9, -1, false),
            (3_600, 7_200, false), (-3_600, 1, true),
        ] as [(Int64, Int64, Bool)])
    func isDue(next: Int64, expires: Int64, isDue: Bool) {
        let mail = mail(next: Self.now + next, expires: Self.now + expires)
        #expect(OutboxRule.isDue(mail, now: Self.now) == isDue)
    }
}
