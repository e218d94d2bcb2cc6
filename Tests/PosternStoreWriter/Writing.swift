import Glibc
import PosternAccounts
import PosternBase

/// What is written as number n: an account, its password, its session with counter n, a nonce, a token and an audit entry.
enum Writing {
    static func id<Kind>(_ number: Int64) -> Identifier<Kind> {
        Identifier(milliseconds: number, random: RandomSource { [UInt8](repeating: 7, count: $0) })
    }

    static func name(_ number: Int64) -> [UInt8] {
        [UInt8](repeating: 0, count: 24) + (0..<8).map { UInt8(truncatingIfNeeded: number >> (56 - 8 * $0)) }
    }

    static func write(_ number: Int64, _ tx: any StoreTransaction) throws(StoreFault) {
        let account = Account(
            id: id(number), email: try? EmailAddress("a\(number)@example.org"), createdAt: number, updatedAt: number)
        try tx.put(account)
        try tx.put(StoredPassword(account: account.id, hash: Secret("hash of \(number)"), changedAt: number))
        try tx.put(
            Session(
                id: id(number), account: account.id, method: .password, createdAt: number, counter: number,
                expiresAt: number + 1_000_000))
        try tx.use(nonce: name(number), expiresAt: number + 1_000_000)
        try tx.remember(
            RememberedToken(
                name: name(number), session: id(number), request: name(number), usedAt: number,
                expiresAt: number + 1_000_000))
        try tx.append(AuditEntry(.accountCreated, at: number, account: account.id, session: id(number)))
    }

    /// Whoever reads may be gone, and then there is nothing left to do.
    static func say(_ line: String) {
        let bytes = Array((line + "\n").utf8)
        guard Glibc.write(STDOUT_FILENO, bytes, bytes.count) == bytes.count else { exit(0) }
    }
}
