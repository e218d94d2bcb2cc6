internal import PosternAccounts
internal import PosternBase

/// One of the threads that look things up, each with a connection of its own.
final class Reader {
    private let core: StoreCore
    private var database: Database?

    init(_ core: StoreCore) { self.core = core }

    /// Until the store is closed and everything is answered.
    func run() {
        while let operation = core.reads.take(upTo: 1).first {
            let fault = read(operation)
            core.readCount.add()
            operation.answer(fault)
        }
        database = nil
    }

    /// Why nothing could be read, if so.
    private func read(_ operation: any Operation) -> StoreFault? {
        do throws(StoreFault) {
            let database = try connection()
            database.deadline = Moment.now.adding(milliseconds: core.limits.readMilliseconds)
            defer { database.deadline = nil }
            try database.run("BEGIN")
            operation.run(in: SQLiteTransaction(database))
            let fault = database.takeFault()
            database.deadline = nil
            try database.run("ROLLBACK")
            if let fault { throw fault }
            return nil
        } catch {
            if let database, !database.isOutsideTransaction { try? database.run("ROLLBACK") }
            database = nil
            return error
        }
    }

    private func connection() throws(StoreFault) -> Database {
        try core.identity.check(core.path)
        if let database { return database }
        let opened = try core.open(.reading)
        database = opened
        return opened
    }
}
