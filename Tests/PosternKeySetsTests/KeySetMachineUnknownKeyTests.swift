import PosternKeySets
import Testing

/// What unknown keys may cost: a set fetched at second 0, fresh until 3600.
@Suite struct KeySetMachineUnknownKeyTests {
    private let warm: [(Double, Step, String)] = [
        (0, .want("a"), "start 1"), (0, .land(1, "a"), "1 gets a, fetched, replaced 1"),
    ]

    @Test func oneFetchACooldown() throws {
        try MachineScript.play(
            warm + [
                (10, .want("b"), "start 2"),
                (10.5, .want("c"), ""),
                (11, .land(2, "a"), "2 gets a, 3 gets a, fetched, replaced 1"),
                (11, .want("b"), "4 gets a, not fetched"),
                (39.999, .want("d"), "5 gets a, not fetched"),
                (40, .want("e"), "start 3"),
                (41, .land(3, "a e"), "6 gets a e, fetched, replaced 2"),
                (41, .want("e"), "7 gets a e"),
            ])
    }

    /// A failure keeps the slot, and is no verdict: a newer set may have the key.
    @Test func theSlotIsKeptAfterAFailure() throws {
        try MachineScript.play(
            warm + [
                (10, .want("b"), "start 2"),
                (11, .fail(2, .noUsableKey), "2 faults no_usable_key, failed no_usable_key"),
                (11, .want("a"), "3 gets a"),
                (11, .want("b"), "4 faults no_usable_key, not fetched"),
                (39.999, .want("b"), "5 faults no_usable_key, not fetched"),
                (40, .want("b"), "start 3"),
            ])
    }

    @Test func twoSecondsAreWaitedAtMost() throws {
        try MachineScript.play(
            warm + [
                (10, .want("b"), "start 2"), (11, .want("b"), ""), (11.999, .tick, ""),
                (12, .tick, "2 faults unanswered"),
                (12, .want("a"), "4 gets a"), (12.9, .land(2, "a b"), "3 gets a b, fetched, replaced 2"),
            ])
    }

    @Test func aFlightOnItsWayIsJoined() throws {
        try MachineScript.play(
            warm + [
                (2880, .tick, "start 2"), (2881, .want("b"), ""),
                (2882, .land(2, "a"), "2 gets a, fetched, replaced 1"),
                // It has not claimed the slot.
                (2882, .want("b"), "start 3"),
            ])
    }

    @Test func aWithdrawnKeyIsUnknown() throws {
        try MachineScript.play(
            warm + [
                (2880, .tick, "start 2"), (2881, .land(2, "b"), "fetched, replaced 1"),
                (2882, .want("a"), "start 3"), (2883, .land(3, "b", isChanged: false), "2 gets b, fetched"),
            ])
    }

    @Test func whoLeavesIsForgottenAndTheFlightGoesOn() throws {
        try MachineScript.play([
            (0, .want("a"), "start 1"), (0, .want("a"), ""), (0, .leave(1), ""), (0, .leave(9), ""),
            (1, .land(1, "a"), "2 gets a, fetched, replaced 1"), (1, .leave(2), ""),
        ])
        try MachineScript.play([
            (0, .want("a"), "start 1"), (0, .leave(1), ""), (5, .tick, ""),
            (6, .land(1, "a"), "fetched, replaced 1"), (6, .want("a"), "2 gets a"),
        ])
    }
}
