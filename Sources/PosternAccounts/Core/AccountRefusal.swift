/// Why something was not done that was asked for: a normal answer.
package struct AccountRefusal: Error, Sendable, Equatable {
    package enum Code: String, Sendable, CaseIterable {
        case accountBanned = "account_banned"
        case accountUnknown = "account_unknown"
        case emailMissing = "email_missing"
        case emailTaken = "email_taken"
        case emailUnproven = "email_unproven"
        case identityTaken = "identity_taken"
        case identityUnknown = "identity_unknown"
        /// The same for an unknown address, a wrong password, and an account without one.
        case invalidCredentials = "invalid_credentials"
        case lastSignInMethod = "last_sign_in_method"
        case passwordsOff = "passwords_off"
        case passwordWrong = "password_wrong"
        case passwordUnacceptable = "password_unacceptable"
        case refreshTokenReused = "refresh_token_reused"
        case refreshTokenUnknown = "refresh_token_unknown"
        case sessionEnded = "session_ended"
        case sessionUnknown = "session_unknown"
        case signUpUnknown = "sign_up_unknown"
        case tokenUsed = "token_used"
        case tooManyAttempts = "too_many_attempts"
    }

    package let code: Code
    /// What is wrong and what to do, in English; never holds a secret or an address.
    package let message: String
    /// Seconds to wait, where that helps.
    package let retryAfter: Int64?

    package init(_ code: Code, _ message: String, retryAfter: Int64? = nil) {
        self.code = code
        self.message = message
        self.retryAfter = retryAfter
    }
}
