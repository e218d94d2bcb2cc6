package import PosternBase

/// Somebody's wish for an account at an address that nobody has proven yet; it becomes one when it is confirmed.
///
/// Its password and data are this attempt's alone: to confirm one activates nothing of another.
package struct SignUp: Sendable, Equatable {
    package let id: SignUpID
    package let email: EmailAddress
    package let passwordHash: Secret<String>
    /// A JSON object of at most 4,096 bytes.
    package let userData: String
    package let createdAt: Int64
    package let expiresAt: Int64

    package init(
        id: SignUpID,
        email: EmailAddress,
        passwordHash: Secret<String>,
        userData: String,
        createdAt: Int64,
        expiresAt: Int64
    ) {
        self.id = id
        self.email = email
        self.passwordHash = passwordHash
        self.userData = userData
        self.createdAt = createdAt
        self.expiresAt = expiresAt
    }

    package static func == (one: SignUp, other: SignUp) -> Bool {
        one.id == other.id && one.email == other.email && one.createdAt == other.createdAt
            && one.expiresAt == other.expiresAt && one.userData.isSameBytes(as: other.userData)
            && one.passwordHash.revealed.isSameBytes(as: other.passwordHash.revealed)
    }
}
