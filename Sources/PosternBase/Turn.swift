package import Synchronization

/// Lets one caller at a time use something, and makes nobody wait: whoever comes meanwhile goes without.
package struct Turn: ~Copyable, Sendable {
    @usableFromInline
    let isTaken = Atomic(false)

    @inlinable
    package init() {}

    /// Whether the turn is the caller's now, who must give it back.
    @inlinable
    package func take() -> Bool {
        isTaken.compareExchange(expected: false, desired: true, ordering: .acquiring).exchanged
    }

    @inlinable
    package func giveBack() { isTaken.store(false, ordering: .releasing) }
}
