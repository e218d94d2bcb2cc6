internal import Glibc

/// A moment on the clock that only runs forward.
struct Moment: Comparable {
    private let nanoseconds: Int64

    private init(nanoseconds: Int64) { self.nanoseconds = nanoseconds }

    static var now: Moment {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return Moment(nanoseconds: Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec))
    }

    static func < (one: Moment, other: Moment) -> Bool { one.nanoseconds < other.nanoseconds }

    func adding(milliseconds: Int) -> Moment {
        Moment(nanoseconds: nanoseconds &+ Int64(clamping: milliseconds) &* 1_000_000)
    }

    var time: timespec {
        timespec(tv_sec: Int(nanoseconds / 1_000_000_000), tv_nsec: Int(nanoseconds % 1_000_000_000))
    }
}
