internal import Glibc
internal import PosternBase

/// What the daemon tells its operator: one JSON object on one line of standard error for each event.
///
/// It takes words and numbers of our own; never a token, a nonce, a key or an address of a person. Who tells something does not
/// wait until it is read.
enum EventLog {
    enum Level: String { case info, warning, error }

    private static let writer = LineWriter(STDERR_FILENO) { count in
        line(.warning, "log_lines_lost", [("count", .integer(Int64(count)))])
    }

    static func write(_ level: Level, _ event: String, _ members: [(String, JSONOutput)] = []) {
        writer.write(line(level, event, members))
    }

    /// A text for the operator, between the lines.
    static func say(_ text: String) { writer.write(text) }

    /// Waits until all is written, but not for ever.
    static func flush(milliseconds: Int = 1_000) { writer.flush(milliseconds: milliseconds) }

    private static func line(_ level: Level, _ event: String, _ members: [(String, JSONOutput)]) -> String {
        let time = Timestamp.utc(TimeSource.system.now()) ?? ""
        let line = JSONOutput.object(
            [("time", .string(time)), ("level", .string(level.rawValue)), ("event", .string(event))] + members)
        return line.text() + "\n"
    }
}
