internal import PosternAccounts
internal import PosternBase

/// One of the threads that look things up, each with a connection of its own.
final class Reader {
    private let core: StoreCore
    private let connection: GatedConnection

    init(_ core: StoreCore) {
        self.core = core
        connection = core.connection()
    }

    /// Whether there is no connection yet, or not any more.
    private var isNew: Bool { (try? core.gate.within { connection.database == nil }) ?? true }

    /// Until the store is closed and everything is answered.
    func run() {
        while let operation = core.reads.take(upTo: 1).first {
            let fault = answer(operation)
            core.readCount.add()
            operation.answer(fault)
        }
        try? core.gate.within { connection.close() }
    }

    /// Why nothing could be read, if so.
    private func answer(_ operation: any Operation) -> StoreFault? {
        do throws(StoreFault) {
            // Who has the log open reads on; whoever needs a new connection would not find it.
            if isNew { try core.leaveRemovedLog() }
            try core.gate.within { () throws(StoreFault) in try read(operation) }
            return nil
        } catch {
            return error
        }
    }

    private func read(_ operation: any Operation) throws(StoreFault) {
        do throws(StoreFault) {
            let database = try opened()
            database.deadline = Moment.now.adding(milliseconds: core.limits.readMilliseconds)
            defer { database.deadline = nil }
            try database.run("BEGIN")
            operation.run(in: SQLiteTransaction(database))
            let fault = database.takeFault()
            database.deadline = nil
            try database.run("ROLLBACK")
            if let fault { throw fault }
        } catch {
            if let database = connection.database, !database.isOutsideTransaction { try? database.run("ROLLBACK") }
            connection.close()
            throw error
        }
    }

    private func opened() throws(StoreFault) -> Database {
        try core.identity.check(core.path)
        if let database = connection.database { return database }
        return try core.open(.reading, connection)
    }
}
