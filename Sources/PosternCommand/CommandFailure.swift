/// Why a command ends without an answer: a message on standard error and `ExitStatus.trouble`.
struct CommandFailure: Error {
    let message: String
    /// Whether the command line is wrong, so that a hint to `--help` is of use.
    let isUsage: Bool
    /// What is wrong with the settings, if that is why.
    var faults: [SettingsFault] = []
    /// Whether it stands in the log already.
    var isTold = false
    /// What was refused, if that is why: then it is an answer.
    var code: String?

    static func usage(_ message: String) -> CommandFailure { CommandFailure(message: message, isUsage: true) }
    static func trouble(_ message: String) -> CommandFailure { CommandFailure(message: message, isUsage: false) }

    /// Each fault on a line of its own.
    static func settings(_ faults: [SettingsFault]) -> CommandFailure {
        CommandFailure(message: faults.map(\.text).joined(separator: "\npostern: "), isUsage: false, faults: faults)
    }
}
