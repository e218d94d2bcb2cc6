internal import PosternAccounts
internal import PosternBase
internal import Synchronization

/// The one thread that writes. What has come while it wrote is committed together, so that one wait for the disk serves all.
final class Writer {
    private let core: StoreCore
    private let gauge = LogGauge()
    private let connection: GatedConnection
    /// Taken from the queue, and not yet begun.
    private var left: ArraySlice<any Operation> = []
    /// Why a log that was removed could not be left yet: then nothing has what is in it but open connections.
    private var lostLog: StoreFault?
    /// Not before this moment is anybody waited for who reads.
    private var nextWait = Moment.now

    /// - Parameter connection: open already.
    init(_ core: StoreCore, _ connection: GatedConnection) {
        self.core = core
        self.connection = connection
        try? core.gate.within { connection.database?.reportLog(to: gauge) }
    }

    /// Until the store is closed and everything is done.
    func run() {
        while true {
            if left.isEmpty { left = core.writes.take(upTo: core.limits.batch)[...] }
            if left.isEmpty { break }
            leaveRemovedLog()
            try? core.gate.within {
                commitBatch()
                tendLog()
            }
        }
        // SQLite empties the log with the last connection.
        try? core.gate.within { connection.close() }
    }

    private func commitBatch() {
        var begun: [(operation: any Operation, fault: StoreFault?)] = []
        var isUnsure = false
        do throws(StoreFault) {
            let database = try opened()
            try database.run("BEGIN IMMEDIATE")
            let end = Moment.now.adding(milliseconds: core.limits.batchMilliseconds)
            let transaction = SQLiteTransaction(database)
            while let operation = left.popFirst() {
                begun.append((operation, nil))
                begun[begun.count - 1].fault = try run(operation, transaction)
                if Moment.now >= end { break }
            }
            isUnsure = true
            try database.run("COMMIT")
            core.commits.add()
            for (operation, fault) in begun { answer(operation, fault) }
        } catch {
            giveUp(error)
            // When nothing could even begin, nobody is better off for waiting.
            if begun.isEmpty {
                begun = left.map { ($0, nil) }
                left = []
            }
            let fault = isUnsure ? error.unsure : error
            for (operation, own) in begun { answer(operation, own ?? fault) }
        }
    }

    /// What the operation has failed with, of which nothing is left then. Throws when nothing of the batch is left.
    private func run(_ operation: any Operation, _ transaction: SQLiteTransaction) throws(StoreFault) -> StoreFault? {
        let database = transaction.database
        _ = database.takeFault()
        try database.run("SAVEPOINT operation")
        operation.run(in: transaction)
        // What the store has refused is not committed either when the body has gone on.
        guard let fault = database.takeFault() ?? operation.fault else {
            try database.run("RELEASE operation")
            return nil
        }
        guard !database.isOutsideTransaction else { throw fault }
        try database.run("ROLLBACK TO operation")
        try database.run("RELEASE operation")
        return fault
    }

    private func answer(_ operation: any Operation, _ fault: StoreFault?) {
        core.operations.add()
        if fault != nil { core.failures.add() }
        operation.answer(fault)
    }

    /// Takes back what was begun. A connection that has met more than a full disk or another writer is not used again.
    private func giveUp(_ fault: StoreFault) {
        guard let database = connection.database else { return }
        guard lostLog == nil else { return }
        if !database.isOutsideTransaction { try? database.run("ROLLBACK") }
        if !database.isOutsideTransaction || (fault.reason != .full && fault.reason != .locked) { connection.close() }
        _ = database.takeFault()
    }

    private func opened() throws(StoreFault) -> Database {
        if let lostLog { throw lostLog }
        try core.identity.check(core.path)
        if let database = connection.database { return database }
        let opened = try core.open(.writing, connection)
        opened.reportLog(to: gauge)
        return opened
    }

    // MARK: - The log

    private func leaveRemovedLog() {
        do throws(StoreFault) {
            try core.leaveRemovedLog()
            lostLog = nil
        } catch {
            lostLog = error
        }
    }

    /// Keeps the log short. A log that has been moved as a whole begins anew with the next write; while there are always more
    /// writes that moment never comes by itself, so the last pages are moved here, where nobody writes.
    private func tendLog() {
        if core.isLittleLeft.exchange(false, ordering: .relaxed) {
            if (try? connection.database?.checkpoint(.passive)) != nil { core.checkpoints.add() }
        }
        core.bell.logHas(gauge.pages, least: core.limits.logPages)
        guard gauge.pages > core.limits.greatestLogPages, nextWait <= .now else { return }
        // Somebody has been reading for long. While we wait for them nobody can write, so not often.
        let hasBegunAnew = core.moving.withLock { (try? connection.database?.checkpoint(.restart)) != nil }
        if hasBegunAnew {
            gauge.pages = 0
        } else {
            nextWait = Moment.now.adding(milliseconds: 10 * core.limits.busyMilliseconds)
        }
    }
}

extension StoreFault {
    /// The same about a commit that has failed: it may be found done after a crash.
    fileprivate var unsure: StoreFault { StoreFault(reason, message + " After a crash it may be found written.") }
}
