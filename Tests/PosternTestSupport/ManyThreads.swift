import Foundation

/// Runs `body` on as many threads at once, each with its number, and waits for all of them: more than a pool would give.
package func onManyThreads(_ count: Int, _ body: @escaping @Sendable (Int) -> Void) {
    let group = DispatchGroup()
    for index in 0..<count {
        group.enter()
        Thread.detachNewThread {
            body(index)
            group.leave()
        }
    }
    group.wait()
}
