internal import Glibc
internal import PosternAccounts
internal import PosternBase
internal import PosternSQLite

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
