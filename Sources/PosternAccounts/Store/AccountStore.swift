/// Where accounts and sessions are kept.
///
/// The rules are written once, over `StoreTransaction`, and run in the store: what a rule reads cannot change before what it writes
/// is written.
///
/// Times are seconds since 1970, and times and counts are from 0 to 2⁵³ − 1; `Account.bannedUntil` may be `Int64.max` too. What else
/// is found in a store is `.damaged`, so that the rules can add and multiply; a rule never puts anything else.
package protocol AccountStore: Sendable {
    /// Runs `body` as one transaction, and answers when what it wrote is durable: all of it or, when `body` or the store throws,
    /// nothing.
    ///
    /// `body` runs on a thread of the store, perhaps more than once and perhaps together with others in one commit; it does nothing
    /// but read and write in `StoreTransaction`. Once a call of the transaction has thrown, nothing of it is kept, even when `body`
    /// goes on. A task that is cancelled while it waits is told what became of its transaction like any other.
    func transact<Outcome: Sendable>(
        _ body: @escaping @Sendable (any StoreTransaction) throws(StoreFault) -> Outcome
    ) async throws(StoreFault) -> Outcome

    /// Runs `body` over what is durable at one moment, without waiting for those who write.
    func read<Outcome: Sendable>(
        _ body: @escaping @Sendable (any StoreReader) throws(StoreFault) -> Outcome
    ) async throws(StoreFault) -> Outcome
}

/// What can be looked up. Lists have bounds, so that no transaction is long; a limit below one gives nothing.
package protocol StoreReader: AnyObject {
    func account(_ id: AccountID) throws(StoreFault) -> Account?
    func account(email: EmailAddress) throws(StoreFault) -> Account?
    /// In the order of their names, those after `id`.
    func accounts(after id: AccountID?, limit: Int) throws(StoreFault) -> [Account]

    func password(of account: AccountID) throws(StoreFault) -> StoredPassword?

    func identity(_ key: IdentityKey) throws(StoreFault) -> Identity?
    /// The oldest first.
    func identities(of account: AccountID) throws(StoreFault) -> [Identity]

    func session(_ id: SessionID) throws(StoreFault) -> Session?
    /// In the order of their names, so the oldest first; also those that are over and not yet purged.
    func sessions(of account: AccountID) throws(StoreFault) -> [Session]

    func signUp(_ id: SignUpID) throws(StoreFault) -> SignUp?
    /// The oldest first; also those that have expired and are not yet purged.
    func signUps(email: EmailAddress) throws(StoreFault) -> [SignUp]
    /// In the order of their names, those after `id`.
    func signUps(after id: SignUpID?, limit: Int) throws(StoreFault) -> [SignUp]

    func mailedProof(_ id: MailedProofID) throws(StoreFault) -> MailedProof?
    /// In the order of their names, so the oldest first; also those that were used or have expired and are not yet purged.
    func mailedProofs(of owner: MailedProof.Owner) throws(StoreFault) -> [MailedProof]

    func mail(_ id: OutboxMailID) throws(StoreFault) -> OutboxMail?
    /// In the order of their names, so the oldest first.
    func mails(of proof: MailedProofID) throws(StoreFault) -> [OutboxMail]
    /// Those whose next attempt is at or before `time`, the earliest first, those of one second in the order of their names; also those
    /// that have expired and are not yet purged.
    func outbox(dueAt time: Int64, limit: Int) throws(StoreFault) -> [OutboxMail]

    func rememberedToken(_ name: [UInt8]) throws(StoreFault) -> RememberedToken?

    /// Whether the nonce with this SHA-256 was used and that is still remembered.
    func isUsed(nonce name: [UInt8]) throws(StoreFault) -> Bool
    /// The greatest expiry of all nonces that were ever forgotten; nil before the first.
    func forgottenNonces() throws(StoreFault) -> Int64?
    /// The greatest expiry of all tokens that were ever forgotten; nil before the first.
    func forgottenTokens() throws(StoreFault) -> Int64?

    func attempts(_ name: [UInt8]) throws(StoreFault) -> AttemptCount?

    func signingKeys() throws(StoreFault) -> [StoredSigningKey]

    /// The newest first: those about one account, or all; with a number for going on after the last of a page. Numbers rise, and
    /// none is given twice, even after a purge of everything.
    func auditTrail(
        of account: AccountID?,
        before number: Int64?,
        limit: Int
    ) throws(StoreFault) -> [(number: Int64, entry: AuditEntry)]
}

/// What can be changed, within one transaction.
///
/// A store refuses what would break its own shape with `.damaged`: two accounts with one address; a session, identity or password
/// without account, a proof without its account or sign-up, a mail without its proof; a nonce or token that it remembers already. The rules look before they write, so that never happens unless a
/// rule is wrong. Every other `put` adds what it is given, or replaces what has its name; to delete what is not there does nothing.
package protocol StoreTransaction: StoreReader {
    /// Whatever belongs to an account stays when it is replaced.
    func put(_ account: Account) throws(StoreFault)
    /// Deletes the account, and its password, identities, sessions and mailed proofs with it. Tokens that bought those sessions stay
    /// remembered, and the audit trail stays as it is.
    func delete(account: AccountID) throws(StoreFault)

    func put(_ password: StoredPassword) throws(StoreFault)
    func delete(passwordOf account: AccountID) throws(StoreFault)

    func put(_ identity: Identity) throws(StoreFault)
    func delete(identity: IdentityKey) throws(StoreFault)
    func delete(identitiesOf account: AccountID) throws(StoreFault)

    func put(_ session: Session) throws(StoreFault)
    func delete(session: SessionID) throws(StoreFault)
    /// How many there were.
    @discardableResult
    func delete(sessionsOf account: AccountID, except session: SessionID?) throws(StoreFault) -> Int

    /// Its proofs stay when it is replaced, and go when it is deleted.
    func put(_ signUp: SignUp) throws(StoreFault)
    func delete(signUp: SignUpID) throws(StoreFault)
    func delete(signUpsFor email: EmailAddress) throws(StoreFault)

    /// Its mails stay when it is replaced, and go when it is deleted.
    func put(_ proof: MailedProof) throws(StoreFault)
    func delete(mailedProof: MailedProofID) throws(StoreFault)
    /// Deletes those that would prove the address, for sign-ups and for all accounts but this one.
    func delete(mailedProofsFor email: EmailAddress, except account: AccountID?) throws(StoreFault)

    func put(_ mail: OutboxMail) throws(StoreFault)
    func delete(mail: OutboxMailID) throws(StoreFault)

    func remember(_ token: RememberedToken) throws(StoreFault)
    func use(nonce name: [UInt8], expiresAt: Int64) throws(StoreFault)

    func put(_ attempts: AttemptCount) throws(StoreFault)

    func put(_ key: StoredSigningKey) throws(StoreFault)
    func delete(signingKey keyID: String) throws(StoreFault)

    func append(_ entry: AuditEntry) throws(StoreFault)

    /// Deletes at most `limit` rows that say nothing any more at `now`: nonces, sign-ups, sessions, mailed proofs, mails and attempts
    /// that expire at or before it, tokens that expire before it (in the last second somebody accepts them still), and audit entries of before
    /// `auditSince`. The greatest expiry of the nonces and of the tokens that were deleted is noted in the same transaction, and
    /// never falls. Answers how many rows were deleted; what goes with a sign-up or a proof is not counted.
    func purge(now: Int64, auditSince: Int64, limit: Int) throws(StoreFault) -> Int
}
