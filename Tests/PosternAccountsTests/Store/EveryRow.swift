import PosternAccounts
import PosternBase
import PosternTokens

/// A row of each kind.
struct EveryRow {
    let name = [UInt8](repeating: 7, count: 32)
    let account: Account
    let password: StoredPassword
    let identity: Identity
    let session: Session
    let signUp: SignUp
    let proof: MailedProof
    let mail: OutboxMail
    let token: RememberedToken
    let attempts: AttemptCount
    let key = StoredSigningKey(keyID: "kid", state: .next, sealed: [1], createdAt: 1, since: 1)

    init() {
        let zeros = RandomSource { [UInt8](repeating: 0, count: $0) }
        let id = AccountID(milliseconds: 1, random: zeros)
        let session = SessionID(milliseconds: 2, random: zeros)
        account = Account(id: id, email: address("a@example.org"), createdAt: 1)
        password = StoredPassword(account: id, hash: Secret("hash"), changedAt: 1)
        identity = Identity(
            key: IdentityKey(provider: "apple", issuer: "https://a.example", subject: Subject([1])), account: id,
            email: nil, isEmailVerified: false, isPrivateRelay: false, createdAt: 1, lastSignInAt: 1)
        self.session = Session(id: session, account: id, method: .password, createdAt: 1, expiresAt: 10)
        signUp = SignUp(
            id: SignUpID(milliseconds: 3, random: zeros), email: address("b@example.org"), passwordHash: Secret("hash"),
            userData: "{}", createdAt: 1, expiresAt: 10)
        proof = MailedProof(
            id: MailedProofID(milliseconds: 4, random: zeros), purpose: .verify, owner: .account(id),
            email: address("b@example.org"), createdAt: 1, expiresAt: 10)
        mail = OutboxMail(id: OutboxMailID(milliseconds: 5, random: zeros), of: proof)
        token = RememberedToken(name: name, session: session, request: name, usedAt: 1, expiresAt: 10)
        attempts = AttemptCount(name: name, taken: 1, countedAt: 1, expiresAt: 10)
    }
}

/// An address of a test, which is right.
func address(_ text: String) -> EmailAddress {
    do { return try EmailAddress(text) } catch { fatalError("\(text): \(error.rawValue)") }
}
