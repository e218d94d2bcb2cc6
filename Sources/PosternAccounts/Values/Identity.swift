internal import PosternBase
package import PosternTokens

/// Whom a provider's tokens speak of. Never an email address.
package struct IdentityKey: Sendable, Hashable {
    /// The word of the provider in the settings.
    package let provider: String
    /// The canonical issuer.
    package let issuer: String
    package let subject: Subject

    package init(provider: String, issuer: String, subject: Subject) {
        self.provider = provider
        self.issuer = issuer
        self.subject = subject
    }

    package static func == (one: IdentityKey, other: IdentityKey) -> Bool {
        one.subject == other.subject && one.issuer.utf8.elementsEqual(other.issuer.utf8)
            && one.provider.utf8.elementsEqual(other.provider.utf8)
    }

    package func hash(into hasher: inout Hasher) { hasher.combine(subject) }
}

/// A way to sign in to an account by the tokens of a provider.
package struct Identity: Sendable, Equatable {
    package let key: IdentityKey
    package var account: AccountID
    /// The address in the last token that had one, as it stood there.
    package var email: String?
    package var isEmailVerified: Bool
    package var isPrivateRelay: Bool
    package let createdAt: Int64
    package var lastSignInAt: Int64

    package init(
        key: IdentityKey,
        account: AccountID,
        email: String?,
        isEmailVerified: Bool,
        isPrivateRelay: Bool,
        createdAt: Int64,
        lastSignInAt: Int64
    ) {
        self.key = key
        self.account = account
        self.email = email
        self.isEmailVerified = isEmailVerified
        self.isPrivateRelay = isPrivateRelay
        self.createdAt = createdAt
        self.lastSignInAt = lastSignInAt
    }
}

// It may hold an address.
extension Identity: Masked {}
