package import PosternTokens

/// Nothing could be done, and nothing was: it may be tried again. Where OpenSSL fails to sign what was written down already, the same
/// request gets the same session once more.
package enum AccountFault: Error, Sendable, Equatable {
    case store(StoreFault)
    case verification(VerificationFault)
    /// The pool that hashes passwords is full.
    case busy(retryAfterSeconds: Int)
    /// A password could not be hashed or compared; says nothing about it.
    case hashing(String)
    /// Our own keys cannot be used.
    case keys(String)

    static let keysSealedElsewhere = AccountFault.keys(
        "A signing key is sealed under another master key than those at hand. Give that one too, as a former one; if it is lost, "
            + "\"postern keys rotate --withdraw\" makes new keys, and all sessions are over.")
}

/// What the operations on accounts throw.
package enum AccountError: Error, Sendable, Equatable {
    case refused(AccountRefusal)
    /// The identity token was not to be accepted.
    case tokenRefused(Refusal)
    case fault(AccountFault)
}
