internal import Glibc

/// Where the time comes from, so that every rule about time can be tested at a chosen second.
public struct TimeSource: Sendable {
    private let read: @Sendable () -> Int64

    /// A source that answers what `read` gives: seconds since 1970-01-01T00:00:00Z, leap seconds not counted.
    public init(_ read: @escaping @Sendable () -> Int64) { self.read = read }

    /// The wall clock of the system (`CLOCK_REALTIME`), in whole seconds.
    public static let system = TimeSource {
        // `time` reads the coarse clock page of the kernel without a system call.
        Int64(time(nil))
    }

    /// A clock that stands still at `seconds` since 1970.
    public static func fixed(_ seconds: Int64) -> TimeSource { TimeSource { seconds } }

    /// The present second since 1970, from 0 to 2^40 (the year 36812): a clock that says anything else is taken at the nearer
    /// end, so that no sum of times can overflow.
    public func now() -> Int64 { min(max(read(), 0), 1 << 40) }
}
