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
            (1.999, .want("a"), "3 faults bad_status"),
            (2, .want("a"), "start 2"),
            (3, .land(2, "a"), "4 gets a, fetched, replaced 1"),
            (3, .atHand, "a until 3602.0"),
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
            (15.999, .want("a"), "3 faults timed_out"),
            (16, .want("a"), "start 2"),
            (17, .land(1, "x"), "ignored"),
            (17, .land(2, "a"), "4 gets a, fetched, replaced 1"),
            (17, .land(2, "x"), "ignored"),
        ])
    }

    /// Without a set it is tried again soon: an issuer may be just about to start.
    @Test func retriesInTheBackgroundComeLessAndLessOften() throws {
        try MachineScript.play([
            (0, .want("a"), "start 1"), (1, .fail(1), "1 faults bad_status, failed bad_status"),
            (1, .next, "2.0"), (1.999, .tick, ""), (2, .tick, "start 2"), (3, .fail(2), "failed bad_status"),
            (3, .next, "5.0"), (5, .tick, "start 3"), (6, .fail(3), "failed bad_status"),
            (6, .next, "10.0"), (10, .tick, "start 4"), (11, .fail(4), "failed bad_status"),
            (11, .next, "19.0"), (19, .tick, "start 5"), (20, .fail(5), "failed bad_status"),
            (20, .next, "36.0"), (36, .tick, "start 6"), (37, .fail(6), "failed bad_status"),
            (37, .next, "66.0"), (65.999, .want("a"), "2 faults bad_status"), (66, .tick, "start 7"),
            (67, .fail(7), "failed bad_status"),
            (67, .next, "126.0"), (126, .tick, "start 8"), (127, .fail(8), "failed bad_status"),
            (127, .next, "246.0"), (246, .tick, "start 9"), (247, .fail(9), "failed bad_status"),
            (247, .next, "486.0"), (486, .tick, "start 10"), (487, .fail(10), "failed bad_status"),
            (487, .next, "786.0"), (786, .tick, "start 11"), (787, .land(11, "a"), "fetched, replaced 1"),
            (787, .next, "3666.0"),
        ])
    }

    /// With a set at hand there is time.
    @Test func retriesOfARefreshComeLessAndLessOften() throws {
        try MachineScript.play([
            (0, .want("a"), "start 1"), (0, .land(1, "a"), "1 gets a, fetched, replaced 1"), (2880, .tick, "start 2"),
            (2881, .fail(2), "failed bad_status"), (2881, .next, "2910.0"), (2909.999, .tick, ""),
            (2910, .tick, "start 3"), (2911, .fail(3), "failed bad_status"),
            (2911, .next, "2970.0"), (2970, .tick, "start 4"), (2971, .fail(4), "failed bad_status"),
            (2971, .next, "3090.0"), (3090, .tick, "start 5"), (3091, .fail(5), "failed bad_status"),
            (3091, .next, "3330.0"), (3330, .tick, "start 6"), (3331, .fail(6), "failed bad_status"),
            (3331, .next, "3630.0"), (3630, .tick, "start 7"), (3631, .land(7, "a"), "fetched, replaced 1"),
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
