internal import Synchronization

/// Counts that many threads add to and nobody loses: a row of them for each group of threads, so that threads that run at once
/// seldom reach for the same memory. To add is one relaxed atomic addition; to read is to sum the rows.
///
/// Places are given out when something is set up; who adds has one and looks nothing up.
package final class StripedCounters: @unchecked Sendable {
    // @unchecked: the cells are atomic, and nothing else changes.
    private let cells: UnsafeMutablePointer<Atomic<UInt64>>
    private let rowWidth: Int
    package let count: Int

    /// Two lines of the cache, so that no row shares one with the next.
    private static let cellsTogether = 16

    package init(count: Int) {
        self.count = max(count, 0)
        rowWidth = (self.count / Self.cellsTogether + 1) * Self.cellsTogether
        cells = .allocate(capacity: rowWidth * ThreadGroup.count)
        for place in 0..<(rowWidth * ThreadGroup.count) { (cells + place).initialize(to: Atomic(0)) }
    }

    deinit {
        cells.deinitialize(count: rowWidth * ThreadGroup.count)
        cells.deallocate()
    }

    /// Adds at a place; one that there is not counts nothing.
    package func add(_ amount: UInt64 = 1, at place: Int) {
        guard place >= 0, place < count else { return }
        cells[ThreadGroup.current &* rowWidth &+ place].wrappingAdd(amount, ordering: .relaxed)
    }

    /// Adds one at a place and enters how long it took in the histogram that begins at `histogram`: what is counted for each
    /// request, in one row at once.
    package func add(at place: Int, observing nanoseconds: UInt64, in histogram: Int) {
        guard place >= 0, place < count, histogram >= 0, histogram <= count &- DurationHistogram.width else { return }
        let row = cells + ThreadGroup.current &* rowWidth
        row[place].wrappingAdd(1, ordering: .relaxed)
        row[histogram &+ DurationHistogram.bucket(of: nanoseconds)].wrappingAdd(1, ordering: .relaxed)
        row[histogram &+ DurationHistogram.width &- 1].wrappingAdd(nanoseconds, ordering: .relaxed)
    }

    /// All that was added at a place so far.
    package subscript(place: Int) -> UInt64 {
        guard place >= 0, place < count else { return 0 }
        var sum: UInt64 = 0
        for row in 0..<ThreadGroup.count { sum &+= cells[row * rowWidth + place].load(ordering: .relaxed) }
        return sum
    }
}
