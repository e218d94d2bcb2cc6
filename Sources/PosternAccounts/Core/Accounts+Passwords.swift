internal import PosternBase
package import PosternPasswords

extension Accounts {
    private struct Known: Sendable {
        var account: AccountID?
        var password: StoredPassword?
        var refusal: AccountRefusal?
    }

    private enum SignedIn: Sendable {
        case granted(Account, Session)
        case refused(AccountRefusal)
    }

    /// A session for an email address and a password. Whether anybody has the address shows neither in the answer nor in what is done:
    /// two transactions and one hash, whatever comes of it.
    package func signIn(
        email: EmailAddress,
        password: Password,
        visitor: Visitor
    ) async throws(AccountError) -> Grant {
        let passwords = try passwordsOn()
        let now = time.now()
        let attempts = try Attempts("sign-in", Array(email.key.utf8), policy, visitor, key: attemptKey)
        try requireSigner()
        let known = try await transact(now, caller: visitor.caller) { transaction, _ throws(StoreFault) in
            var known = Known(refusal: try attempts.take(transaction, now: now))
            known.account = try transaction.account(email: email)?.id
            if let account = known.account { known.password = try transaction.password(of: account) }
            return known
        }
        if let refusal = known.refusal { throw .refused(refusal) }
        let outcome = try await passwords.check(password, against: known.password)
        guard case .right(let replacement) = outcome, let account = known.account, let checked = known.password else {
            try await noteFailure(known.account, visitor)
            throw .refused(.invalidCredentials)
        }
        let better = replacement.map { Secret($0.text) }
        return try await open(account, checked, better, attempts, visitor)
    }

    private func noteFailure(_ account: AccountID?, _ visitor: Visitor) async throws(AccountError) {
        try await transact(time.now(), caller: visitor.caller) { _, journal throws(StoreFault) in
            try journal.note(.signInFailed, account, detail: "password")
        }
    }

    private func open(
        _ id: AccountID,
        _ checked: StoredPassword,
        _ better: Secret<String>?,
        _ attempts: Attempts,
        _ visitor: Visitor
    ) async throws(AccountError) -> Grant {
        let now = time.now()
        let opening = opening(.password, provider: nil, visitor, now: now)
        let result = try await transact(now, caller: visitor.caller) { transaction, journal throws(StoreFault) in
            // Account or password may have changed while it was hashed.
            guard var account = try transaction.account(id), try transaction.password(of: id) == checked else {
                try journal.note(.signInFailed, id, detail: "password")
                return SignedIn.refused(.invalidCredentials)
            }
            guard !account.isBanned(at: now) else {
                try journal.note(.signInFailed, id, detail: "banned")
                return .refused(.banned)
            }
            try attempts.forgive(transaction, now: now)
            if let better {
                try transaction.put(StoredPassword(account: id, hash: better, changedAt: checked.changedAt))
                try journal.note(.passwordRehashed, id)
            }
            account.lastSignInAt = now
            try transaction.put(account)
            return .granted(account, try opening.open(for: account, transaction, journal))
        }
        switch result {
        case .granted(let account, let session): return try grant(account, session, now: now)
        case .refused(let refusal): throw .refused(refusal)
        }
    }

    func passwordsOn() throws(AccountError) -> Passwords {
        guard let passwords else { throw .refused(.passwordsOff) }
        return passwords
    }

    // MARK: - Change

    /// Sets a password; one that is there must be given as `old`. All other sessions than `kept` end.
    package func changePassword(
        of id: AccountID,
        old: Password?,
        new: Password,
        keeping kept: SessionID?,
        visitor: Visitor
    ) async throws(AccountError) {
        let passwords = try passwordsOn()
        let now = time.now()
        let attempts = try Attempts("password change", id.bytes, policy, visitor, key: attemptKey)
        let (account, known) = try await transact(now, caller: visitor.caller) { transaction, _ throws(StoreFault) in
            guard let account = try transaction.account(id) else {
                return (Account?.none, Known(refusal: .accountUnknown))
            }
            let password = try transaction.password(of: id)
            let refusal = password == nil ? nil : try attempts.take(transaction, now: now)
            return (account, Known(account: id, password: password, refusal: refusal))
        }
        if let refusal = known.refusal { throw .refused(refusal) }
        if let stored = known.password {
            guard let old else { throw .refused(.passwordWrong) }
            guard case .right = try await passwords.check(old, against: stored) else {
                throw .refused(.passwordWrong)
            }
        }
        let hash = try await passwords.hash(new, email: account?.email)
        let former = known.password
        let isDone = try await transact(time.now(), caller: visitor.caller) { transaction, journal throws(StoreFault) in
            guard try transaction.account(id) != nil, try transaction.password(of: id) == former else { return false }
            try attempts.forgive(transaction, now: now)
            try transaction.put(StoredPassword(account: id, hash: hash, changedAt: now))
            try transaction.delete(sessionsOf: id, except: kept)
            try journal.note(.passwordChanged, id, session: kept)
            return true
        }
        // Somebody else changed it meanwhile: what was given as the old one is none any more.
        guard isDone else { throw .refused(.passwordWrong) }
    }
}

extension AccountRefusal {
    static let invalidCredentials = AccountRefusal(
        .invalidCredentials, "There is no account with this address and this password.")
    static let passwordsOff = AccountRefusal(.passwordsOff, "This server has no passwords: sign in with a provider.")
    static let passwordWrong = AccountRefusal(.passwordWrong, "The old password is missing or not the right one.")
}
