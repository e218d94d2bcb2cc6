/// The lines of the audit trail that one transaction writes, so that they can be told to the log once it is durable.
final class Journal {
    private let transaction: any StoreTransaction
    private let now: Int64
    private let caller: String?
    private(set) var entries: [AuditEntry] = []

    init(_ transaction: any StoreTransaction, now: Int64, caller: String?) {
        self.transaction = transaction
        self.now = now
        self.caller = caller
    }

    func note(
        _ event: AuditEvent,
        _ account: AccountID? = nil,
        session: SessionID? = nil,
        detail: String? = nil
    ) throws(StoreFault) {
        let entry = AuditEntry(event, at: now, account: account, session: session, caller: caller, detail: detail)
        try transaction.append(entry)
        entries.append(entry)
    }
}
