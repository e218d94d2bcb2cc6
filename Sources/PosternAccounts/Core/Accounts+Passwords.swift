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
        /// Nothing was written: the password is this one now, or none.
        case changed(StoredPassword?)
    }

    /// A session for an email address and a password. Whether anybody has the address shows neither in the answer nor in what is done:
    /// two transactions and one comparison for every address (and more only for who has the right password).
    package func signIn(
        email: EmailAddress,
        password: Password,
        visitor: Visitor
    ) async throws(AccountError) -> Grant {
        let passwords = try passwordsOn()
        try requireSigner()
        let now = time.now()
        let attempts = try Attempts("sign-in", Array(email.key.utf8), policy, visitor, key: attemptKey)
        let known = try await transact(now, caller: visitor.caller) { transaction, _ throws(StoreFault) in
            var known = Known(refusal: try attempts.take(transaction, now: now))
            known.account = try transaction.account(email: email)?.id
            if let account = known.account { known.password = try transaction.password(of: account) }
            return known
        }
        if let refusal = known.refusal { throw .refused(refusal) }
        var stored = known.password
        // A hash may be replaced while it is compared with, by a better one of the same password: then that one decides.
        for _ in 0..<Self.maximumComparisons {
            let outcome: PasswordCheck.Outcome
            do throws(AccountError) {
                outcome = try await passwords.check(password, against: stored)
            } catch {
                await giveBack(attempts)
                throw error
            }
            guard case .right(let replacement) = outcome, let account = known.account, let checked = stored else {
                break
            }
            let better = replacement.map { Secret($0.text) }
            let now = time.now()
            switch try await open(account, checked, better, attempts, visitor, now: now) {
            case .granted(let account, let session): return try grant(account, session, now: now)
            case .refused(let refusal): throw .refused(refusal)
            case .changed(let present): stored = present
            }
        }
        try await noteFailure(known.account, visitor, "password")
        throw .refused(.invalidCredentials)
    }

    /// How often a password is compared that changes all the time.
    private static let maximumComparisons = 3

    /// Nothing was compared, so no try was made: whoever has the right password is not to be locked out by others' haste.
    func giveBack(_ attempts: Attempts) async {
        let now = time.now()
        _ = try? await transact(now, caller: nil) { transaction, _ throws(StoreFault) in
            try attempts.giveBack(transaction, now: now)
        }
    }

    private func noteFailure(_ account: AccountID?, _ visitor: Visitor, _ detail: String) async throws(AccountError) {
        try await transact(time.now(), caller: visitor.caller) { _, journal throws(StoreFault) in
            try journal.note(.signInFailed, account, detail: detail)
        }
    }

    private func open(
        _ id: AccountID,
        _ checked: StoredPassword,
        _ better: Secret<String>?,
        _ attempts: Attempts,
        _ visitor: Visitor,
        now: Int64
    ) async throws(AccountError) -> SignedIn {
        let opening = opening(.password, provider: nil, visitor, now: now)
        return try await transact(now, caller: visitor.caller) { transaction, journal throws(StoreFault) in
            // Account or password may have changed while it was hashed.
            let present = try transaction.password(of: id)
            guard var account = try transaction.account(id), present == checked else { return .changed(present) }
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
    }

    func passwordsOn() throws(AccountError) -> Passwords {
        guard let passwords else { throw .refused(.passwordsOff) }
        return passwords
    }

    // MARK: - Change

    /// Sets a password; one that is there must be given as `old`. All other sessions than `kept` end. Without an address nobody could
    /// sign in with it, so then there is none to be had.
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
            guard account.email != nil else { return (account, Known(refusal: .emailMissing)) }
            let password = try transaction.password(of: id)
            let refusal = password == nil ? nil : try attempts.take(transaction, now: now)
            return (account, Known(account: id, password: password, refusal: refusal))
        }
        if let refusal = known.refusal { throw .refused(refusal) }
        do throws(AccountError) {
            try await compare(old, with: known.password, passwords)
            let hash = try await passwords.hash(new, email: account?.email)
            let new = StoredPassword(account: id, hash: hash, changedAt: now)
            try await replace(known.password, old, by: new, keeping: kept, attempts, visitor, passwords)
        } catch {
            if case .refused(.passwordWrong) = error {
                try await noteFailure(id, visitor, "old_password")
            } else if known.password != nil {
                await giveBack(attempts)
            }
            throw error
        }
    }

    /// Another hash may take the place of the old one meanwhile: what was given as the old password may still be it.
    private func replace(
        _ former: StoredPassword?,
        _ old: Password?,
        by new: StoredPassword,
        keeping kept: SessionID?,
        _ attempts: Attempts,
        _ visitor: Visitor,
        _ passwords: Passwords
    ) async throws(AccountError) {
        var former = former
        for _ in 0..<Self.maximumComparisons {
            switch try await replace(former, by: new, keeping: kept, attempts, visitor) {
            case .done: return
            case .refused(let refusal): throw .refused(refusal)
            case .changed(let present):
                // What is gone was taken away.
                guard former != nil, let present else { throw .refused(.passwordWrong) }
                try await compare(old, with: present, passwords)
                former = present
            }
        }
        throw .refused(.passwordWrong)
    }

    private enum Replaced: Sendable {
        case done
        case refused(AccountRefusal)
        /// Nothing was written: the password is this one now, or none.
        case changed(StoredPassword?)
    }

    private func compare(
        _ old: Password?,
        with stored: StoredPassword?,
        _ passwords: Passwords
    ) async throws(AccountError) {
        guard let stored else { return }
        guard let old, case .right = try await passwords.check(old, against: stored) else {
            throw .refused(.passwordWrong)
        }
    }

    private func replace(
        _ former: StoredPassword?,
        by new: StoredPassword,
        keeping kept: SessionID?,
        _ attempts: Attempts,
        _ visitor: Visitor
    ) async throws(AccountError) -> Replaced {
        let now = time.now()
        let sessions = policy.sessions
        return try await transact(now, caller: visitor.caller) { transaction, journal throws(StoreFault) in
            guard let account = try transaction.account(new.account) else { return .refused(.accountUnknown) }
            // Whoever asked may have been signed out while it was hashed, by somebody who has proven to have the address.
            if let kept {
                let session = sessions.living(try transaction.session(kept), now: now)
                guard session?.account == new.account else { return .refused(.sessionEnded) }
            }
            let present = try transaction.password(of: new.account)
            guard present == former else { return .changed(present) }
            // It may have been lost meanwhile, to who has proven to have it.
            guard account.email != nil else { return .refused(.emailMissing) }
            try attempts.forgive(transaction, now: now)
            try transaction.put(new)
            try transaction.delete(sessionsOf: new.account, except: kept)
            try journal.note(.passwordChanged, new.account, session: kept)
            return .done
        }
    }
}

extension AccountRefusal {
    static let invalidCredentials = AccountRefusal(
        .invalidCredentials, "There is no account with this address and this password.")
    static let emailMissing = AccountRefusal(
        .emailMissing, "The account has no email address, and nobody signs in by password without: give it one first.")
    static let passwordsOff = AccountRefusal(.passwordsOff, "This server has no passwords: sign in with a provider.")
    static let passwordWrong = AccountRefusal(.passwordWrong, "The old password is missing or not the right one.")
}
