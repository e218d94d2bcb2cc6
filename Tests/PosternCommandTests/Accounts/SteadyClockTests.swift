import Testing

@testable import PosternCommand

@Suite struct SteadyClockTests {
    /// What is said at the last of these moments, by the clock and by one that nobody sets.
    private func isSteady(_ moments: [(wall: Int64, monotonic: Int64)]) -> Bool {
        var clock = SteadyClock()
        var answer = false
        for moment in moments { answer = clock.isSteady(wall: moment.wall, monotonic: moment.monotonic) }
        return answer
    }

    @Test func anHourIsWaitedFor() {
        #expect(!isSteady([(1_000, 50)]))
        #expect(!isSteady([(1_000, 50), (4_599, 3_649)]))
        #expect(isSteady([(1_000, 50), (4_600, 3_650)]))
        #expect(isSteady([(1_000, 50), (4_600, 3_650), (4_660, 3_710)]))
    }

    /// Whoever sets it, in either direction, waits for another hour.
    @Test(
        arguments: [(-60, true), (60, true), (-61, false), (61, false), (3_600, false), (34_560_000, false)]
            as [(Int64, Bool)])
    func steps(step: Int64, isGood: Bool) {
        let before: [(wall: Int64, monotonic: Int64)] = [(100_000, 0), (103_600, 3_600)]
        #expect(isSteady(before + [(103_660 + step, 3_660)]) == isGood)
        let after = (wall: 107_260 + step, monotonic: Int64(7_260))
        #expect(isSteady(before + [(103_660 + step, 3_660), after]))
        #expect(isSteady(before + [(103_660 + step, 3_660), (after.wall - 1, after.monotonic - 1)]) == isGood)
    }

    /// A step back to where it was is a step too.
    @Test func thereAndBack() {
        #expect(!isSteady([(0, 0), (3_600, 3_600), (38_160_000, 3_660), (3_720, 3_720)]))
    }
}
