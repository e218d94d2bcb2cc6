internal import PosternAccounts
internal import PosternBase
internal import PosternSQLite

extension Option {
    static let yesRestore = Option(
        "yes", "it is meant, where there is a database: what was written since the backup is not in it")
}

extension Command {
    static let restore = Command(
        words: ["restore"],
        summary: "Put a backup in the place of the database, while no daemon runs",
        usage: ["[OPTION]... --yes FILE"],
        ownOptions: DataChoice.options + [.yesRestore],
        operandCount: 1...1,
        notes: [
            "FILE is looked through first, and copied: it stays as it is. The database that is there is kept beside it, under a name that is "
                + "printed: delete it when nobody needs it any more, since people are in it. Whenever this is interrupted, one of the two "
                + "is there and whole.",
            "End the daemon first. Signing keys that were withdrawn since the backup are back: withdraw them again (postern keys rotate "
                + "--withdraw).",
            "For the data \(DataChoice.place).",
        ],
        run: RestoreCommand.run
    )
}

enum RestoreCommand {
    static func run(_ arguments: Arguments) async throws(CommandFailure) -> Answer {
        let choice = try DataChoice(arguments)
        let file = try arguments.text(ofOperand: 0, called: "FILE")
        var progress = ProgressLine()
        let kept: String?
        do throws(StoreFault) {
            let restore = try SQLiteRestore(file, to: choice.folder, caller: Operation.caller)
            guard !restore.replaces || arguments.isGiven(.yesRestore) else { throw Self.unmeant }
            kept = try restore.run { step in Self.show(step, &progress) }
        } catch {
            progress.end()
            guard error != Self.unmeant else { throw .usage(error.message) }
            throw CommandFailure(error)
        }
        progress.end()
        return Answer(status: .success, json: .object([("file", .string(file)), ("kept", .optional(kept))])) { _ in
            "restored \(Excerpt.quote(file))\n" + (kept.map { "what was there before is \(Excerpt.quote($0))\n" } ?? "")
        }
    }

    private static let unmeant = StoreFault(
        .unavailable, "--yes is missing: what was written since the backup is not in it")

    private static func show(_ step: SQLiteRestore.Step, _ progress: inout ProgressLine) {
        switch step {
        case .copied(let done, let all): progress.show(Int(clamping: done), of: Int(clamping: all))
        case .checking: progress.show("looking through the copy")
        default: break
        }
    }
}
