/// A line of the audit trail: what was done to whom, never with an address, a token or a password.
package struct AuditEntry: Sendable, Equatable {
    package let event: AuditEvent
    package let at: Int64
    package let account: AccountID?
    package let session: SessionID?
    /// Who asked: a user ID of the system, the name of an API key, `command`; nil for the server itself.
    package let caller: String?
    /// One of a few words that say why or how, such as the name of a provider.
    package let detail: String?

    package init(
        _ event: AuditEvent,
        at: Int64,
        account: AccountID? = nil,
        session: SessionID? = nil,
        caller: String? = nil,
        detail: String? = nil
    ) {
        self.event = event
        self.at = at
        self.account = account
        self.session = session
        self.caller = caller
        self.detail = detail
    }
}

/// What the audit trail tells of.
package enum AuditEvent: String, Sendable, CaseIterable {
    case accountCreated = "account_created"
    case accountChanged = "account_changed"
    case accountDeleted = "account_deleted"
    case accountBanned = "account_banned"
    case accountUnbanned = "account_unbanned"
    case signUpStarted = "sign_up_started"
    case signUpConfirmed = "sign_up_confirmed"
    case addressProven = "address_proven"
    /// Somebody else has proven to have the address that was typed here.
    case addressLost = "address_lost"
    case identityLinked = "identity_linked"
    case identityUnlinked = "identity_unlinked"
    case passwordChanged = "password_changed"
    case passwordRehashed = "password_rehashed"
    case signedIn = "signed_in"
    case signInFailed = "sign_in_failed"
    case sessionEnded = "session_ended"
    case sessionsEnded = "sessions_ended"
    /// A refresh token of an earlier generation came back.
    case refreshTokenReused = "refresh_token_reused"
    case signingKeyRotated = "signing_key_rotated"
    /// A new key signs, and no other one counts any more.
    case signingKeysWithdrawn = "signing_keys_withdrawn"
    case accountExported = "account_exported"
    /// A backup took the place of the database.
    case databaseRestored = "database_restored"
}
