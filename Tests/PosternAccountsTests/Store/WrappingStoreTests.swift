import PosternAccounts
import PosternBase
import PosternStoreTestSupport
import Testing

/// Stores around other stores change nothing of what those do.
@Suite struct WrappingStoreTests {
    @Test(arguments: StoreConformance.cases)
    func aFailingStoreThatNeverFailsKeepsEveryRule(_ rule: StoreConformance.Case) async throws {
        try await rule.run(at: .memory().wrapped { store in await wrapped(FailingStore(store)) })
    }

    @Test(arguments: StoreConformance.cases)
    func aCountingStoreKeepsEveryRule(_ rule: StoreConformance.Case) async throws {
        try await rule.run(at: .memory().wrapped { store in await wrapped(CountingStore(store)) })
    }
}

private func wrapped(_ store: some AccountStore) async -> any AccountStore { store }

/// One of each call, in the order of `StoreCall`.
let everyReadCall: @Sendable (any StoreReader) throws(StoreFault) -> Void = { reader throws(StoreFault) in
    let rows = EveryRow()
    _ = try reader.account(rows.account.id)
    _ = try reader.account(email: rows.signUp.email)
    _ = try reader.accounts(after: nil, limit: 1)
    _ = try reader.password(of: rows.account.id)
    _ = try reader.identity(rows.identity.key)
    _ = try reader.identities(of: rows.account.id)
    _ = try reader.session(rows.session.id)
    _ = try reader.sessions(of: rows.account.id)
    _ = try reader.signUp(rows.signUp.id)
    _ = try reader.signUps(email: rows.signUp.email)
    _ = try reader.signUps(after: nil, limit: 1)
    _ = try reader.mailedProof(rows.proof.id)
    _ = try reader.mailedProofs(of: rows.proof.owner)
    _ = try reader.mail(rows.mail.id)
    _ = try reader.mails(of: rows.proof.id)
    _ = try reader.outbox(dueAt: 1, limit: 1)
    _ = try reader.rememberedToken(rows.name)
    _ = try reader.isUsed(nonce: rows.name)
    _ = try reader.forgottenNonces()
    _ = try reader.forgottenTokens()
    _ = try reader.attempts(rows.name)
    _ = try reader.signingKeys()
    _ = try reader.auditTrail(of: nil, before: nil, limit: 1)
}

/// One of each kind of row, put and taken away: each call is made once, and nothing is left but a token, a nonce and an attempt.
let everyWriteCall: @Sendable (any StoreTransaction) throws(StoreFault) -> Void = { tx throws(StoreFault) in
    let rows = EveryRow()
    try tx.put(rows.account)
    try tx.put(rows.password)
    try tx.put(rows.identity)
    try tx.put(rows.session)
    try tx.put(rows.signUp)
    try tx.put(rows.proof)
    try tx.put(rows.mail)
    try tx.remember(rows.token)
    try tx.use(nonce: rows.name, expiresAt: 10)
    try tx.put(rows.attempts)
    try tx.put(rows.key)
    try tx.append(AuditEntry(.signedIn, at: 1))
    try tx.delete(passwordOf: rows.account.id)
    try tx.delete(identity: rows.identity.key)
    try tx.delete(identitiesOf: rows.account.id)
    try tx.delete(session: rows.session.id)
    try tx.delete(sessionsOf: rows.account.id, except: nil)
    try tx.delete(signUp: rows.signUp.id)
    try tx.delete(signUpsFor: rows.signUp.email)
    try tx.delete(mail: rows.mail.id)
    try tx.delete(mailedProof: rows.proof.id)
    try tx.delete(mailedProofsFor: rows.proof.email, except: nil)
    try tx.delete(signingKey: rows.key.keyID)
    _ = try tx.purge(now: 1, auditSince: 1, limit: 1)
    try tx.delete(account: rows.account.id)
}
