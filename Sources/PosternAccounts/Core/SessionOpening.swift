/// Begins a session within a transaction, and keeps the number of an account's sessions within bounds.
struct SessionOpening: Sendable {
    let id: SessionID
    let method: Session.Method
    let provider: String?
    let visitor: Visitor
    let policy: SessionPolicy
    let now: Int64

    func open(
        for account: Account,
        _ transaction: any StoreTransaction,
        _ journal: Journal
    ) throws(StoreFault) -> Session {
        let session = Session(
            id: id,
            account: account.id,
            method: method,
            provider: provider,
            createdAt: now,
            expiresAt: policy.expiry(createdAt: now, now: now),
            userAgent: visitor.userAgent,
            maskedAddress: visitor.address?.masked
        )
        try makeRoom(account.id, transaction, journal)
        try transaction.put(session)
        try journal.note(.signedIn, account.id, session: id, detail: provider ?? method.rawValue)
        return session
    }

    private func makeRoom(
        _ account: AccountID,
        _ transaction: any StoreTransaction,
        _ journal: Journal
    ) throws(StoreFault) {
        if policy.isSingle {
            let count = try transaction.delete(sessionsOf: account, except: nil)
            if count > 0 { try journal.note(.sessionsEnded, account, detail: "single_session") }
            return
        }
        let sessions = try transaction.sessions(of: account)
        let living = sessions.filter { policy.living($0, now: now) != nil }
        // What is over goes first, and is otherwise left to the purge: the clock may be ahead.
        let over = sessions.filter { policy.living($0, now: now) == nil }
        for former in (over + living).dropLast(SessionPolicy.maximumCount - 1) {
            try transaction.delete(session: former.id)
            guard policy.living(former, now: now) != nil else { continue }
            try journal.note(.sessionEnded, account, session: former.id, detail: "too_many_sessions")
        }
    }
}
