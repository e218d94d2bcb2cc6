import PosternKeySets
import Testing

/// What happens when the time of a set is over: fetched at second 0, fresh until 3600, serving until 90,000.
@Suite struct KeySetMachineStaleTests {
    private let warm: [(Double, Step, String)] = [
        (0, .want("a"), "start 1"), (0, .land(1, "a"), "1 gets a, fetched, replaced 1"),
    ]

    @Test func aKnownKeyWaitsFromTheEndOfItsTimeOn() throws {
        try MachineScript.play(
            warm + [
                (3599.999, .want("a"), "2 gets a"),
                (3600, .want("a"), "start 2"),
                (3600.5, .land(2, "a b"), "3 gets a b, fetched, replaced 2"),
                (3600.5, .atHand, "a b until 7200.0"),
            ])
    }

    /// One flight is waited for by all together, two seconds from its start; then the old set serves.
    @Test func theOldSetServesWhenTheFlightTakesTooLong() throws {
        try MachineScript.play(
            warm + [
                (3600, .want("a"), "start 2"),
                (3601.5, .want("a"), ""),
                (3601.5, .next, "3602.0"),
                (3601.999, .tick, ""),
                (3602, .tick, "2 gets a, 3 gets a, stale"),
                (3602, .want("a"), "4 gets a"),
                (3604, .want("a"), "5 gets a"),
                (3604, .land(2, "b"), "fetched, replaced 1"),
                (3604, .atHand, "b until 7200.0"),
            ])
    }

    /// The first look past the time is owed one flight; from its failure on the background asks, and nobody waits.
    @Test func afterAFailureNobodyWaitsForAKnownKey() throws {
        try MachineScript.play(
            warm + [
                (3600, .want("a"), "start 2"),
                (3601, .fail(2), "2 gets a, failed bad_status, stale"),
                // At hand again, so that no verification even asks.
                (3601, .atHand, "a until 90000.0"),
                (3629.999, .want("a"), "3 gets a"),
                (3630, .tick, "start 3"),
                (3630, .want("a"), "4 gets a, stale"),
                (3631, .fail(3), "failed bad_status"),
                (3631, .next, "3690.0"),
                (3660, .want("a"), "5 gets a"),
                (3690, .tick, "start 4"),
                (3691, .land(4, "b"), "fetched, replaced 1"),
                (3691, .atHand, "b until 7290.0"),
                // The next time is owed a flight again.
                (7290, .want("b"), "start 5"),
            ])
    }

    /// A failure before the time was over is none of the flight that is owed.
    @Test func aFailureAheadOfTimeSparesNoWait() throws {
        try MachineScript.play(
            warm + [
                (2880, .tick, "start 2"), (2881, .fail(2), "failed bad_status"), (2881, .atHand, "a until 3600.0"),
                (3600, .want("a"), "start 3"),
            ])
    }

    /// Those who wait are answered together, a little late.
    @Test func deadlinesStandOnAGrid() throws {
        try MachineScript.play(
            warm + [
                (3600, .want("b"), "start 2"),
                (3600.001, .want("c"), ""), (3600.049, .want("d"), ""), (3600.05, .want("e"), ""),
                (3601, .next, "3602.0"),
                (3602, .tick, "2 faults unanswered"), (3602, .next, "3602.05"),
                (3602.05, .tick, "3 faults unanswered, 4 faults unanswered, 5 faults unanswered"),
            ])
    }

    @Test func theOldSetServesForADayAndNoLonger() throws {
        try MachineScript.play(
            warm + [
                (89_970.5, .want("a"), "start 2"),
                (89_971, .fail(2), "2 gets a, failed bad_status, stale"),
                (89_971, .atHand, "a until 90000.0"),
                (89_999.999, .want("a"), "3 gets a"),
                (90_000, .want("a"), "4 faults bad_status"),
                (90_000.5, .want("a"), "start 3"),
                (90_001, .fail(3), "5 faults bad_status, failed bad_status"),
                (90_040, .want("a"), "start 4"),
                // The issuer says that it is still the right one.
                (90_041, .notModified(4, timeToLive: nil), "6 gets a, not modified"),
            ])
    }

    @Test func aWaitThatOutlastsTheOldSetFaults() throws {
        try MachineScript.play(
            warm + [
                (89_999, .want("a"), "start 2"), (90_000.999, .tick, ""), (90_001, .tick, "2 faults unanswered"),
            ])
    }

    @Test func anUnknownKeyWaitsForItsOwnTwoSeconds() throws {
        try MachineScript.play(
            warm + [
                (3600, .want("b"), "start 2"),
                (3601, .want("c"), ""),
                (3602, .tick, "2 faults unanswered"),
                (3602.999, .tick, ""),
                (3603, .tick, "3 faults unanswered"),
                (3603, .want("a"), "4 gets a, stale"),
                (3604, .fail(2), "failed bad_status"),
                (3604, .want("b"), "5 faults bad_status"),
            ])
    }

    /// It was fetched for its time, not for the unknown key, whose slot is still free.
    @Test func theSetFetchedForItsTimeDecidesAboutUnknownKeys() throws {
        try MachineScript.play(
            warm + [
                (3600, .want("b"), "start 2"),
                (3601, .land(2, "a"), "2 gets a, fetched, replaced 1"),
                (3601, .want("c"), "start 3"),
            ])
    }

    /// A failure ahead of time costs nothing: the set is fresh.
    @Test func aFailedRefreshAheadOfTimeIsNotNoticed() throws {
        try MachineScript.play(
            warm + [
                (2880, .tick, "start 2"), (2881, .fail(2), "failed bad_status"), (2881, .atHand, "a until 3600.0"),
                (2881, .next, "2910.0"), (2882, .want("a"), "2 gets a"),
                (3590, .tick, "start 3"), (3591, .fail(3), "failed bad_status"), (3591, .atHand, "a until 3620.0"),
            ])
    }
}
