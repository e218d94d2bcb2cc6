/// Why a command ends without an answer: a message on standard error and `ExitStatus.trouble`.
struct CommandFailure: Error {
    let message: String
    /// Whether the command line is wrong, so that a hint to `--help` is of use.
    let isUsage: Bool

    static func usage(_ message: String) -> CommandFailure { CommandFailure(message: message, isUsage: true) }
    static func trouble(_ message: String) -> CommandFailure { CommandFailure(message: message, isUsage: false) }
}
