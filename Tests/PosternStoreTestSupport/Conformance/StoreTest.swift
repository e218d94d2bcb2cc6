package import PosternAccounts
import PosternBase

/// A store under test, at its place.
package final class StoreTest: Sendable {
    typealias Change = @Sendable (any StoreTransaction) throws(StoreFault) -> Void
    typealias Look = @Sendable (any StoreReader) throws(StoreFault) -> [String]

    private let place: StorePlace
    private let current: Lock<any AccountStore>
    /// The last look of a step and what it gave, which a reopened store must give too.
    private let last = Lock<(look: Look, lines: [String])?>(nil)

    init(_ place: StorePlace) async throws {
        self.place = place
        current = Lock(try await place.open())
    }

    package var store: any AccountStore { current.withLock { $0 } }

    func close() async throws { try await place.close(store) }

    /// Closes the store and opens it where it was.
    func reopen() async throws {
        try await close()
        let store = try await place.open()
        current.withLock { $0 = store }
        if let last = last.withLock({ $0 }) {
            try expectSame(try await store.read(last.look), last.lines, "after it was opened again")
        }
    }

    /// Makes a change and looks at what came of it: within its transaction, and afterwards. The change is taken back once before,
    /// by a fault at its end, and leaves nothing then.
    func step(
        _ name: String,
        _ change: @escaping Change,
        look: @escaping Look,
        gives wanted: [String],
        fileID: String = #fileID,
        line: Int = #line
    ) async throws {
        let before = try await store.read(look)
        try await takenBack(change)
        try expectSame(try await store.read(look), before, "\(name), taken back", fileID: fileID, line: line)
        let within = try await store.transact { transaction throws(StoreFault) -> [String] in
            try change(transaction)
            return try look(transaction)
        }
        try expectSame(within, wanted, "\(name), within", fileID: fileID, line: line)
        try expectSame(try await store.read(look), wanted, "\(name), afterwards", fileID: fileID, line: line)
        last.withLock { $0 = (look, wanted) }
    }

    /// Runs a change whose body then gives up.
    func takenBack(_ change: @escaping Change) async throws {
        let reason = StoreFault(.unavailable, "taken back")
        do throws(StoreFault) {
            try await store.transact { transaction throws(StoreFault) in
                try change(transaction)
                throw reason
            }
        } catch {
            try expect(error == reason, "the fault of the body came back as \(error)")
            return
        }
        throw Unmet("a transaction succeeded although its body threw")
    }

    func write(_ change: @escaping Change) async throws { try await store.transact(change) }

    /// A change that would break the shape of the store is refused and changes nothing, also when the body goes on.
    func refused(_ name: String, names: [[UInt8]] = [], _ change: @escaping Change) async throws {
        let before = try await store.dump(names: names)
        for goesOn in [false, true] {
            var reason: StoreFault.Reason?
            do throws(StoreFault) {
                try await store.transact { transaction throws(StoreFault) in
                    try transaction.append(AuditEntry(.accountChanged, at: 1))
                    do throws(StoreFault) { try change(transaction) } catch { if !goesOn { throw error } }
                }
            } catch { reason = error.reason }
            try expect(reason == .damaged, "\(name): \(reason.map { "refused as \($0)" } ?? "not refused"), \(goesOn)")
            try expectSame(try await store.dump(names: names), before, "\(name), after it was refused")
        }
    }
}
