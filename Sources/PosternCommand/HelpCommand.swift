internal import PosternBase

extension Command {
    static let help = Command(
        words: ["help"],
        summary: "Show the help of the program or of a command",
        usage: ["[COMMAND]"],
        ownOptions: [],
        operandCount: 0...2,
        notes: [],
        run: HelpCommand.run
    )
}

enum HelpCommand {
    static func run(_ arguments: Arguments) async throws(CommandFailure) -> Answer {
        guard !arguments.operands.isEmpty else {
            return Answer(status: .success, json: json(Command.all), text: HelpText.program)
        }
        if arguments.operands.count == 1, let group = Command.group(arguments.operands) {
            return Answer(status: .success, json: json(group)) { HelpText.group(group, $0) }
        }
        let found = try Command.find(arguments.operands)
        guard found.rest.isEmpty else { throw .usage("too many arguments: help takes one command") }
        return Answer(status: .success, json: json([found.command])) { HelpText.command(found.command, $0) }
    }

    private static func json(_ commands: [Command]) -> JSONOutput {
        .object([("commands", .array(commands.map(json)))])
    }

    private static func json(_ command: Command) -> JSONOutput {
        .object([
            ("command", .string(command.name)),
            ("summary", .string(command.summary)),
            ("usage", .strings(command.usage.map { "postern \(command.name) \($0)" })),
            ("options", .array(command.options.map(json))),
        ])
    }

    private static func json(_ option: Option) -> JSONOutput {
        .object([
            ("option", .string("--\(option.name)")),
            ("value", .optional(option.value)),
            ("repeatable", .bool(option.isRepeatable)),
            ("meaning", .string(option.meaning)),
        ])
    }
}
