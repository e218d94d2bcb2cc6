internal import PosternBase
internal import PosternCrypto
internal import PosternTokens

/// A session for a verified identity token, decided and written within one transaction. What is refused writes nothing.
struct TokenExchange: Sendable {
    enum Outcome: Sendable {
        case granted(Account, Session, isNew: Bool)
        case refused(AccountRefusal)
        case tokenRefused(Refusal)
    }

    /// An identical retry within so many seconds gets the same session.
    static let retryWindow: Int64 = 30

    let token: ExchangeableToken
    /// What else an identical retry repeats.
    let request: [UInt8]
    /// The session in which the identity is to be linked.
    let linkTo: AccessTokens.Content?
    let newAccount: AccountID
    let opening: SessionOpening
    let now: Int64

    private var identity: VerifiedIdentity { token.identity }
    private var key: IdentityKey {
        IdentityKey(provider: identity.provider, issuer: identity.issuer, subject: identity.subject)
    }
    /// Nobody accepts the token any more after this second, whatever leeway the settings give later.
    private var tokenExpiresAt: Int64 { identity.expiresAt + Provider.leewayRange.upperBound + 60 }

    func run(_ transaction: any StoreTransaction, _ journal: Journal) throws(StoreFault) -> Outcome {
        if let outcome = try findUse(transaction) { return outcome }
        if let refusal = try checkNonce(transaction) { return .tokenRefused(refusal) }
        let known = try transaction.identity(key)
        let (facts, refusal) = try facts(known, transaction)
        if let refusal { return .refused(refusal) }
        let decision = LinkingRule.decide(facts)
        if case .takenByOther = decision { return .refused(.identityTaken) }
        let (found, isNew) = try account(decision, transaction)
        guard let found else { return .refused(.accountUnknown) }
        guard !found.isBanned(at: now) else { return .refused(.banned) }
        return try write(found, known, isNew: isNew, transaction, journal)
    }

    // MARK: - What was used before

    /// The outcome when the token has bought a session before; nil when it has not.
    private func findUse(_ transaction: any StoreTransaction) throws(StoreFault) -> Outcome? {
        guard identity.audienceRules.isSingleUse else { return nil }
        if let forgotten = try transaction.forgottenTokens(), tokenExpiresAt <= forgotten {
            return .refused(.tokenUsed)
        }
        guard let use = try transaction.rememberedToken(token.name) else { return nil }
        // What came at the same time may be written down in the other order.
        let isRetry =
            (-SessionPolicy.grace..<Self.retryWindow).contains(now - use.usedAt)
            && ConstantTime.equals(use.request, request)
            && [.issued, .hashed].contains(identity.audienceRules.nonce)
        guard isRetry, let session = try living(use.session, transaction), session.counter == 0,
            let account = try transaction.account(session.account)
        else { return .refused(.tokenUsed) }
        if account.isBanned(at: now) { return .refused(.banned) }
        // As the answer said that may have been lost.
        return .granted(account, session, isNew: account.createdAt == use.usedAt)
    }

    private func checkNonce(_ transaction: any StoreTransaction) throws(StoreFault) -> Refusal? {
        guard let nonce = token.nonce else { return nil }
        return IssuedNonces.refusal(try StoredNonces.state(of: nonce, now: now, transaction))
    }

    private func living(_ id: SessionID, _ reader: any StoreReader) throws(StoreFault) -> Session? {
        opening.policy.living(try reader.session(id), now: now)
    }

    // MARK: - Whose it is

    private func facts(
        _ known: Identity?,
        _ reader: any StoreReader
    ) throws(StoreFault) -> (LinkingRule.Facts, AccountRefusal?) {
        var facts = LinkingRule.Facts(owner: known?.account)
        if let linkTo {
            guard let session = try living(linkTo.session, reader), session.account == linkTo.account else {
                return (facts, .sessionToLinkEnded)
            }
            facts.linkTo = linkTo.account
        }
        guard let address = provenAddress else { return (facts, nil) }
        facts.provesAddress = true
        facts.addressee = try reader.account(email: address)
        return (facts, nil)
    }

    /// The address of the token, when the provider is the one to say whose it is.
    private var provenAddress: EmailAddress? {
        guard identity.hasEmailAuthority, let email = identity.email else { return nil }
        return try? EmailAddress(email)
    }

    private func account(
        _ decision: LinkingRule.Decision,
        _ reader: any StoreReader
    ) throws(StoreFault) -> (Account?, isNew: Bool) {
        switch decision {
        case .signIn(let id), .link(let id): return (try reader.account(id), false)
        case .displace: return (new(withAddress: true), true)
        case .create(let withAddress): return (new(withAddress: withAddress), true)
        case .takenByOther: return (nil, false)
        }
    }

    private func new(withAddress: Bool) -> Account {
        let email = withAddress ? provenAddress : nil
        return Account(id: newAccount, email: email, emailProvenAt: email == nil ? nil : now, createdAt: now)
    }

    // MARK: - Writing

    private func write(
        _ found: Account,
        _ known: Identity?,
        isNew: Bool,
        _ transaction: any StoreTransaction,
        _ journal: Journal
    ) throws(StoreFault) -> Outcome {
        var account = found
        if isNew, let email = account.email {
            guard try FirstProof.claim(email, for: account.id, transaction, journal, now: now) else {
                return .refused(.emailTaken)
            }
        }
        try see(transaction)
        account.lastSignInAt = now
        try transaction.put(account)
        if isNew { try journal.note(.accountCreated, account.id, detail: identity.provider) }
        try transaction.put(identityNow(known, account.id))
        if known == nil { try journal.note(.identityLinked, account.id, detail: identity.provider) }
        let session = try opening.open(for: account, transaction, journal)
        if let nonce = token.nonce { try transaction.use(nonce: nonce.name, expiresAt: nonce.expiresAt) }
        if identity.audienceRules.isSingleUse {
            try transaction.remember(
                RememberedToken(
                    name: token.name, session: session.id, request: request, usedAt: now, expiresAt: tokenExpiresAt))
        }
        return .granted(account, session, isNew: isNew)
    }

    /// The client has the present generation of the session in which it links: it has sent a token of it.
    private func see(_ transaction: any StoreTransaction) throws(StoreFault) {
        guard let linkTo, var session = try transaction.session(linkTo.session), session.counter == linkTo.counter,
            !session.isSeen
        else { return }
        session.isSeen = true
        try transaction.put(session)
    }

    private func identityNow(_ known: Identity?, _ account: AccountID) -> Identity {
        // What is longer than any address is none.
        let email = identity.email.flatMap { $0.utf8.count <= 320 ? $0 : nil }
        return Identity(
            key: key,
            account: account,
            email: email ?? known?.email,
            isEmailVerified: email != nil ? identity.isEmailVerified : known?.isEmailVerified ?? false,
            isPrivateRelay: email != nil ? identity.isPrivateRelay : known?.isPrivateRelay ?? false,
            createdAt: known?.createdAt ?? now,
            lastSignInAt: now
        )
    }
}

extension AccountRefusal {
    static let banned = AccountRefusal(.accountBanned, "The account is banned: an operator decides for how long.")
    static let accountUnknown = AccountRefusal(.accountUnknown, "There is no such account, or not any more.")
    static let identityTaken = AccountRefusal(
        .identityTaken, "The identity belongs to another account: sign in there and unlink it first.")
    static let tokenUsed = AccountRefusal(
        .tokenUsed, "The identity token has bought a session before: each sign-in needs a new one.")
    static let sessionToLinkEnded = AccountRefusal(
        .sessionEnded,
        "The session in which the identity is to be linked is over, or the access token of it is: refresh it, or sign in first."
    )
}
