internal import PosternAccounts
internal import PosternBase
internal import Synchronization

/// Moves what is in the log to the database, on a connection of its own, so that no commit waits for it.
final class Checkpointer {
    /// Pages that the writer can move between two batches without anybody noticing.
    private static let little = 256
    private static let roundsAtMost = 4

    private let core: StoreCore
    private let connection: GatedConnection

    init(_ core: StoreCore) {
        self.core = core
        connection = core.connection()
    }

    /// Until the store is closed.
    func run() {
        while core.bell.wait(atMost: core.limits.logMilliseconds) {
            try? core.gate.within { core.moving.withLock { move() } }
        }
        try? core.gate.within { connection.close() }
    }

    private func move() {
        do throws(StoreFault) {
            let database = try opened()
            for _ in 0..<Self.roundsAtMost {
                let state = try database.checkpoint(.passive)
                core.checkpoints.add()
                if state.isDone { return }
                // Writes come while pages are moved, so that the log is never moved as a whole from here. What somebody still reads
                // cannot be moved, and nothing is won by trying again at once.
                if state.pages - state.moved <= Self.little { break }
            }
            core.isLittleLeft.store(true, ordering: .relaxed)
        } catch {
            // Another process may be at it. Else the writer meets the same, and tells it to whom it concerns.
            connection.close()
            core.bell.hasFailed()
        }
    }

    private func opened() throws(StoreFault) -> Database {
        if let database = connection.database { return database }
        return try core.open(.checkpoints, connection)
    }
}

/// Wakes the checkpointer.
final class CheckpointBell: @unchecked Sendable {
    // @unchecked: what changes is behind `monitor`.
    private let monitor = Monitor()
    private var pages = 0
    /// How long the log was when it was last moved.
    private var pagesMoved = 0
    private var isRung = false
    private var isClosed = false

    /// Tells how long the log is after a commit. It rings from `least` on, and then once more each time when a quarter of that
    /// has come: somebody who reads may keep the log from beginning anew.
    func logHas(_ pages: Int, least: Int) {
        monitor.withLock {
            if pages < self.pages { pagesMoved = 0 }
            self.pages = pages
            guard pages >= least, pages - pagesMoved >= least / 4, !isRung else { return }
            isRung = true
            monitor.tellOne()
        }
    }

    /// Whether there is something to move, be it that it has been there for so long; false when the store is closed.
    func wait(atMost milliseconds: Int) -> Bool {
        monitor.withLock {
            while true {
                let end = Moment.now.adding(milliseconds: milliseconds)
                while !isRung, !isClosed, Moment.now < end { monitor.wait(until: end) }
                if isClosed { return false }
                let hasMore = pages != pagesMoved
                isRung = false
                pagesMoved = pages
                if hasMore { return true }
            }
        }
    }

    /// What was to be moved is still there, and is tried again after a time.
    func hasFailed() { monitor.withLock { pagesMoved = 0 } }

    func close() {
        monitor.withLock {
            isClosed = true
            monitor.tellAll()
        }
    }
}
