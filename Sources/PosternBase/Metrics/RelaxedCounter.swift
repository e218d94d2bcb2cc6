internal import Synchronization

/// A number that any thread may add to, for counting alone: it orders nothing else.
package final class RelaxedCounter: Sendable {
    private let number = Atomic<Int>(0)

    package init() {}

    package func add(_ amount: Int = 1) { number.wrappingAdd(amount, ordering: .relaxed) }

    package var value: Int { number.load(ordering: .relaxed) }
}
