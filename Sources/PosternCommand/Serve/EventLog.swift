internal import Glibc
internal import PosternBase
internal import Synchronization

/// What the daemon tells its operator: one JSON object on one line of standard error for each event.
///
/// It takes words and numbers of our own (`LogValue`); never a token, a nonce, a key or an address of a person. Who tells
/// something does not wait until it is read.
enum EventLog {
    private static let writer = LineWriter(STDERR_FILENO) { count in
        line(.logLinesLost, [("count", .number(count))])
    }
    private static let counts = LogLevel.allCases.map { _ in RelaxedCounter() }
    private static let leastPlace = Atomic<Int>(0)

    /// What is less than this is not told from now on.
    static func set(_ level: LogLevel) {
        leastPlace.store(LogLevel.allCases.firstIndex(of: level) ?? 0, ordering: .relaxed)
    }

    static func write(_ event: LogEvent, _ members: [(StaticString, LogValue)] = []) {
        let place = LogLevel.allCases.firstIndex(of: event.level) ?? 0
        guard place >= leastPlace.load(ordering: .relaxed) else { return }
        counts[place].add()
        writer.write(line(event, members))
    }

    /// A text for the operator, between the lines.
    static func say(_ text: String) { writer.write(text) }

    /// Waits until all is written, but not for ever.
    static func flush(milliseconds: Int = 1_000) { writer.flush(milliseconds: milliseconds) }

    private static func line(_ event: LogEvent, _ members: [(StaticString, LogValue)]) -> String {
        event.line(time: Timestamp.utcNow(), members)
    }

    // MARK: - For metrics

    /// Lines since the start, by their level; some of them may have been lost.
    static var lineCounts: [(level: LogLevel, count: Int)] {
        zip(LogLevel.allCases, counts).map { ($0, $1.value) }
    }

    static var lostCount: Int { writer.lostInAll.value }
}
