import PosternAccounts
import PosternBase

/// Everything that a `MemoryStore` holds; a value, so that a transaction works on a copy of its own.
package struct MemoryState: Sendable {
    struct AuditRow: Sendable {
        let number: Int64
        let entry: AuditEntry
    }

    var accounts: [AccountID: Account] = [:]
    var passwords: [AccountID: StoredPassword] = [:]
    var identities: [IdentityKey: Identity] = [:]
    var sessions: [SessionID: Session] = [:]
    var signUps: [SignUpID: SignUp] = [:]
    var mailedProofs: [MailedProofID: MailedProof] = [:]
    var mails: [OutboxMailID: OutboxMail] = [:]
    var tokens: [[UInt8]: RememberedToken] = [:]
    var nonces: [[UInt8]: Int64] = [:]
    var forgottenTokens: Int64?
    var forgottenNonces: Int64?
    var attempts: [[UInt8]: AttemptCount] = [:]
    /// By the bytes of their `kid`.
    var signingKeys: [[UInt8]: StoredSigningKey] = [:]
    var audit: [AuditRow] = []
    var lastAuditNumber: Int64 = 0

    package init() {}

    /// All of it as lines, also what no reader lists.
    package var records: [String] {
        var lines = accounts.values.map(\.record) + passwords.values.map(\.record)
        lines += identities.values.map(\.record) + sessions.values.map(\.record) + signUps.values.map(\.record)
        lines += mailedProofs.values.map(\.record) + mails.values.map(\.record)
        lines += tokens.values.map(\.record) + attempts.values.map(\.record) + signingKeys.values.map(\.record)
        lines += nonces.map { "nonce \(Hex.encode($0.key)) expires=\($0.value)" }
        if let forgottenNonces { lines.append("forgotten_nonces \(forgottenNonces)") }
        if let forgottenTokens { lines.append("forgotten_tokens \(forgottenTokens)") }
        return lines.sorted() + audit.map { "\($0.number) \($0.entry.record)" }
    }
}
