/// A group of paths that a listener opens or keeps shut; what is behind a shut door is not there.
package enum Door: String, Sendable, CaseIterable {
    /// Nonces, verdicts and the state of the keys, for the operator's own backends.
    case native
    /// Readiness, for who runs the machine.
    case operations
}
