package import PosternBase

/// A person as this server knows them.
package struct Account: Sendable, Equatable {
    package let id: AccountID
    /// Where mail goes; nil when nothing is known, or when somebody else has proven to have the address.
    package var email: EmailAddress?
    /// When the mailbox was proven to be theirs, in seconds since 1970; nil while anybody could have typed it.
    package var emailProvenAt: Int64?
    /// What the person, or their app, has said of themselves: a JSON object of at most 4,096 bytes.
    package var userData: String
    /// What the backend says of them: a JSON object of at most 4,096 bytes, which they can read and not change.
    package var backendData: String
    package let createdAt: Int64
    package var updatedAt: Int64
    package var lastSignInAt: Int64?
    /// Nobody gets a session before this second; `Int64.max` for ever.
    package var bannedUntil: Int64?

    package init(
        id: AccountID,
        email: EmailAddress? = nil,
        emailProvenAt: Int64? = nil,
        userData: String = "{}",
        backendData: String = "{}",
        createdAt: Int64,
        updatedAt: Int64? = nil,
        lastSignInAt: Int64? = nil,
        bannedUntil: Int64? = nil
    ) {
        self.id = id
        self.email = email
        self.emailProvenAt = emailProvenAt
        self.userData = userData
        self.backendData = backendData
        self.createdAt = createdAt
        self.updatedAt = updatedAt ?? createdAt
        self.lastSignInAt = lastSignInAt
        self.bannedUntil = bannedUntil
    }

    package func isBanned(at now: Int64) -> Bool { bannedUntil.map { now < $0 } ?? false }
}

/// The password of an account, as its hash in the form that `PosternPasswords` reads.
package struct StoredPassword: Sendable, Equatable {
    package let account: AccountID
    package var hash: Secret<String>
    package var changedAt: Int64

    package init(account: AccountID, hash: Secret<String>, changedAt: Int64) {
        self.account = account
        self.hash = hash
        self.changedAt = changedAt
    }

    package static func == (one: StoredPassword, other: StoredPassword) -> Bool {
        one.account == other.account && one.changedAt == other.changedAt
            && one.hash.revealed.isSameBytes(as: other.hash.revealed)
    }
}
