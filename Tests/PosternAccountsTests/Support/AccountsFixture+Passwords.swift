import PosternAccounts
import PosternBase
import PosternPasswords

enum TestPassword {
    static let right = "correct horse 7"
    static let wrong = "wrong horse 8!"
    static let other = "another horse 9"
}

struct NoPassword: Error {}

extension AccountsFixture {
    func email(_ text: String) throws -> EmailAddress {
        addresses.withLock { _ = $0.insert(text) }
        return try EmailAddress(text)
    }

    func password(_ text: String) throws -> Password {
        keep([text])
        guard let password = Password(text) else { throw NoPassword() }
        return password
    }

    /// An account with a password, its address proven.
    @discardableResult
    func member(
        _ address: String = "member@mail.example",
        _ password: String = TestPassword.right,
        isProven: Bool = true
    ) async throws -> Account {
        let email = try email(address)
        let hash = try await accounts.hash(try self.password(password), email: email)
        return try await accounts.create(email, isProven: isProven, hash, caller: "test").account
    }

    @discardableResult
    func signIn(
        _ address: String,
        _ password: String = TestPassword.right,
        from network: String? = nil
    ) async throws -> Grant {
        let visitor = Visitor(caller: "backend", userAgent: "Agent/2", address: network.flatMap { NetworkAddress($0) })
        return kept(
            try await accounts.signIn(email: email(address), password: self.password(password), visitor: visitor))
    }

    @discardableResult
    func signUp(
        _ address: String,
        _ password: String = TestPassword.right,
        userData: String = "{}"
    ) async throws -> Accounts.SignUpResult {
        try await accounts.signUp(
            email: email(address), password: self.password(password), userData: userData,
            visitor: Visitor(caller: "backend"))
    }

    func pendingSignUp(_ address: String, _ password: String = TestPassword.right) async throws -> SignUpID {
        guard case .waits(let id, _) = try await signUp(address, password) else { throw NoPassword() }
        return id
    }

    /// What is in the store of one account.
    func password(of account: AccountID) async throws -> StoredPassword? {
        try await store.read { reader throws(StoreFault) in try reader.password(of: account) }
    }

    func session(_ id: SessionID) async throws -> Session? {
        try await store.read { reader throws(StoreFault) in try reader.session(id) }
    }

    func accountCount() async throws -> Int {
        try await store.read { reader throws(StoreFault) in try reader.accounts(after: nil, limit: 1_000).count }
    }
}
