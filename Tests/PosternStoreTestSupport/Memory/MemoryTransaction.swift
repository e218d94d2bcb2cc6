import PosternAccounts

/// Changes a state of its own, which the store then puts in place, or does not.
final class MemoryTransaction: MemoryReader, StoreTransaction {
    /// The first refusal: nothing is kept after one.
    private(set) var fault: StoreFault?

    private func refuse(_ message: String) throws(StoreFault) {
        let fault = StoreFault(.damaged, message)
        if self.fault == nil { self.fault = fault }
        throw fault
    }

    private func requireAccount(_ id: AccountID, of what: String) throws(StoreFault) {
        if state.accounts[id] == nil { try refuse("\(what) without its account") }
    }

    func put(_ account: Account) throws(StoreFault) {
        if let email = account.email, let other = try self.account(email: email), other.id != account.id {
            try refuse("two accounts with one email address")
        }
        state.accounts[account.id] = account
    }

    func delete(account: AccountID) throws(StoreFault) {
        state.accounts[account] = nil
        state.passwords[account] = nil
        state.identities = state.identities.filter { $0.value.account != account }
        state.sessions = state.sessions.filter { $0.value.account != account }
        dropOrphans()
    }

    func put(_ password: StoredPassword) throws(StoreFault) {
        try requireAccount(password.account, of: "a password")
        state.passwords[password.account] = password
    }

    func delete(passwordOf account: AccountID) throws(StoreFault) { state.passwords[account] = nil }

    func put(_ identity: Identity) throws(StoreFault) {
        try requireAccount(identity.account, of: "an identity")
        state.identities[identity.key] = identity
    }

    func delete(identity: IdentityKey) throws(StoreFault) { state.identities[identity] = nil }

    func delete(identitiesOf account: AccountID) throws(StoreFault) {
        state.identities = state.identities.filter { $0.value.account != account }
    }

    func put(_ session: Session) throws(StoreFault) {
        try requireAccount(session.account, of: "a session")
        state.sessions[session.id] = session
    }

    func delete(session: SessionID) throws(StoreFault) { state.sessions[session] = nil }

    @discardableResult
    func delete(sessionsOf account: AccountID, except session: SessionID?) throws(StoreFault) -> Int {
        let before = state.sessions.count
        state.sessions = state.sessions.filter { $0.value.account != account || $0.key == session }
        return before - state.sessions.count
    }

    func put(_ signUp: SignUp) throws(StoreFault) { state.signUps[signUp.id] = signUp }

    func delete(signUp: SignUpID) throws(StoreFault) {
        state.signUps[signUp] = nil
        dropOrphans()
    }

    func delete(signUpsFor email: EmailAddress) throws(StoreFault) {
        state.signUps = state.signUps.filter { $0.value.email.key != email.key }
        dropOrphans()
    }

    func put(_ proof: MailedProof) throws(StoreFault) {
        if !isThere(proof.owner) { try refuse("a mailed proof without its account or sign-up") }
        state.mailedProofs[proof.id] = proof
    }

    func delete(mailedProof: MailedProofID) throws(StoreFault) {
        state.mailedProofs[mailedProof] = nil
        dropOrphans()
    }

    func delete(mailedProofsFor email: EmailAddress, except account: AccountID?) throws(StoreFault) {
        let spared = account.map { MailedProof.Owner.account($0) }
        state.mailedProofs = state.mailedProofs.filter { $0.value.email.key != email.key || $0.value.owner == spared }
        dropOrphans()
    }

    func put(_ mail: OutboxMail) throws(StoreFault) {
        if state.mailedProofs[mail.proof] == nil { try refuse("a mail without its proof") }
        state.mails[mail.id] = mail
    }

    func delete(mail: OutboxMailID) throws(StoreFault) { state.mails[mail] = nil }

    private func isThere(_ owner: MailedProof.Owner) -> Bool {
        switch owner {
        case .account(let id): state.accounts[id] != nil
        case .signUp(let id): state.signUps[id] != nil
        }
    }

    /// Takes away what belongs to nobody any more.
    private func dropOrphans() {
        state.mailedProofs = state.mailedProofs.filter { isThere($0.value.owner) }
        state.mails = state.mails.filter { state.mailedProofs[$0.value.proof] != nil }
    }

    func remember(_ token: RememberedToken) throws(StoreFault) {
        if state.tokens[token.name] != nil { try refuse("a token that is remembered already") }
        state.tokens[token.name] = token
    }

    func use(nonce name: [UInt8], expiresAt: Int64) throws(StoreFault) {
        if state.nonces[name] != nil { try refuse("a nonce that was used already") }
        state.nonces[name] = expiresAt
    }

    func put(_ attempts: AttemptCount) throws(StoreFault) { state.attempts[attempts.name] = attempts }

    func put(_ key: StoredSigningKey) throws(StoreFault) { state.signingKeys[Array(key.keyID.utf8)] = key }

    func delete(signingKey keyID: String) throws(StoreFault) { state.signingKeys[Array(keyID.utf8)] = nil }

    func append(_ entry: AuditEntry) throws(StoreFault) {
        state.lastAuditNumber += 1
        state.audit.append(.init(number: state.lastAuditNumber, entry: entry))
    }

    func purge(now: Int64, auditSince: Int64, limit: Int) throws(StoreFault) -> Int {
        var left = max(limit, 0)
        for (name, expiry) in state.nonces where expiry <= now && left > 0 {
            state.nonces[name] = nil
            state.forgottenNonces = max(state.forgottenNonces ?? expiry, expiry)
            left -= 1
        }
        for (name, token) in state.tokens where token.expiresAt < now && left > 0 {
            state.tokens[name] = nil
            state.forgottenTokens = max(state.forgottenTokens ?? token.expiresAt, token.expiresAt)
            left -= 1
        }
        left = Self.forget(&state.sessions, left) { $0.expiresAt <= now }
        left = Self.forget(&state.mails, left) { $0.expiresAt <= now }
        left = Self.forget(&state.mailedProofs, left) { $0.expiresAt <= now }
        left = Self.forget(&state.signUps, left) { $0.expiresAt <= now }
        left = Self.forget(&state.attempts, left) { $0.expiresAt <= now }
        while left > 0, let index = state.audit.firstIndex(where: { $0.entry.at < auditSince }) {
            state.audit.remove(at: index)
            left -= 1
        }
        dropOrphans()
        return max(limit, 0) - left
    }

    /// How many more may be forgotten.
    private static func forget<Key, Row>(_ rows: inout [Key: Row], _ limit: Int, where isOver: (Row) -> Bool) -> Int {
        let names = rows.filter { isOver($0.value) }.prefix(limit).map(\.key)
        for name in names { rows[name] = nil }
        return limit - names.count
    }
}
