import Dispatch
import PosternAccounts
import PosternBase

@testable import PosternStoreTestSupport

/// A store that runs its transactions without due care.
final class CarelessStore: AccountStore {
    enum Carelessness: Sendable {
        /// A transaction sees what was there when it was asked for, and puts its whole state in place.
        case loses
        case keepsFailures
        /// Who fails takes along what was committed before in the same batch.
        case failsTogether
        /// A call that failed does not count when the body goes on.
        case goesOn
        /// Who has been cancelled is told of a fault although it was done, or has it done twice.
        case failsCancelled, repeatsCancelled
        /// A reader sees what a transaction has written so far.
        case readsTogether
        /// The answer comes before readers see what was written.
        case answersEarly
    }

    /// Handed from thread to thread, each waiting for the other.
    private struct Running: @unchecked Sendable {
        var transaction: MemoryTransaction?
    }

    private struct State: Sendable {
        var committed = MemoryState()
        /// What was committed before the last transaction.
        var before = MemoryState()
        var running = Running()
    }

    private let carelessness: Carelessness
    private let state = Lock(State())
    private let writer = DispatchQueue(label: "CarelessStore")

    init(_ carelessness: Carelessness) { self.carelessness = carelessness }

    func transact<Outcome: Sendable>(
        _ body: @escaping @Sendable (any StoreTransaction) throws(StoreFault) -> Outcome
    ) async throws(StoreFault) -> Outcome {
        let asked = carelessness == .loses ? state.withLock(\.committed) : nil
        let outcome = try await queued { self.run(body, on: asked) }.get()
        guard Task.isCancelled else { return outcome }
        if carelessness == .failsCancelled { throw StoreFault(.unavailable, "cancelled") }
        if carelessness == .repeatsCancelled { _ = await queued { self.run(body, on: nil) } }
        return outcome
    }

    private func queued<Outcome: Sendable>(
        _ work: @escaping @Sendable () -> Result<Outcome, StoreFault>
    ) async -> Result<Outcome, StoreFault> {
        await withCheckedContinuation { continuation in writer.async { continuation.resume(returning: work()) } }
    }

    private func run<Outcome>(
        _ body: (any StoreTransaction) throws(StoreFault) -> Outcome,
        on asked: MemoryState?
    ) -> Result<Outcome, StoreFault> {
        let transaction = MemoryTransaction(asked ?? state.withLock(\.committed))
        state.withLock { $0.running.transaction = transaction }
        defer { state.withLock { $0.running.transaction = nil } }
        do throws(StoreFault) {
            let outcome = try body(transaction)
            if let fault = transaction.fault, carelessness != .goesOn { throw fault }
            commit(transaction.state)
            return .success(outcome)
        } catch {
            if carelessness == .keepsFailures { commit(transaction.state) }
            if carelessness == .failsTogether { state.withLock { $0.committed = $0.before } }
            return .failure(error)
        }
    }

    private func commit(_ new: MemoryState) {
        state.withLock { state in
            state.before = state.committed
            state.committed = new
        }
    }

    func read<Outcome: Sendable>(
        _ body: @escaping @Sendable (any StoreReader) throws(StoreFault) -> Outcome
    ) async throws(StoreFault) -> Outcome {
        let seen = state.withLock { state in
            switch carelessness {
            case .answersEarly: state.before
            case .readsTogether: state.running.transaction?.state ?? state.committed
            default: state.committed
            }
        }
        return try body(MemoryReader(seen))
    }
}
