import Dispatch
package import PosternAccounts
import PosternBase

/// A store without a disk: as strict as the contract, and plain enough to be right by looking at it.
package final class MemoryStore: AccountStore {
    /// How often a body runs before what it wrote is put in place.
    package enum Runs: Sendable {
        case once
        /// As the contract allows: what the first run wrote is thrown away. Finds bodies that do more than read and write.
        case twice
    }

    private let committed: Lock<MemoryState>
    private let runs: Runs
    /// Bodies block, so they never run on the threads of tasks.
    private let writer = DispatchQueue(label: "MemoryStore.writer")
    private let readers = DispatchQueue(label: "MemoryStore.readers", attributes: .concurrent)

    package init(_ state: MemoryState = MemoryState(), runs: Runs = .once) {
        committed = Lock(state)
        self.runs = runs
    }

    /// What is committed now.
    package var state: MemoryState { committed.withLock { $0 } }

    package func transact<Outcome: Sendable>(
        _ body: @escaping @Sendable (any StoreTransaction) throws(StoreFault) -> Outcome
    ) async throws(StoreFault) -> Outcome {
        let result: Result<Outcome, StoreFault> = await withCheckedContinuation { continuation in
            writer.async { continuation.resume(returning: self.run(body)) }
        }
        return try result.get()
    }

    private func run<Outcome>(
        _ body: (any StoreTransaction) throws(StoreFault) -> Outcome
    ) -> Result<Outcome, StoreFault> {
        let transaction = MemoryTransaction(state)
        do throws(StoreFault) {
            if runs == .twice { _ = try body(MemoryTransaction(state)) }
            let outcome = try body(transaction)
            if let fault = transaction.fault { throw fault }
            committed.withLock { $0 = transaction.state }
            return .success(outcome)
        } catch {
            return .failure(error)
        }
    }

    package func read<Outcome: Sendable>(
        _ body: @escaping @Sendable (any StoreReader) throws(StoreFault) -> Outcome
    ) async throws(StoreFault) -> Outcome {
        let result: Result<Outcome, StoreFault> = await withCheckedContinuation { continuation in
            readers.async {
                let reader = MemoryReader(self.state)
                do throws(StoreFault) { continuation.resume(returning: .success(try body(reader))) } catch {
                    continuation.resume(returning: .failure(error))
                }
            }
        }
        return try result.get()
    }
}
