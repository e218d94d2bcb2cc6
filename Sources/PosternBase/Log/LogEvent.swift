/// How much an event matters.
package enum LogLevel: String, Sendable, CaseIterable, Comparable {
    case info, warning, error

    package static func < (left: LogLevel, right: LogLevel) -> Bool { left.order < right.order }

    private var order: Int {
        switch self {
        case .info: 0
        case .warning: 1
        case .error: 2
        }
    }
}

/// Something that is told to the operator, under a name that stays.
package struct LogEvent: Sendable {
    package let name: String
    package let level: LogLevel
    /// The names of all that may come with it.
    package let members: [String]
    package let meaning: String

    package init(_ name: String, _ level: LogLevel, _ members: [String] = [], _ meaning: String) {
        self.name = name
        self.level = level
        self.members = members
        self.meaning = meaning
    }

    /// One line of JSON; `time` as RFC 3339 has it. What is not a member of the event is left out.
    package func line(time: String, _ members: [(StaticString, LogValue)]) -> String {
        var all: [(String, JSONOutput)] = [
            ("time", .string(time)), ("level", .string(level.rawValue)), ("event", .string(name)),
        ]
        for (name, value) in members where self.members.containsBytes(of: "\(name)") {
            all.append(("\(name)", value.output))
        }
        return JSONOutput.object(all).text() + "\n"
    }
}
