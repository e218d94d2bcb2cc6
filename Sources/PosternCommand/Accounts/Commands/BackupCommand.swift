internal import Glibc
internal import PosternAccounts
internal import PosternBase
internal import PosternSQLite

extension Option {
    static let status = Option("status", "look only: what was done, and what is to be")
}

extension Command {
    static let backup = Command(
        words: ["backup"],
        summary: "Copy the database to a file while the daemon runs",
        usage: ["[OPTION]... FILE"],
        ownOptions: DataChoice.options,
        operandCount: 1...1,
        notes: [
            "The file is whole or not there, and of one moment. It holds addresses, names and password hashes, which are as good as the "
                + "passwords are: keep it for yourself. No session, token or signing key can be had from it without the master key, so keep "
                + "that elsewhere.",
            DataChoice.note,
        ],
        run: BackupCommand.run
    )

    static let migrate = Command(
        words: ["migrate"],
        summary: "Bring the database to the form of this program",
        usage: ["[OPTION]...", "[OPTION]... --status"],
        ownOptions: DataChoice.options + [.status],
        operandCount: 0...0,
        notes: [
            "The daemon does it when it starts; ended first, it can be done before. There is no way back but a backup.",
            DataChoice.note,
        ],
        run: MigrateCommand.run
    )
}

enum BackupCommand {
    static func run(_ arguments: Arguments) async throws(CommandFailure) -> Answer {
        let choice = try DataChoice(arguments)
        let target = try arguments.text(ofOperand: 0, called: "FILE")
        var progress = ProgressLine()
        var pages = 0
        do throws(StoreFault) {
            try SQLiteBackup(folder: choice.folder).write(to: target) { state in
                pages = state.pages
                progress.show(state.copied, of: state.pages)
                return true
            }
        } catch {
            progress.end()
            throw CommandFailure(error)
        }
        progress.end()
        let copied = Int64(pages)
        return Answer(status: .success, json: .object([("file", .string(target)), ("pages", .integer(copied))])) { _ in
            "copied \(copied) pages to \(Excerpt.quote(target))\n"
        }
    }
}

enum MigrateCommand {
    static func run(_ arguments: Arguments) async throws(CommandFailure) -> Answer {
        let choice = try DataChoice(arguments)
        if !arguments.isGiven(.status) { await (try choice.open()).close() }
        let status: MigrationStatus
        do throws(StoreFault) { status = try MigrationStatus(folder: choice.folder) } catch {
            throw CommandFailure(error)
        }
        let steps = status.steps.map { step in
            JSONOutput.object([
                ("version", .integer(step.version)), ("name", .string(step.name)),
                ("applied_at", .optional(step.appliedAt)),
            ])
        }
        let json = JSONOutput.object([("current", .bool(status.isCurrent)), ("steps", .array(steps))])
        return Answer(status: status.isCurrent ? .success : .warned, json: json) { _ in
            Layout.table(
                status.steps.map { ["\($0.version)", $0.appliedAt.map(PersonOutput.time) ?? "to come", $0.name] })
        }
    }
}

/// How far long work has come, on standard error and only for who looks at it.
struct ProgressLine {
    private let isShown = isatty(STDERR_FILENO) == 1
    private var last = -1

    mutating func show(_ done: Int, of all: Int) {
        let percent = all > 0 ? done * 100 / all : 100
        guard isShown, percent != last else { return }
        last = percent
        StandardStreams.complain("\r\(percent) %")
    }

    mutating func end() {
        guard last >= 0 else { return }
        StandardStreams.complain("\r\u{1B}[K")
        last = -1
    }
}
