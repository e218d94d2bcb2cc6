import Testing

@testable import PosternBase

@Suite struct WorkPaceTests {
    @Test func isFromASecondToAMinute() {
        var pace = WorkPace()
        #expect(pace.seconds(for: 1_000_000, threads: 1) == 1)
        for _ in 0..<200 { pace.add(.milliseconds(500)) }
        #expect(pace.seconds(for: 0, threads: 1) == 1)
        #expect(pace.seconds(for: 2, threads: 1) == 1)
        #expect(pace.seconds(for: 3, threads: 1) == 2)
        #expect(pace.seconds(for: 20, threads: 2) == 5)
        #expect(pace.seconds(for: 118, threads: 1) == 59)
        #expect(pace.seconds(for: 1_000, threads: 1) == 60)
        #expect(pace.seconds(for: .max, threads: 0) == 60)
    }

    /// A clock that jumps must not end the process.
    @Test(arguments: [Duration.seconds(-5), .seconds(Int64.max / 2), .seconds(Int64.min / 2)])
    func takesEveryTime(time: Duration) {
        var pace = WorkPace()
        for _ in 0..<10 { pace.add(time) }
        #expect((1...60).contains(pace.seconds(for: 5, threads: 2)))
    }
}
