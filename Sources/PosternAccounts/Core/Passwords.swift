internal import PosternBase
internal import PosternCrypto
package import PosternPasswords

/// What a server has that lets people sign in by password.
package struct Passwords: Sendable {
    package let policy: PasswordPolicy
    package let pool: HashingPool

    package init(policy: PasswordPolicy, pool: HashingPool) {
        self.policy = policy
        self.pool = pool
    }

    /// The hash of a new password, if the policy takes it.
    func hash(_ password: Password, email: EmailAddress?) async throws(AccountError) -> Secret<String> {
        let normalized: NormalizedPassword
        do throws(PasswordPolicyError) {
            normalized = try policy.accept(password, email: email?.text)
        } catch {
            switch error {
            case .rejected(let rejection): throw .refused(AccountRefusal(.passwordUnacceptable, rejection.message))
            case .failed(let fault): throw .fault(.hashing(fault.reason.rawValue))
            }
        }
        do throws(HashingFailure) {
            return Secret(try await pool.hash(normalized).text)
        } catch {
            throw .fault(AccountFault(error))
        }
    }

    /// Whether `password` is the one of `hash`; what takes its place when it is. The same work is done when there is no hash.
    func check(
        _ password: Password,
        against stored: StoredPassword?
    ) async throws(AccountError) -> PasswordCheck.Outcome {
        var hash: StoredPasswordHash?
        if let stored {
            do throws(StoredHashFault) {
                hash = try StoredPasswordHash(parsing: stored.hash.revealed)
            } catch {
                throw .fault(.store(StoreFault(.damaged, "A password hash of the store is of no known form.")))
            }
        }
        do throws(HashingFailure) {
            return try await pool.check(password, against: hash)
        } catch {
            throw .fault(AccountFault(error))
        }
    }
}

extension AccountFault {
    init(_ failure: HashingFailure) {
        self =
            switch failure {
            case .busy(let seconds): .busy(retryAfterSeconds: seconds)
            case .cancelled, .closed: .busy(retryAfterSeconds: 1)
            case .failed(let fault): .hashing(fault.reason.rawValue)
            }
    }
}
