package import PosternAccounts

/// A transaction that hands on every call that a type does not answer itself, and is told of it before.
package protocol ForwardingTransaction: ForwardingReader, StoreTransaction {
    var transaction: any StoreTransaction { get }
}

extension ForwardingTransaction {
    package var reader: any StoreReader { transaction }

    package func put(_ account: Account) throws(StoreFault) {
        try willCall(.putAccount, on: nil)
        try transaction.put(account)
    }

    package func delete(account: AccountID) throws(StoreFault) {
        try willCall(.deleteAccount, on: nil)
        try transaction.delete(account: account)
    }

    package func put(_ password: StoredPassword) throws(StoreFault) {
        try willCall(.putPassword, on: nil)
        try transaction.put(password)
    }

    package func delete(passwordOf account: AccountID) throws(StoreFault) {
        try willCall(.deletePassword, on: nil)
        try transaction.delete(passwordOf: account)
    }

    package func put(_ identity: Identity) throws(StoreFault) {
        try willCall(.putIdentity, on: nil)
        try transaction.put(identity)
    }

    package func delete(identity: IdentityKey) throws(StoreFault) {
        try willCall(.deleteIdentity, on: nil)
        try transaction.delete(identity: identity)
    }

    package func delete(identitiesOf account: AccountID) throws(StoreFault) {
        try willCall(.deleteIdentities, on: nil)
        try transaction.delete(identitiesOf: account)
    }

    package func put(_ session: Session) throws(StoreFault) {
        try willCall(.putSession, on: nil)
        try transaction.put(session)
    }

    package func delete(session: SessionID) throws(StoreFault) {
        try willCall(.deleteSession, on: nil)
        try transaction.delete(session: session)
    }

    @discardableResult
    package func delete(sessionsOf account: AccountID, except session: SessionID?) throws(StoreFault) -> Int {
        try willCall(.deleteSessions, on: nil)
        return try transaction.delete(sessionsOf: account, except: session)
    }

    package func put(_ signUp: SignUp) throws(StoreFault) {
        try willCall(.putSignUp, on: nil)
        try transaction.put(signUp)
    }

    package func delete(signUp: SignUpID) throws(StoreFault) {
        try willCall(.deleteSignUp, on: nil)
        try transaction.delete(signUp: signUp)
    }

    package func delete(signUpsFor email: EmailAddress) throws(StoreFault) {
        try willCall(.deleteSignUps, on: nil)
        try transaction.delete(signUpsFor: email)
    }

    package func put(_ proof: MailedProof) throws(StoreFault) {
        try willCall(.putMailedProof, on: nil)
        try transaction.put(proof)
    }

    package func delete(mailedProof: MailedProofID) throws(StoreFault) {
        try willCall(.deleteMailedProof, on: nil)
        try transaction.delete(mailedProof: mailedProof)
    }

    package func delete(mailedProofsFor email: EmailAddress, except account: AccountID?) throws(StoreFault) {
        try willCall(.deleteMailedProofs, on: nil)
        try transaction.delete(mailedProofsFor: email, except: account)
    }

    package func put(_ mail: OutboxMail) throws(StoreFault) {
        try willCall(.putMail, on: nil)
        try transaction.put(mail)
    }

    package func delete(mail: OutboxMailID) throws(StoreFault) {
        try willCall(.deleteMail, on: nil)
        try transaction.delete(mail: mail)
    }

    package func remember(_ token: RememberedToken) throws(StoreFault) {
        try willCall(.remember, on: token.name)
        try transaction.remember(token)
    }

    package func use(nonce name: [UInt8], expiresAt: Int64) throws(StoreFault) {
        try willCall(.use, on: name)
        try transaction.use(nonce: name, expiresAt: expiresAt)
    }

    package func put(_ attempts: AttemptCount) throws(StoreFault) {
        try willCall(.putAttempts, on: attempts.name)
        try transaction.put(attempts)
    }

    package func put(_ key: StoredSigningKey) throws(StoreFault) {
        try willCall(.putSigningKey, on: nil)
        try transaction.put(key)
    }

    package func delete(signingKey keyID: String) throws(StoreFault) {
        try willCall(.deleteSigningKey, on: nil)
        try transaction.delete(signingKey: keyID)
    }

    package func append(_ entry: AuditEntry) throws(StoreFault) {
        try willCall(.append, on: nil)
        try transaction.append(entry)
    }

    package func purge(now: Int64, auditSince: Int64, limit: Int) throws(StoreFault) -> Int {
        try willCall(.purge, on: nil)
        return try transaction.purge(now: now, auditSince: auditSince, limit: limit)
    }
}
