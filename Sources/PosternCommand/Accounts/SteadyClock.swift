/// Whether the clock has run evenly for a while, so that what it calls over may be deleted. A machine that starts with a wrong time, or
/// is set to one for some minutes, would delete what is needed once the time is right again.
struct SteadyClock: Sendable {
    /// How long it must have run evenly.
    static let span: Int64 = 3_600
    /// Seconds by which it may be adjusted meanwhile.
    static let tolerance: Int64 = 60

    /// When it began to run evenly, by itself and by the clock that nobody sets; in seconds.
    private var since: (wall: Int64, monotonic: Int64)?

    /// To be asked each minute or so.
    mutating func isSteady(wall: Int64, monotonic: Int64) -> Bool {
        guard let since, abs((wall - since.wall) - (monotonic - since.monotonic)) <= Self.tolerance else {
            since = (wall, monotonic)
            return false
        }
        return monotonic - since.monotonic >= Self.span
    }
}
