import PosternAccounts
import Testing

@Suite struct SessionPolicyTests {
    private static let last: Int64 = 1 << 40

    @Test(
        arguments: [
            // Time-box, inactivity, seconds since the beginning, end.
            (nil, 100, 0, 100), (nil, 100, 50, 150),
            (1_000, 100, 0, 100), (1_000, 100, 899, 999), (1_000, 100, 900, 1_000), (1_000, 100, 901, 1_000),
            (1_000, 100, 5_000, 1_000), (50, 100, 0, 50),
            // A clock that was set back before the beginning.
            (1_000, 100, -500, -400),
        ] as [(Int64?, Int64, Int64, Int64)])
    func ends(timeBox: Int64?, inactivity: Int64, age: Int64, end: Int64) {
        let policy = SessionPolicy(timeBox: timeBox, inactivity: inactivity)
        #expect(policy.expiry(createdAt: 1_000_000, now: 1_000_000 + age) == 1_000_000 + end)
    }

    /// Whatever is set, and whatever a clock says, no sum overflows and nothing ends before it begins.
    @Test(arguments: [.min, -1, 0, 1, last, .max] as [Int64], [0, last] as [Int64])
    func extremes(seconds: Int64, now: Int64) {
        let policy = SessionPolicy(timeBox: seconds, inactivity: seconds)
        #expect((now...(now + Self.last)).contains(policy.expiry(createdAt: now, now: now)))
    }
}
