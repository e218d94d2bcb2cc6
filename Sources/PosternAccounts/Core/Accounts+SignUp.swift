package import PosternBase
package import PosternPasswords

extension Accounts {
    /// What came of a sign-up.
    package enum SignUpResult: Sendable {
        case account(Person)
        /// Nothing before it is confirmed; the same whether anybody has the address or not.
        case waits(SignUpID, expiresAt: Int64)
    }

    /// Unconfirmed sign-ups for one address; the oldest gives way.
    private static let maximumSignUps = 5

    /// An account for an address and a password, or the wish for one (`policy.confirmation`).
    package func signUp(
        email: EmailAddress,
        password: Password,
        userData: String = "{}",
        visitor: Visitor
    ) async throws(AccountError) -> SignUpResult {
        let passwords = try passwordsOn()
        let attempts = try Attempts("sign-up", Array(email.key.utf8), policy, visitor, key: attemptKey)
        let began = time.now()
        let refusal = try await transact(began, caller: visitor.caller) { transaction, _ throws(StoreFault) in
            try attempts.take(transaction, now: began)
        }
        if let refusal { throw .refused(refusal) }
        let hash: Secret<String>
        do throws(AccountError) {
            hash = try await passwords.hash(password, email: email)
        } catch {
            if case .fault = error { await giveBack(attempts) }
            throw error
        }
        switch policy.confirmation {
        case .none:
            return .account(try await make(email, isProven: false, hash, userData, by: "password", visitor.caller))
        case .external: return try await wait(email, hash, userData, visitor)
        }
    }

    private func wait(
        _ email: EmailAddress,
        _ hash: Secret<String>,
        _ userData: String,
        _ visitor: Visitor
    ) async throws(AccountError) -> SignUpResult {
        let now = time.now()
        let signUp = SignUp(
            id: newIdentifier(now), email: email, passwordHash: hash, userData: userData, createdAt: now,
            expiresAt: now + min(max(policy.signUpLifetime, 0), 1 << 40))
        try await transact(now, caller: visitor.caller) { transaction, journal throws(StoreFault) in
            let others = try transaction.signUps(email: email)
            for former in others.dropLast(Self.maximumSignUps - 1) { try transaction.delete(signUp: former.id) }
            try transaction.put(signUp)
            try journal.note(.signUpStarted, detail: "\(signUp.id)")
        }
        return .waits(signUp.id, expiresAt: signUp.expiresAt)
    }

    /// Makes the account of a sign-up, for who knows that the mailbox is the person's.
    package func confirm(_ id: SignUpID, caller: String?) async throws(AccountError) -> Person {
        let now = time.now()
        let new: AccountID = newIdentifier(now)
        return try await transact(now, caller: caller) { transaction, journal throws(StoreFault) in
            guard let signUp = try transaction.signUp(id), now < signUp.expiresAt else {
                return Outcome<Person>.refused(.signUpUnknown)
            }
            // All others for the address were somebody else's, or lost.
            guard try FirstProof.claim(signUp.email, for: new, transaction, journal, now: now) else {
                return .refused(.emailTaken)
            }
            let account = Account(
                id: new, email: signUp.email, emailProvenAt: now, userData: signUp.userData, createdAt: now)
            try transaction.put(account)
            try transaction.put(StoredPassword(account: new, hash: signUp.passwordHash, changedAt: now))
            try journal.note(.accountCreated, new, detail: "password")
            try journal.note(.signUpConfirmed, account.id, detail: "\(id)")
            return .done(try Person(account, transaction))
        }.get()
    }

    /// Makes an account without more ado, for an operator.
    ///
    /// - Parameters:
    ///   - isProven: whether somebody knows that the mailbox is theirs.
    ///   - hash: in the form that `PosternPasswords` reads; nil for no password, as it must be without an address.
    package func create(
        _ email: EmailAddress?,
        isProven: Bool,
        _ hash: Secret<String>?,
        _ userData: String = "{}",
        caller: String?
    ) async throws(AccountError) -> Person {
        guard hash == nil || email != nil else { throw .refused(.emailMissing) }
        return try await make(email, isProven: isProven, hash, userData, by: "operator", caller)
    }

    /// `maker` is what the audit trail says that it was made by.
    private func make(
        _ email: EmailAddress?,
        isProven: Bool,
        _ hash: Secret<String>?,
        _ userData: String,
        by maker: String,
        _ caller: String?
    ) async throws(AccountError) -> Person {
        let now = time.now()
        let id: AccountID = newIdentifier(now)
        return try await transact(now, caller: caller) { transaction, journal throws(StoreFault) in
            if let email {
                let isFree =
                    isProven
                    ? try FirstProof.claim(email, for: id, transaction, journal, now: now)
                    : try transaction.account(email: email) == nil
                guard isFree else { return Outcome<Person>.refused(.emailTaken) }
            }
            let account = Account(
                id: id, email: email, emailProvenAt: isProven && email != nil ? now : nil, userData: userData,
                createdAt: now)
            try transaction.put(account)
            if let hash { try transaction.put(StoredPassword(account: id, hash: hash, changedAt: now)) }
            try journal.note(.accountCreated, id, detail: maker)
            return .done(try Person(account, transaction))
        }.get()
    }

    /// The hash of a password for `create`, if the policy takes it.
    package func hash(_ password: Password, email: EmailAddress?) async throws(AccountError) -> Secret<String> {
        try await passwordsOn().hash(password, email: email)
    }

    /// Sign-ups that nobody has confirmed, the oldest first: those after `id`.
    package func signUps(after id: SignUpID?, limit: Int) async throws(AccountError) -> [SignUp] {
        let now = time.now()
        return try await read { reader throws(StoreFault) in
            var found: [SignUp] = []
            var last = id
            // A page may hold none but expired ones.
            while found.count < limit, case let page = try reader.signUps(after: last, limit: limit), !page.isEmpty {
                found += page.filter { now < $0.expiresAt }
                last = page.last?.id
            }
            return Array(found.prefix(max(limit, 0)))
        }
    }
}

extension AccountRefusal {
    static let signUpUnknown = AccountRefusal(
        .signUpUnknown,
        "There is no such sign-up, or not any more: it was confirmed, has expired, or gave way to others.")
}
