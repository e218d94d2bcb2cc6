internal import PosternBase

/// An account with what belongs to it.
package struct Person: Sendable {
    package let account: Account
    package let identities: [Identity]
    package let hasPassword: Bool

    init(_ account: Account, _ reader: any StoreReader) throws(StoreFault) {
        self.account = account
        identities = try reader.identities(of: account.id)
        hasPassword = try reader.password(of: account.id) != nil
    }

    /// Whether there is a way to sign in besides `identity`: another one of those `providers`, or a password, which needs an address
    /// and a server that takes passwords.
    func hasWay(besides identity: IdentityKey, providers: [String], takesPasswords: Bool) -> Bool {
        takesPasswords && hasPassword && account.email != nil
            || identities.contains { other in
                other.key != identity && providers.contains { $0.isSameBytes(as: other.key.provider) }
            }
    }
}

/// What is to become of an account; what is nil stays as it is.
package struct AccountChange: Sendable {
    /// The address, and whether somebody knows that the mailbox is theirs.
    package var email: (address: EmailAddress, isProven: Bool)?
    package var userData: String?
    package var backendData: String?
    /// A second, or `Int64.max` for ever; nil inside for not at all.
    package var bannedUntil: Int64??

    package init(
        email: (address: EmailAddress, isProven: Bool)? = nil,
        userData: String? = nil,
        backendData: String? = nil,
        bannedUntil: Int64?? = nil
    ) {
        self.email = email
        self.userData = userData
        self.backendData = backendData
        self.bannedUntil = bannedUntil
    }
}

extension Accounts {
    package func person(_ id: AccountID) async throws(AccountError) -> Person {
        let found: Person? = try await read { reader throws(StoreFault) in
            guard let account = try reader.account(id) else { return nil }
            return try Person(account, reader)
        }
        guard let found else { throw .refused(.accountUnknown) }
        return found
    }

    package func person(email: EmailAddress) async throws(AccountError) -> Person {
        let found: Person? = try await read { reader throws(StoreFault) in
            guard let account = try reader.account(email: email) else { return nil }
            return try Person(account, reader)
        }
        guard let found else { throw .refused(.accountUnknown) }
        return found
    }

    /// Accounts in the order of their names, so of their creation: those after `id`.
    package func people(after id: AccountID?, limit: Int) async throws(AccountError) -> [Person] {
        try await read { reader throws(StoreFault) in
            var people: [Person] = []
            for account in try reader.accounts(after: id, limit: limit) { people.append(try Person(account, reader)) }
            return people
        }
    }

    /// A proof, and the mails of it that are still to be sent.
    package typealias Mailed = (proof: MailedProof, mails: [OutboxMail])

    /// What is kept of mails to somebody, the oldest first.
    package func mailedProofs(of id: AccountID) async throws(AccountError) -> [Mailed] {
        try await read { reader throws(StoreFault) in
            var found: [Mailed] = []
            for proof in try reader.mailedProofs(of: .account(id)) {
                found.append((proof, try reader.mails(of: proof.id)))
            }
            return found
        }
    }

    /// Changes what the backend or an operator may change.
    package func change(
        _ id: AccountID,
        _ change: AccountChange,
        caller: String?
    ) async throws(AccountError) -> Person {
        let now = time.now()
        return try await transact(now, caller: caller) { transaction, journal throws(StoreFault) in
            guard var account = try transaction.account(id) else { return Outcome<Person>.refused(.accountUnknown) }
            if let (address, isProven) = change.email {
                let person = try Person(account, transaction)
                // Whoever proves an unproven address gets it, so none takes the place of what is known better.
                guard isProven || account.emailProvenAt == nil && person.identities.isEmpty else {
                    return .refused(.emailUnproven)
                }
                if isProven {
                    guard try FirstProof.claim(address, for: id, transaction, journal, now: now) else {
                        return .refused(.emailTaken)
                    }
                } else if let other = try transaction.account(email: address), other.id != id {
                    return .refused(.emailTaken)
                }
                account.email = address
                account.emailProvenAt = isProven ? now : nil
                try journal.note(isProven ? .addressProven : .accountChanged, id, detail: "email")
            }
            try Self.apply(change, &account, transaction, journal, now: now)
            account.updatedAt = now
            try transaction.put(account)
            return .done(try Person(account, transaction))
        }.get()
    }

    private static func apply(
        _ change: AccountChange,
        _ account: inout Account,
        _ transaction: any StoreTransaction,
        _ journal: Journal,
        now: Int64
    ) throws(StoreFault) {
        if let userData = change.userData { account.userData = userData }
        if let backendData = change.backendData { account.backendData = backendData }
        if change.userData != nil || change.backendData != nil {
            try journal.note(.accountChanged, account.id, detail: "data")
        }
        guard let bannedUntil = change.bannedUntil else { return }
        let wasBanned = account.isBanned(at: now)
        account.bannedUntil = bannedUntil
        // A ban that is over before it is written down was one all the same.
        guard bannedUntil != nil else {
            if wasBanned { try journal.note(.accountUnbanned, account.id) }
            return
        }
        // Whoever comes back later signs in anew.
        try transaction.delete(sessionsOf: account.id, except: nil)
        try journal.note(.accountBanned, account.id)
    }

    /// Deletes the account and all that belongs to it. Its tokens stay remembered, so that they buy no new one.
    package func delete(account id: AccountID, caller: String?) async throws(AccountError) {
        let now = time.now()
        let wasThere = try await transact(now, caller: caller) { transaction, journal throws(StoreFault) in
            guard let account = try transaction.account(id) else { return false }
            if let email = account.email { try transaction.delete(signUpsFor: email) }
            try transaction.delete(account: id)
            try journal.note(.accountDeleted, id)
            return true
        }
        guard wasThere else { throw .refused(.accountUnknown) }
    }

    /// Takes a way to sign in away from an account; never the last one.
    ///
    /// - Parameter providers: those that somebody can sign in with.
    package func unlink(
        identity name: String,
        from id: AccountID,
        providers: [String],
        caller: String?
    ) async throws(AccountError) -> Person {
        let now = time.now()
        let takesPasswords = passwords != nil
        return try await transact(now, caller: caller) { transaction, journal throws(StoreFault) in
            guard let account = try transaction.account(id) else { return Outcome<Person>.refused(.accountUnknown) }
            let person = try Person(account, transaction)
            guard let identity = person.identities.first(where: { $0.key.name == name }) else {
                return .refused(.identityUnknown)
            }
            guard person.hasWay(besides: identity.key, providers: providers, takesPasswords: takesPasswords) else {
                return .refused(.lastSignInMethod)
            }
            try transaction.delete(identity: identity.key)
            try journal.note(.identityUnlinked, id, detail: identity.key.provider)
            return .done(try Person(account, transaction))
        }.get()
    }

    /// The newest lines of the audit trail, of one account or of all, those before `number`.
    package func auditTrail(
        of account: AccountID?,
        before number: Int64?,
        limit: Int
    ) async throws(AccountError) -> [(number: Int64, entry: AuditEntry)] {
        try await read { reader throws(StoreFault) in
            try reader.auditTrail(of: account, before: number, limit: limit)
        }
    }

    /// Deletes what says nothing any more at `now`, which is to be a time that can be trusted, a little at a time; answers how much.
    package func purge(now: Int64, auditRetention: Int64, limit: Int = 500) async throws(AccountError) -> Int {
        try await transact(now, caller: nil) { transaction, _ throws(StoreFault) in
            try transaction.purge(now: now, auditSince: now - min(max(auditRetention, 0), 1 << 40), limit: limit)
        }
    }
}

extension AccountRefusal {
    static let emailTaken = AccountRefusal(.emailTaken, "Another account has this address: sign in there.")
    static let emailUnproven = AccountRefusal(
        .emailUnproven,
        "This account is known by more than an address that somebody typed: its new address must be proven.")
    static let identityUnknown = AccountRefusal(.identityUnknown, "The account has no such identity.")
    static let lastSignInMethod = AccountRefusal(
        .lastSignInMethod,
        "This is the last way to sign in to the account: link another one first, or set a password where it has an email address."
    )
}
