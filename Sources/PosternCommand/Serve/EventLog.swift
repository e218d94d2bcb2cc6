internal import PosternBase

/// What the daemon tells its operator: one JSON object on one line of standard error for each event.
///
/// It takes words and numbers of our own; never a token, a nonce, a key or an address of a person.
enum EventLog {
    enum Level: String { case info, warning, error }

    static func write(_ level: Level, _ event: String, _ members: [(String, JSONOutput)] = []) {
        let time = Timestamp.utc(TimeSource.system.now()) ?? ""
        let line = JSONOutput.object(
            [("time", .string(time)), ("level", .string(level.rawValue)), ("event", .string(event))] + members)
        StandardStreams.complain(line.text() + "\n")
    }
}
