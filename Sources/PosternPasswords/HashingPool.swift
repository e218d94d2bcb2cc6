internal import PosternBase

/// `PasswordCheck` on threads of its own, so that who signs in by password holds up nobody else; so many at once, so many that wait.
///
/// A server that has no passwords makes none, and so has no such threads. Each thread has at most one hash in memory.
package final class HashingPool: Sendable {
    private let passwords: PasswordCheck
    private let workers: WorkerPool

    package init(_ passwords: PasswordCheck, threads: Int, queue: Int) {
        self.passwords = passwords
        workers = WorkerPool(name: "passwords", threads: threads, queue: queue)
    }

    package func check(
        _ password: Password,
        against hash: StoredPasswordHash?
    ) async throws(HashingFailure) -> PasswordCheck.Outcome {
        let passwords = passwords
        return try await run { passwords.checked(password, hash) }
    }

    /// The hash of a new password.
    package func hash(_ password: NormalizedPassword) async throws(HashingFailure) -> StoredPasswordHash {
        let passwords = passwords
        return try await run { passwords.hashed(password) }
    }

    private func run<Value: Sendable>(
        _ work: @escaping @Sendable () -> Result<Value, PasswordFault>
    ) async throws(HashingFailure) -> Value {
        let result: Result<Value, PasswordFault>
        do throws(WorkerPoolRefusal) {
            result = try await workers.run(work)
        } catch {
            throw HashingFailure(error)
        }
        switch result {
        case .success(let value): return value
        case .failure(let fault): throw .failed(fault)
        }
    }

    /// Refuses what waits and what comes.
    package func close() { workers.close() }

    /// `close`, and back once the threads have ended.
    package func end() async { await workers.end() }

    /// Threads, and passwords that are being hashed and that wait.
    package var state: (threads: Int, busy: Int, waiting: Int) {
        let state = workers.state
        return (state.threads, state.busy, state.waiting)
    }
}

/// Why there is no answer about a password.
package enum HashingFailure: Error, Equatable {
    /// As many wait as may; there should be room in so many seconds.
    case busy(retryAfterSeconds: Int)
    /// The task that asked was cancelled.
    case cancelled
    /// The server ends.
    case closed
    case failed(PasswordFault)

    init(_ refusal: WorkerPoolRefusal) {
        self =
            switch refusal {
            case .busy(let seconds): .busy(retryAfterSeconds: seconds)
            case .cancelled: .cancelled
            case .closed: .closed
            }
    }
}

extension PasswordCheck {
    fileprivate func checked(_ password: Password, _ hash: StoredPasswordHash?) -> Result<Outcome, PasswordFault> {
        do throws(PasswordFault) { return .success(try check(password, against: hash)) } catch {
            return .failure(error)
        }
    }

    fileprivate func hashed(_ password: NormalizedPassword) -> Result<StoredPasswordHash, PasswordFault> {
        do throws(PasswordFault) { return .success(try hash(password)) } catch { return .failure(error) }
    }
}
