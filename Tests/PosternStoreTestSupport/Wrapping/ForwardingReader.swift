package import PosternAccounts

/// A reader that hands on every call that a type does not answer itself, and is told of it before.
package protocol ForwardingReader: StoreReader {
    var reader: any StoreReader { get }

    /// - Parameter name: what a nonce, a token or attempts are called, for these are in no list.
    func willCall(_ call: StoreCall, on name: [UInt8]?) throws(StoreFault)
}

extension ForwardingReader {
    package func willCall(_ call: StoreCall, on name: [UInt8]?) throws(StoreFault) {}

    package func account(_ id: AccountID) throws(StoreFault) -> Account? {
        try willCall(.account, on: nil)
        return try reader.account(id)
    }

    package func account(email: EmailAddress) throws(StoreFault) -> Account? {
        try willCall(.accountByEmail, on: nil)
        return try reader.account(email: email)
    }

    package func accounts(after id: AccountID?, limit: Int) throws(StoreFault) -> [Account] {
        try willCall(.accounts, on: nil)
        return try reader.accounts(after: id, limit: limit)
    }

    package func password(of account: AccountID) throws(StoreFault) -> StoredPassword? {
        try willCall(.password, on: nil)
        return try reader.password(of: account)
    }

    package func identity(_ key: IdentityKey) throws(StoreFault) -> Identity? {
        try willCall(.identity, on: nil)
        return try reader.identity(key)
    }

    package func identities(of account: AccountID) throws(StoreFault) -> [Identity] {
        try willCall(.identities, on: nil)
        return try reader.identities(of: account)
    }

    package func session(_ id: SessionID) throws(StoreFault) -> Session? {
        try willCall(.session, on: nil)
        return try reader.session(id)
    }

    package func sessions(of account: AccountID) throws(StoreFault) -> [Session] {
        try willCall(.sessions, on: nil)
        return try reader.sessions(of: account)
    }

    package func signUp(_ id: SignUpID) throws(StoreFault) -> SignUp? {
        try willCall(.signUp, on: nil)
        return try reader.signUp(id)
    }

    package func signUps(email: EmailAddress) throws(StoreFault) -> [SignUp] {
        try willCall(.signUpsByEmail, on: nil)
        return try reader.signUps(email: email)
    }

    package func signUps(after id: SignUpID?, limit: Int) throws(StoreFault) -> [SignUp] {
        try willCall(.signUps, on: nil)
        return try reader.signUps(after: id, limit: limit)
    }

    package func mailedProof(_ id: MailedProofID) throws(StoreFault) -> MailedProof? {
        try willCall(.mailedProof, on: nil)
        return try reader.mailedProof(id)
    }

    package func mailedProofs(of owner: MailedProof.Owner) throws(StoreFault) -> [MailedProof] {
        try willCall(.mailedProofs, on: nil)
        return try reader.mailedProofs(of: owner)
    }

    package func mail(_ id: OutboxMailID) throws(StoreFault) -> OutboxMail? {
        try willCall(.mail, on: nil)
        return try reader.mail(id)
    }

    package func mails(of proof: MailedProofID) throws(StoreFault) -> [OutboxMail] {
        try willCall(.mails, on: nil)
        return try reader.mails(of: proof)
    }

    package func outbox(dueAt time: Int64, limit: Int) throws(StoreFault) -> [OutboxMail] {
        try willCall(.outbox, on: nil)
        return try reader.outbox(dueAt: time, limit: limit)
    }

    package func rememberedToken(_ name: [UInt8]) throws(StoreFault) -> RememberedToken? {
        try willCall(.rememberedToken, on: name)
        return try reader.rememberedToken(name)
    }

    package func isUsed(nonce name: [UInt8]) throws(StoreFault) -> Bool {
        try willCall(.isUsed, on: name)
        return try reader.isUsed(nonce: name)
    }

    package func forgottenNonces() throws(StoreFault) -> Int64? {
        try willCall(.forgottenNonces, on: nil)
        return try reader.forgottenNonces()
    }

    package func forgottenTokens() throws(StoreFault) -> Int64? {
        try willCall(.forgottenTokens, on: nil)
        return try reader.forgottenTokens()
    }

    package func attempts(_ name: [UInt8]) throws(StoreFault) -> AttemptCount? {
        try willCall(.attempts, on: name)
        return try reader.attempts(name)
    }

    package func signingKeys() throws(StoreFault) -> [StoredSigningKey] {
        try willCall(.signingKeys, on: nil)
        return try reader.signingKeys()
    }

    package func auditTrail(
        of account: AccountID?,
        before number: Int64?,
        limit: Int
    ) throws(StoreFault) -> [(number: Int64, entry: AuditEntry)] {
        try willCall(.auditTrail, on: nil)
        return try reader.auditTrail(of: account, before: number, limit: limit)
    }
}
