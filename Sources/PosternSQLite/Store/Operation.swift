internal import PosternAccounts

/// Something that somebody waits for.
protocol Operation: AnyObject, Sendable {
    /// Runs the body, and keeps what comes of it.
    func run(in transaction: SQLiteTransaction)
    /// Why the body has come to nothing, if so.
    var fault: StoreFault? { get }
    /// Tells who waits: what came of it or, when there is a fault, that.
    func answer(_ fault: StoreFault?)
}

final class Pending<Outcome: Sendable>: Operation, @unchecked Sendable {
    // @unchecked: `result` belongs to the thread that has taken this from its queue.
    typealias Body = @Sendable (SQLiteTransaction) throws(StoreFault) -> Outcome

    private let body: Body
    private let continuation: CheckedContinuation<Result<Outcome, StoreFault>, Never>
    private var result: Result<Outcome, StoreFault> = .failure(.closed)

    init(_ continuation: CheckedContinuation<Result<Outcome, StoreFault>, Never>, _ body: @escaping Body) {
        self.body = body
        self.continuation = continuation
    }

    func run(in transaction: SQLiteTransaction) {
        do throws(StoreFault) { result = .success(try body(transaction)) } catch { result = .failure(error) }
    }

    var fault: StoreFault? {
        guard case .failure(let fault) = result else { return nil }
        return fault
    }

    func answer(_ fault: StoreFault?) { continuation.resume(returning: fault.map { .failure($0) } ?? result) }
}
