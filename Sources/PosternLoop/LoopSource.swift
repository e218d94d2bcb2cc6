internal import CLinux

/// What a loop calls when something happens to a descriptor or its time is up; always on the loop's thread.
package protocol LoopSource: AnyObject {
    /// Something happened. Without any event it is the source's turn again, which it asked for by `EventLoop.again`.
    func ready(_ events: LoopEvents)
    /// The time of `EventLoop.setDeadline` has come.
    func timeIsUp()
}

/// What can happen to a descriptor.
package struct LoopEvents: OptionSet, Sendable {
    package let rawValue: UInt32

    package init(rawValue: UInt32) { self.rawValue = rawValue }

    /// There may be something to read.
    package static let readable = LoopEvents(rawValue: POSTERN_EPOLLIN)
    /// There may be room to write.
    package static let writable = LoopEvents(rawValue: POSTERN_EPOLLOUT)
    /// The other side writes no more.
    package static let readEnd = LoopEvents(rawValue: POSTERN_EPOLLRDHUP)
    /// The connection is over in both directions. Told without being asked for.
    package static let hangUp = LoopEvents(rawValue: POSTERN_EPOLLHUP)
    /// An error lies on the descriptor. Told without being asked for.
    package static let failure = LoopEvents(rawValue: POSTERN_EPOLLERR)
    /// Tell each thing once, when it happens, instead of as long as it lasts.
    package static let once = LoopEvents(rawValue: POSTERN_EPOLLET)
}

/// A source in a loop. One that was taken out is known by no loop any more, even when its place has been given away.
package struct LoopToken: Sendable, Equatable {
    let slot: UInt32
    let generation: UInt32

    /// A small number that no other source of the loop has at the same time.
    package var place: Int { Int(slot) }

    var packed: UInt64 { UInt64(generation) << 32 | UInt64(slot) }

    init(slot: UInt32, generation: UInt32) {
        self.slot = slot
        self.generation = generation
    }

    init(packed: UInt64) {
        slot = UInt32(truncatingIfNeeded: packed)
        generation = UInt32(truncatingIfNeeded: packed >> 32)
    }
}

/// A moment, in milliseconds of a clock that only runs forward.
package struct LoopTime: Sendable, Hashable, Comparable {
    package let milliseconds: UInt64

    package init(milliseconds: UInt64) { self.milliseconds = milliseconds }

    /// Never.
    package static let never = LoopTime(milliseconds: .max)

    package static func < (left: LoopTime, right: LoopTime) -> Bool { left.milliseconds < right.milliseconds }

    /// So much later, never past the end of time.
    package func advanced(byMilliseconds count: UInt64) -> LoopTime {
        let (sum, isTooLate) = milliseconds.addingReportingOverflow(count)
        return isTooLate ? .never : LoopTime(milliseconds: sum)
    }

    /// So much later, rounded up; not before this one, and never past the end of time.
    package func advanced(by duration: Duration) -> LoopTime {
        let (seconds, attoseconds) = duration.components
        guard seconds >= 0, attoseconds >= 0 else { return self }
        let (whole, tooLong) = UInt64(seconds).multipliedReportingOverflow(by: 1_000)
        let (sum, tooLate) = milliseconds.addingReportingOverflow(whole)
        let rest = UInt64((attoseconds + 999_999_999_999_999) / 1_000_000_000_000_000)
        let (end, ends) = sum.addingReportingOverflow(rest)
        return tooLong || tooLate || ends ? .never : LoopTime(milliseconds: end)
    }
}
