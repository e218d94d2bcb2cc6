/// The first proof of a mailbox, within a transaction (pre-hijacking; `LinkingRule.claim` says which of the two).
enum FirstProof {
    /// What somebody else may have put there before it goes.
    static func reclaim(
        _ account: inout Account,
        _ transaction: any StoreTransaction,
        _ journal: Journal,
        now: Int64
    ) throws(StoreFault) {
        try transaction.delete(passwordOf: account.id)
        try transaction.delete(identitiesOf: account.id)
        try transaction.delete(sessionsOf: account.id, except: nil)
        if let email = account.email { try transaction.delete(signUpsFor: email) }
        account.userData = "{}"
        account.emailProvenAt = now
        account.updatedAt = now
        try journal.note(.addressReclaimed, account.id)
    }

    /// The account goes on without its address.
    static func displace(
        _ id: AccountID,
        _ transaction: any StoreTransaction,
        _ journal: Journal,
        now: Int64
    ) throws(StoreFault) {
        guard var account = try transaction.account(id) else { return }
        account.email = nil
        account.emailProvenAt = nil
        account.updatedAt = now
        try transaction.put(account)
        try journal.note(.addressLost, id)
    }
}
