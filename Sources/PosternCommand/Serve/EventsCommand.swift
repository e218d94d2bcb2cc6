internal import PosternBase

extension Command {
    static let events = Command(
        words: ["events"],
        summary: "List what the daemon tells in its log",
        usage: ["[OPTION]..."],
        ownOptions: [],
        operandCount: 0...0,
        notes: [
            "Each is one object of JSON on a line of standard error, with 'time', 'level' and 'event' first. Names and members stay."
        ],
        run: EventsCommand.run
    )
}

enum EventsCommand {
    static func run(_ arguments: Arguments) async throws(CommandFailure) -> Answer {
        Answer(status: .success, json: .object([("events", .array(LogEvent.all.map(json)))])) { style in
            LogEvent.all.map { text($0, style) }.joined()
        }
    }

    private static func json(_ event: LogEvent) -> JSONOutput {
        .object([
            ("event", .string(event.name)), ("level", .string(event.level.rawValue)),
            ("members", .strings(event.members)), ("meaning", .string(event.meaning)),
        ])
    }

    private static func text(_ event: LogEvent, _ style: Style) -> String {
        let members = event.members.isEmpty ? "" : "  (\(event.members.joined(separator: ", ")))"
        return "\(style.heading(event.name))  \(event.level.rawValue)\(members)\n    \(event.meaning)\n"
    }
}
