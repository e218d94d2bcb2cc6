/// What the command tells the shell.
enum ExitStatus: Int32, CaseIterable {
    /// Accepted, or done.
    case success = 0
    /// The token is refused, the nonce does not fit, a vector fails.
    case refused = 1
    /// A usage mistake, or a file that cannot be read or written: nothing was found out.
    case trouble = 2
    /// There is no key to verify with.
    case keysUnavailable = 3
    /// It works, and something should be looked at.
    case warned = 4

    /// For the help.
    var meaning: String {
        switch self {
        case .success: "accepted or done"
        case .refused: "refused or failed"
        case .trouble: "usage mistake or unusable file"
        case .keysUnavailable: "no usable keys"
        case .warned: "done, with warnings"
        }
    }
}
