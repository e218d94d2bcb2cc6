import Foundation
import PosternTestSupport

/// The lines that a process writes, as a thread reads them until their end.
final class DaemonLog: @unchecked Sendable {
    // @unchecked: what the reading thread and the test share is behind `condition`.
    private let condition = NSCondition()
    private var lines: [String] = []
    private var isAtEnd = false

    /// Reads on a thread that holds the log alone, so that whoever owns the process may go.
    func read(_ handle: FileHandle) { Thread.detachNewThread { [self] in readAll(handle) } }

    private func readAll(_ handle: FileHandle) {
        var rest = Data()
        while case let piece = handle.piece(), !piece.isEmpty {
            rest += piece
            while let end = rest.firstIndex(of: 0x0A) {
                let line = String(decoding: rest[rest.startIndex..<end], as: UTF8.self)
                rest = rest[rest.index(after: end)...]
                condition.withLock {
                    lines.append(line)
                    condition.broadcast()
                }
            }
        }
        condition.withLock {
            isAtEnd = true
            condition.broadcast()
        }
    }

    /// Everything so far.
    var text: String { condition.withLock { lines.joined(separator: "\n") } }

    /// Waits until `find` finds what it looks for in the lines so far; nil when it does not within two minutes or before
    /// the end.
    func wait<Found>(_ find: ([String]) -> Found?) -> Found? {
        condition.withLock {
            let end = Date(timeIntervalSinceNow: 120)
            while true {
                if let found = find(lines) { return found }
                guard !isAtEnd, condition.wait(until: end) else { return nil }
            }
        }
    }
}
