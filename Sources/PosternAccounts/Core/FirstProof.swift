/// The first proof of a mailbox, within a transaction: the address goes to who has proven it (pre-hijacking).
enum FirstProof {
    /// Nobody else has the address then, and nobody waits for it: what was mailed there for others is void. False when another account
    /// has proven it before.
    static func claim(
        _ email: EmailAddress,
        for account: AccountID,
        _ transaction: any StoreTransaction,
        _ journal: Journal,
        now: Int64
    ) throws(StoreFault) -> Bool {
        if let other = try transaction.account(email: email), other.id != account {
            guard other.emailProvenAt == nil else { return false }
            try displace(other, transaction, journal, now: now)
        }
        try transaction.delete(signUpsFor: email)
        try transaction.delete(mailedProofsFor: email, except: account)
        return true
    }

    /// The account goes on without its address, and so without its password as a way to sign in.
    private static func displace(
        _ other: Account,
        _ transaction: any StoreTransaction,
        _ journal: Journal,
        now: Int64
    ) throws(StoreFault) {
        var other = other
        other.email = nil
        other.updatedAt = now
        try transaction.put(other)
        try transaction.delete(passwordOf: other.id)
        try journal.note(.addressLost, other.id)
    }
}
