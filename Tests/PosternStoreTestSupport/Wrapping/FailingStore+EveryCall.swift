package import PosternAccounts

extension FailingStore {
    /// What became of an operation that was tried with a fault at each of its calls.
    package struct Trial<Outcome: Sendable>: Sendable {
        /// The calls that failed, in order: all that the operation makes.
        package let calls: [StoreCall]
        /// What came of it at last, without a fault.
        package let outcome: Outcome
    }

    /// Tries an operation with a fault at its first call, at its second and so on, until it passes without any. After each fault
    /// everything in the store must be as before, and the operation must not have succeeded.
    ///
    /// The operation is one that does the same each time, as one transaction: its randomness and its clock stand still.
    ///
    /// - Parameter isRefused: whether what an operation answers, rather than throws, says that it could not be done.
    package func failAtEveryCall<Outcome: Sendable>(
        with reason: StoreFault.Reason = .unavailable,
        andLater: Bool = false,
        of operation: () async throws -> Outcome,
        isRefused: (Outcome) -> Bool = { _ in false }
    ) async throws -> Trial<Outcome> {
        var calls: [StoreCall] = []
        defer { fail(.never) }
        for number in 1...1_000 {
            // A name is first seen at the call that fails in this round, and so is looked up from the next on.
            let names = names
            let before = try await content(names: names)
            fail(andLater ? .from(number) : .at(number), with: reason)
            let result: Result<Outcome, any Error>
            do { result = .success(try await operation()) } catch { result = .failure(error) }
            guard let failed = failedCall else { return Trial(calls: calls, outcome: try result.get()) }
            calls.append(failed)
            fail(.never)
            let place = "a fault at call \(number), \(failed.rawValue)"
            if case .success(let outcome) = result, !isRefused(outcome) {
                throw Unmet("\(place) was answered with \(outcome)")
            }
            try expectSame(try await content(names: names), before, "after \(place)")
        }
        throw Unmet("the operation does not end")
    }
}
