internal import PosternAccounts
internal import PosternBase
internal import PosternSQLite

extension Option {
    static let status = Option("status", "look only: what was done, and what is to be")
}

extension Command {
    static let migrate = Command(
        words: ["migrate"],
        summary: "Bring the database to the form of this program",
        usage: ["[OPTION]...", "[OPTION]... --status"],
        ownOptions: DataChoice.options + [.status],
        operandCount: 0...0,
        notes: [
            "The daemon does it when it starts; ended first, it can be done before. There is no way back but a backup. Where there is no "
                + "database yet it is made, and the last folder of its path too, so that people can be brought in before the daemon starts.",
            "With --status it ends with 4 where something is to be done: steps to come, or no database yet.",
            DataChoice.note,
        ],
        run: MigrateCommand.run
    )
}

enum MigrateCommand {
    static func run(_ arguments: Arguments) async throws(CommandFailure) -> Answer {
        let choice = try DataChoice(arguments)
        if !arguments.isGiven(.status) { await (try choice.openOrMake()).close() }
        let exists = choice.hasDatabase
        let status: MigrationStatus
        do throws(StoreFault) {
            status = try exists ? MigrationStatus(folder: choice.folder) : MigrationStatus()
        } catch {
            throw CommandFailure(error)
        }
        let steps = status.steps.map { step in
            JSONOutput.object([
                ("version", .integer(step.version)), ("name", .string(step.name)),
                ("applied_at", .optional(step.appliedAt)),
            ])
        }
        let json = JSONOutput.object([
            ("exists", .bool(exists)), ("current", .bool(status.isCurrent)), ("steps", .array(steps)),
        ])
        return Answer(status: status.isCurrent ? .success : .warned, json: json) { _ in
            guard exists else { return "\(choice.nothing)\n" }
            return Layout.table(
                status.steps.map { ["\($0.version)", $0.appliedAt.map(PersonOutput.time) ?? "to come", $0.name] })
        }
    }
}
