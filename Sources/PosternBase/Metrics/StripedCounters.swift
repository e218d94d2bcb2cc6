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

    /// All that was added at a place so far.
    package subscript(place: Int) -> UInt64 {
        guard place >= 0, place < count else { return 0 }
        var sum: UInt64 = 0
        for row in 0..<ThreadGroup.count { sum &+= cells[row * rowWidth + place].load(ordering: .relaxed) }
        return sum
    }
}
