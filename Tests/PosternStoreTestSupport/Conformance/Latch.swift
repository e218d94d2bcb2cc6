import Dispatch
import Foundation

/// A door that opens once and stays open. Who waits gives up after some seconds, so that a store that waits where it should not
/// fails its case rather than hangs.
final class Latch: @unchecked Sendable {
    // @unchecked: `isOpen` is touched with the condition locked alone.
    private let condition = NSCondition()
    private var isOpen = false

    func open() {
        condition.lock()
        isOpen = true
        condition.broadcast()
        condition.unlock()
    }

    /// For bodies, which run on threads of the store. False when it did not open.
    @discardableResult
    func wait(seconds: TimeInterval = 60) -> Bool {
        let deadline = Date(timeIntervalSinceNow: seconds)
        condition.lock()
        defer { condition.unlock() }
        while !isOpen {
            if !condition.wait(until: deadline) { return isOpen }
        }
        return true
    }

    /// For tasks, whose threads must not block.
    func opened() async throws(Unmet) {
        let isOpen = await withCheckedContinuation { continuation in
            Thread.detachNewThread { continuation.resume(returning: self.wait()) }
        }
        try expect(isOpen, "what was waited for did not happen")
    }
}
