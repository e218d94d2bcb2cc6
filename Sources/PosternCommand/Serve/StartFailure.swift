internal import Glibc
internal import PosternBase
internal import PosternHTTPServer

/// Why a start failed after its settings were found to be good; `Docs/Output.md` lists them.
enum StartFailure: String, LogWord {
    case inUse = "in_use"
    case invalid
    case unsafe
    case system
    case descriptors
    /// The folder with the data, the database in it, or keys that the master key does not open.
    case store

    init(_ code: ServerError.Code) {
        self =
            switch code {
            case .inUse: .inUse
            case .invalid: .invalid
            case .unsafe: .unsafe
            case .system: .system
            }
    }
}

extension CommandFailure {
    /// The same, told as an event where the log is read by a program; to a person at a terminal it is told as by all commands.
    func told(_ code: StartFailure) -> CommandFailure {
        guard isatty(STDERR_FILENO) != 1 else { return self }
        EventLog.write(.startFailed, [("code", .word(code)), ("message", .text(message, from: .settings))])
        var failure = self
        failure.isTold = true
        return failure
    }
}
