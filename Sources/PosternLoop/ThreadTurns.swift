internal import CLinux

/// How long a thread is left alone with its processor.
enum ThreadTurns {
    private static let nanoseconds: UInt64 = 100_000
    /// SCHED_OTHER: who gave the process another class knows better.
    private static let usual: UInt32 = 0

    /// Asks for short turns for the calling thread, from Linux 6.12 on; those before, and sandboxes, change nothing.
    ///
    /// Who has something to do for as long as a hash takes has turns of some milliseconds. A thread with shorter ones comes in between as
    /// soon as it wakes, and has no more of the processor for that.
    static func shorten() {
        var scheduling = postern_scheduling()
        guard postern_get_scheduling(&scheduling) == 0, scheduling.policy == usual else { return }
        scheduling.runtime = nanoseconds
        _ = postern_set_scheduling(&scheduling)
    }
}
