internal import PosternBase

/// A group of paths that a listener opens or keeps shut; what is behind a shut door is not there.
package enum Door: String, Sendable, CaseIterable, LogWord {
    /// Nonces, verdicts, accounts, sessions and the state of the keys, for the operator's own backends.
    case native
    /// What everybody may know: the public keys of our access tokens.
    case auth
    /// Readiness and metrics, for who runs the machine.
    case operations
}
