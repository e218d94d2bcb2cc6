import PosternAccounts

/// Looks things up in one state, without any index: it is for tests, and as plain as can be.
class MemoryReader: StoreReader {
    var state: MemoryState

    init(_ state: MemoryState) { self.state = state }

    func account(_ id: AccountID) throws(StoreFault) -> Account? { state.accounts[id] }

    func account(email: EmailAddress) throws(StoreFault) -> Account? {
        state.accounts.values.first { $0.email?.key == email.key }
    }

    func accounts(after id: AccountID?, limit: Int) throws(StoreFault) -> [Account] {
        page(state.accounts, after: id, limit: limit)
    }

    func password(of account: AccountID) throws(StoreFault) -> StoredPassword? { state.passwords[account] }

    func identity(_ key: IdentityKey) throws(StoreFault) -> Identity? { state.identities[key] }

    func identities(of account: AccountID) throws(StoreFault) -> [Identity] {
        state.identities.values.filter { $0.account == account }
            .sorted { ($0.createdAt, $0.record) < ($1.createdAt, $1.record) }
    }

    func session(_ id: SessionID) throws(StoreFault) -> Session? { state.sessions[id] }

    func sessions(of account: AccountID) throws(StoreFault) -> [Session] {
        page(state.sessions.filter { $0.value.account == account }, after: nil, limit: .max)
    }

    func signUp(_ id: SignUpID) throws(StoreFault) -> SignUp? { state.signUps[id] }

    func signUps(email: EmailAddress) throws(StoreFault) -> [SignUp] {
        page(state.signUps.filter { $0.value.email.key == email.key }, after: nil, limit: .max)
    }

    func signUps(after id: SignUpID?, limit: Int) throws(StoreFault) -> [SignUp] {
        page(state.signUps, after: id, limit: limit)
    }

    func mailedProof(_ id: MailedProofID) throws(StoreFault) -> MailedProof? { state.mailedProofs[id] }

    func mailedProofs(of owner: MailedProof.Owner) throws(StoreFault) -> [MailedProof] {
        page(state.mailedProofs.filter { $0.value.owner == owner }, after: nil, limit: .max)
    }

    func mail(_ id: OutboxMailID) throws(StoreFault) -> OutboxMail? { state.mails[id] }

    func mails(of proof: MailedProofID) throws(StoreFault) -> [OutboxMail] {
        page(state.mails.filter { $0.value.proof == proof }, after: nil, limit: .max)
    }

    func outbox(dueAt time: Int64, limit: Int) throws(StoreFault) -> [OutboxMail] {
        let due = state.mails.values.filter { $0.nextAttemptAt <= time }
        // The text of a name sorts as its bytes.
        let sorted = due.sorted { ($0.nextAttemptAt, "\($0.id)") < ($1.nextAttemptAt, "\($1.id)") }
        return Array(sorted.prefix(max(limit, 0)))
    }

    func rememberedToken(_ name: [UInt8]) throws(StoreFault) -> RememberedToken? { state.tokens[name] }

    func isUsed(nonce name: [UInt8]) throws(StoreFault) -> Bool { state.nonces[name] != nil }

    func forgottenNonces() throws(StoreFault) -> Int64? { state.forgottenNonces }

    func forgottenTokens() throws(StoreFault) -> Int64? { state.forgottenTokens }

    func attempts(_ name: [UInt8]) throws(StoreFault) -> AttemptCount? { state.attempts[name] }

    func signingKeys() throws(StoreFault) -> [StoredSigningKey] {
        state.signingKeys.sorted { $0.key.lexicographicallyPrecedes($1.key) }.map(\.value)
    }

    func auditTrail(
        of account: AccountID?,
        before number: Int64?,
        limit: Int
    ) throws(StoreFault) -> [(number: Int64, entry: AuditEntry)] {
        let rows = state.audit.reversed().filter { row in
            (account == nil || row.entry.account == account) && (number.map { row.number < $0 } ?? true)
        }
        return rows.prefix(max(limit, 0)).map { ($0.number, $0.entry) }
    }

    /// Rows in the order of their names.
    private func page<Kind, Row>(
        _ rows: [Identifier<Kind>: Row],
        after id: Identifier<Kind>?,
        limit: Int
    ) -> [Row] {
        let later = rows.filter { row in id.map { $0.bytes.lexicographicallyPrecedes(row.key.bytes) } ?? true }
        let sorted = later.sorted { $0.key.bytes.lexicographicallyPrecedes($1.key.bytes) }
        return sorted.prefix(max(limit, 0)).map(\.value)
    }
}
