import PosternKeySets
import Testing

/// A set fetched at second 0 is fresh until 3600 and serves until 90,000.
@Suite struct KeySetMachineTests {
    @Test func nothingIsDoneBeforeSomebodyWantsSomething() throws {
        try MachineScript.play([(0, .next, "never"), (0, .tick, ""), (0, .atHand, "none")])
    }

    @Test func aColdStartWaitsForOneFlight() throws {
        try MachineScript.play([
            (0, .want("a"), "start 1"),
            (0.5, .want("b"), ""),
            (0.6, .want(nil), ""),
            (1, .land(1, "a"), "1 gets a, 2 gets a, 3 gets a, fetched, replaced 1"),
            (1, .atHand, "a until 3600.0"),
            (1, .want("a"), "4 gets a"),
            (1, .want(nil), "5 gets a"),
        ])
    }

    @Test func aFailedColdStartIsNotRepeatedBeforeTheCooldownIsOver() throws {
        try MachineScript.play([
            (0, .want("a"), "start 1"),
            (1, .fail(1), "1 faults bad_status, failed bad_status"),
            (1, .want("a"), "2 faults bad_status"),
            (29.999, .want("a"), "3 faults bad_status"),
            (30, .want("a"), "start 2"),
            (31, .land(2, "a"), "4 gets a, fetched, replaced 1"),
            (31, .atHand, "a until 3630.0"),
        ])
    }

    @Test func withoutKeysAVerificationWaitsForATimeOfItsOwn() throws {
        try MachineScript.play([
            (0, .want("a"), "start 1"),
            (1, .want("a"), ""),
            (1, .next, "5.5"),
            (5.499, .tick, ""),
            (5.5, .tick, "1 faults unanswered"),
            (5.5, .next, "6.5"),
            (6.499, .tick, ""),
            (6.5, .tick, "2 faults unanswered"),
            (6.5, .next, "15.0"),
            (7, .land(1, "a"), "fetched, replaced 1"),
            (7, .want("a"), "3 gets a"),
        ])
    }

    /// A client that never ends must not hold the only flight for ever.
    @Test func aFlightThatDoesNotEndIsGivenUp() throws {
        try MachineScript.play([
            (0, .want("a"), "start 1"),
            (12, .want("a"), ""),
            (14.999, .tick, "1 faults unanswered"),
            (15, .tick, "abandon 1, 2 faults timed_out, failed timed_out"),
            (16, .land(1, "a"), "ignored"),
            (29.999, .want("a"), "3 faults timed_out"),
            (30, .want("a"), "start 2"),
            (31, .land(1, "x"), "ignored"),
            (31, .land(2, "a"), "4 gets a, fetched, replaced 1"),
            (31, .land(2, "x"), "ignored"),
        ])
    }

    @Test func retriesInTheBackgroundComeLessAndLessOften() throws {
        try MachineScript.play([
            (0, .want("a"), "start 1"), (1, .fail(1), "1 faults bad_status, failed bad_status"),
            (1, .next, "30.0"), (29.999, .tick, ""), (30, .tick, "start 2"), (31, .fail(2), "failed bad_status"),
            (31, .next, "90.0"), (89.999, .tick, ""), (90, .tick, "start 3"), (91, .fail(3), "failed bad_status"),
            (91, .next, "210.0"), (210, .tick, "start 4"), (211, .fail(4), "failed bad_status"),
            (211, .next, "450.0"), (450, .tick, "start 5"), (451, .fail(5), "failed bad_status"),
            (451, .next, "750.0"), (750, .tick, "start 6"), (751, .fail(6), "failed bad_status"),
            (751, .next, "1050.0"), (1050, .tick, "start 7"), (1051, .land(7, "a"), "fetched, replaced 1"),
            (1051, .next, "3930.0"),
        ])
    }

    @Test(arguments: [
        (-1.0, 2520.0), (-0.5, 2700.0), (0.0, 2880.0), (1.0, 3240.0), (7.0, 3240.0), (-7.0, 2520.0),
    ])
    func refreshesAheadOfTime(_ jitter: Double, _ second: Double) throws {
        try MachineScript.play(
            [
                (0, .want("a"), "start 1"), (0, .land(1, "a"), "1 gets a, fetched, replaced 1"),
                (0, .next, "\(second)"), (second - 0.001, .tick, ""), (second, .tick, "start 2"),
                // Off the path: nobody waits.
                (second, .want("a"), "2 gets a"), (second + 1, .land(2, "a", isChanged: false), "fetched"),
                (second + 1, .atHand, "a until \(second + 3600)"),
            ],
            jitter: jitter
        )
    }

    @Test func aConfirmedSetIsFreshAnew() throws {
        try MachineScript.play([
            (0, .want("a"), "start 1"), (0, .land(1, "a", timeToLive: 600), "1 gets a, fetched, replaced 1"),
            (480, .tick, "start 2"), (481, .notModified(2, timeToLive: nil), "not modified"),
            (481, .atHand, "a until 1080.0"),
            (960, .tick, "start 3"), (961, .notModified(3, timeToLive: 900), "not modified"),
            (961, .atHand, "a until 1860.0"),
        ])
    }

    /// Counted from the question: an answer may be as old as that.
    @Test func theTimeToLiveRunsFromTheStartOfTheFlight() throws {
        try MachineScript.play([
            (100, .want("a"), "start 1"), (104, .land(1, "a", timeToLive: 300), "1 gets a, fetched, replaced 1"),
            (104, .atHand, "a until 400.0"),
        ])
    }

    @Test(
        arguments: [
            (0, "fresh"), (3599, "fresh"), (3600, "stale"), (89_999, "stale"), (90_000, "expired"),
        ] as [(Int64, String)])
    func aSetOfAnEarlierRun(_ age: Int64, _ freshness: String) throws {
        try MachineScript.play([
            (100_000, .load("a", age: age), freshness),
            (100_000, .atHand, "a until \(Double(103_600 - age))"),
            (100_000, .next, "\(Double(102_880 - age))"),
        ])
    }
}
