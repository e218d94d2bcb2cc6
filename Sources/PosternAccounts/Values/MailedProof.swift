internal import PosternBase

/// What is asked of somebody by mail: whoever brings the link or the code of the mail has its mailbox.
///
/// Neither is kept: both are made from the name (`MailedProofKeys`) whenever the mail is written.
package struct MailedProof: Sendable, Equatable {
    /// What it is good for, and for nothing else.
    package enum Purpose: String, Sendable, CaseIterable {
        /// To prove the address of a sign-up, or the one that an account has.
        case verify
        /// To set a password without the old one.
        case reset
        case magicLink = "magic_link"
        /// To prove another address, which takes the place of the one that the account has.
        case emailChange = "email_change"
    }

    /// Whose it is.
    package enum Owner: Sendable, Hashable {
        case account(AccountID)
        case signUp(SignUpID)
    }

    package let id: MailedProofID
    package let purpose: Purpose
    package let owner: Owner
    /// The mailbox that it proves, where the mail goes.
    package let email: EmailAddress
    package let createdAt: Int64
    /// It is good before this second, and is remembered until it.
    package let expiresAt: Int64
    /// Codes that were brought and not right, or too late.
    package var wrongCodes: Int64
    /// When it redeemed what it is for; once.
    package var usedAt: Int64?

    package init(
        id: MailedProofID,
        purpose: Purpose,
        owner: Owner,
        email: EmailAddress,
        createdAt: Int64,
        expiresAt: Int64,
        wrongCodes: Int64 = 0,
        usedAt: Int64? = nil
    ) {
        self.id = id
        self.purpose = purpose
        self.owner = owner
        self.email = email
        self.createdAt = createdAt
        self.expiresAt = expiresAt
        self.wrongCodes = wrongCodes
        self.usedAt = usedAt
    }
}

// It holds an address.
extension MailedProof: Masked {}
