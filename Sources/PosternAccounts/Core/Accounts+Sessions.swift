internal import PosternBase
internal import PosternTokens

extension Accounts {
    private enum Refreshed: Sendable {
        case goesOn(Account, Session)
        case refused(AccountRefusal)
    }

    /// The next tokens of the session that `refreshToken` belongs to.
    package func refresh(_ refreshToken: String, visitor: Visitor) async throws(AccountError) -> Grant {
        try requireSigner()
        guard let content = refreshTokens.content(of: refreshToken) else {
            var token = refreshToken
            throw .refused(token.withUTF8(accessTokens.isOurs) ? .accessTokenGiven : .refreshTokenUnknown)
        }
        let now = time.now()
        let sessions = policy.sessions
        let result = try await transact(now, caller: visitor.caller) { transaction, journal throws(StoreFault) in
            try Self.refreshed(content, sessions, transaction, journal, now: now)
        }
        switch result {
        case .goesOn(let account, let session): return try grant(account, session, now: now)
        case .refused(let refusal): throw .refused(refusal)
        }
    }

    private static func refreshed(
        _ content: RefreshTokens.Content,
        _ policy: SessionPolicy,
        _ transaction: any StoreTransaction,
        _ journal: Journal,
        now: Int64
    ) throws(StoreFault) -> Refreshed {
        guard let session = try transaction.session(content.session),
            let account = try transaction.account(session.account)
        else { return .refused(.sessionEnded) }
        guard !account.isBanned(at: now) else { return .refused(.banned) }
        switch RefreshRule.decide(session, presented: content.counter, policy, now: now) {
        case .rotate(let next):
            try transaction.put(next)
            return .goesOn(account, next)
        case .again(let present): return .goesOn(account, present)
        case .reuse:
            try transaction.delete(session: session.id)
            try journal.note(.refreshTokenReused, account.id, session: session.id)
            return .refused(.refreshTokenReused)
        // The clock may be ahead. Only the purge believes it, and looks at it first.
        case .expired: return .refused(.sessionEnded)
        }
    }

    // MARK: - Introspection

    /// What is known of a token of ours that is good.
    package enum Introspection: Sendable {
        case accessToken(AccessTokens.Content, Session, Account)
        case refreshToken(Session, Account)
        /// Not ours, expired, revoked, or of a session that is over.
        case inactive
    }

    /// What `token` is (RFC 7662 §2.2), looked up in the store: a session that was ended is over at once.
    package func introspect(_ token: String) async throws(AccountError) -> Introspection {
        let now = time.now()
        if let content = accessTokens.content(of: token, now: now) {
            guard let (session, account) = try await living(content.session, now: now),
                session.account == content.account, content.counter <= session.counter
            else { return .inactive }
            if content.counter == session.counter, !session.isSeen { await see(session) }
            return .accessToken(content, session, account)
        }
        guard let content = refreshTokens.content(of: token),
            let (session, account) = try await living(content.session, now: now), content.counter == session.counter
        else { return .inactive }
        if !session.isSeen { await see(session) }
        return .refreshToken(session, account)
    }

    private func living(_ id: SessionID, now: Int64) async throws(AccountError) -> (Session, Account)? {
        let policy = policy.sessions
        return try await read { reader throws(StoreFault) in
            guard let session = policy.living(try reader.session(id), now: now),
                let account = try reader.account(session.account), !account.isBanned(at: now)
            else { return nil }
            return (session, account)
        }
    }

    /// The client has got this generation: its parent is no lost answer any more. Where that cannot be written down the answer is as
    /// true without it.
    private func see(_ seen: Session) async {
        _ = try? await transact(time.now(), caller: nil) { transaction, _ throws(StoreFault) in
            guard var session = try transaction.session(seen.id), session.counter == seen.counter, !session.isSeen
            else { return }
            session.isSeen = true
            try transaction.put(session)
        }
    }

    // MARK: - Lists and ends

    /// The sessions of an account that are not over, the oldest first.
    package func sessions(of account: AccountID) async throws(AccountError) -> [Session] {
        let now = time.now()
        let policy = policy.sessions
        let found: [Session]? = try await read { reader throws(StoreFault) in
            guard try reader.account(account) != nil else { return nil }
            return try reader.sessions(of: account).compactMap { policy.living($0, now: now) }
        }
        guard let found else { throw .refused(.accountUnknown) }
        return found
    }

    /// What is kept of somebody's sessions, the oldest first; also of those that are over and not yet purged.
    package func keptSessions(of account: AccountID) async throws(AccountError) -> [Session] {
        try await read { reader throws(StoreFault) in try reader.sessions(of: account) }
    }

    /// Ends the session; refused when there is none, or not any more.
    package func end(session id: SessionID, caller: String?) async throws(AccountError) {
        let now = time.now()
        let wasThere = try await transact(now, caller: caller) { transaction, journal throws(StoreFault) in
            guard let session = try transaction.session(id) else { return false }
            try transaction.delete(session: id)
            try journal.note(.sessionEnded, session.account, session: id, detail: "revoked")
            return true
        }
        guard wasThere else { throw .refused(.sessionUnknown) }
    }

    /// Ends all sessions of an account, or all but one of them; answers how many there were.
    @discardableResult
    package func endSessions(
        of account: AccountID,
        except kept: SessionID? = nil,
        caller: String?
    ) async throws(AccountError) -> Int {
        let now = time.now()
        return try await transact(now, caller: caller) { transaction, journal throws(StoreFault) in
            guard try transaction.account(account) != nil else { return Outcome<Int>.refused(.accountUnknown) }
            if let kept, try transaction.session(kept)?.account != account { return .refused(.sessionUnknown) }
            let count = try transaction.delete(sessionsOf: account, except: kept)
            if count > 0 { try journal.note(.sessionsEnded, account, session: kept, detail: "revoked") }
            return .done(count)
        }.get()
    }

    /// Ends the session of a token of ours, if it is one (RFC 7009 §2.1).
    package func revoke(_ token: String, caller: String?) async throws(AccountError) {
        let now = time.now()
        let session = accessTokens.content(of: token, now: now)?.session ?? refreshTokens.content(of: token)?.session
        guard let session else { return }
        do throws(AccountError) {
            try await end(session: session, caller: caller)
        } catch {
            // It is over already, which is what was asked for.
            if case .refused = error { return }
            throw error
        }
    }
}

extension AccountRefusal {
    static let refreshTokenUnknown = AccountRefusal(
        .refreshTokenUnknown, "This is no refresh token of this server: sign in again.")
    static let accessTokenGiven = AccountRefusal(
        .refreshTokenUnknown,
        "This is an access token; the next tokens are had for the refresh token that came with it.")
    static let refreshTokenReused = AccountRefusal(
        .refreshTokenReused,
        "A former refresh token came back after its successor was in use, so the session was ended: sign in again.")
    static let sessionEnded = AccountRefusal(.sessionEnded, "The session is over: sign in again.")
    static let sessionUnknown = AccountRefusal(.sessionUnknown, "There is no such session, or not any more.")
}
