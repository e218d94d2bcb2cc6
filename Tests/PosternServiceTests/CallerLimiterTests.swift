import PosternService
import Testing

@Suite struct CallerLimiterTests {
    private static func limiter(_ perSecond: Int64, _ burst: Int64, capacity: Int = 10) throws -> CallerLimiter {
        CallerLimiter(try #require(CallerLimiter.Rate(perSecond: perSecond, burst: burst)), capacity: capacity)
    }

    @Test(arguments: [
        (0, 1, false), (1, 0, false), (1, 1, true), (1_000_000, 1_000_000, true), (1_000_001, 1, false), (-1, 1, false),
    ])
    func ranges(perSecond: Int64, burst: Int64, isGood: Bool) {
        #expect((CallerLimiter.Rate(perSecond: perSecond, burst: burst) != nil) == isGood)
    }

    @Test func theBurstIsSpentAndComesBack() throws {
        var limiter = try Self.limiter(2, 3)
        for _ in 0..<3 { #expect(limiter.admit(.user(1), at: .seconds(10)) == .admitted) }
        #expect(limiter.admit(.user(1), at: .seconds(10)) == .refused(retryAfter: 1))
        #expect(limiter.admit(.user(1), at: .milliseconds(10_499)) == .refused(retryAfter: 1))
        #expect(limiter.admit(.user(1), at: .milliseconds(10_500)) == .admitted)
        #expect(limiter.admit(.user(1), at: .milliseconds(10_500)) == .refused(retryAfter: 1))
        // It never holds more than the burst.
        for _ in 0..<3 { #expect(limiter.admit(.user(1), at: .seconds(1000)) == .admitted) }
        #expect(limiter.admit(.user(1), at: .seconds(1000)) == .refused(retryAfter: 1))
    }

    @Test func callersAreApart() throws {
        var limiter = try Self.limiter(1, 1)
        #expect(limiter.admit(.user(1), at: .zero) == .admitted)
        #expect(limiter.admit(.user(1), at: .zero) == .refused(retryAfter: 1))
        #expect(limiter.admit(.user(2), at: .zero) == .admitted)
        #expect(limiter.admit(.key(1), at: .zero) == .admitted)
    }

    @Test func manyAtOnceLeaveADebt() throws {
        var limiter = try Self.limiter(10, 20)
        #expect(limiter.admit(.key(0), at: .zero) == .admitted)
        limiter.charge(.key(0), 99, at: .zero)
        // 20 - 100 = -80: the next is due when the level is 1.
        #expect(limiter.admit(.key(0), at: .zero) == .refused(retryAfter: 9))
        #expect(limiter.admit(.key(0), at: .seconds(8)) == .refused(retryAfter: 1))
        #expect(limiter.admit(.key(0), at: .milliseconds(8100)) == .admitted)
    }

    @Test func aClockThatStepsBackGivesNothing() throws {
        var limiter = try Self.limiter(1, 1)
        #expect(limiter.admit(.user(1), at: .seconds(100)) == .admitted)
        #expect(limiter.admit(.user(1), at: .seconds(5)) == .refused(retryAfter: 1))
        #expect(limiter.admit(.user(1), at: .seconds(100)) == .refused(retryAfter: 1))
        #expect(limiter.admit(.user(1), at: .seconds(101)) == .admitted)
    }

    @Test func extremesDoNotTrap() throws {
        var limiter = try Self.limiter(1_000_000, 1_000_000)
        limiter.charge(.user(1), .max, at: .zero)
        limiter.charge(.user(1), .min, at: .zero)
        for _ in 0..<5 { limiter.charge(.user(1), .max, at: .zero) }
        _ = limiter.admit(.user(1), at: .seconds(-5))
        #expect(limiter.admit(.user(1), at: Duration(secondsComponent: .max, attosecondsComponent: 0)) == .admitted)
    }

    /// More callers than are remembered share a bucket, so a flood of them gets no more than one of them.
    @Test func theMemoryIsBounded() throws {
        var limiter = try Self.limiter(1, 1, capacity: 3)
        for user in UInt32(0)..<3 { #expect(limiter.admit(.user(user), at: .zero) == .admitted) }
        #expect(limiter.admit(.user(10), at: .zero) == .admitted)
        #expect(limiter.admit(.user(11), at: .zero) == .refused(retryAfter: 1))
        #expect(limiter.count == 4)
        // Those that are full again make room.
        #expect(limiter.admit(.user(12), at: .seconds(5)) == .admitted)
        #expect(limiter.admit(.user(13), at: .seconds(5)) == .admitted)
        for user in UInt32(20)..<1000 { _ = limiter.admit(.user(user), at: .seconds(5)) }
        #expect(limiter.count <= 4)
    }
}
