/// One command of the program: what its help says, what it takes, and what it does.
struct Command: Sendable {
    /// How it is called, such as `keys show`.
    let words: [String]
    let summary: String
    /// What follows the name, one string for each way to use it.
    let usage: [String]
    let ownOptions: [Option]
    let operandCount: ClosedRange<Int>
    /// Paragraphs below the options.
    let notes: [String]
    let run: @Sendable (Arguments) async throws(CommandFailure) -> Answer

    var name: String { words.joined(separator: " ") }
    var options: [Option] { ownOptions + [.format, .help] }

    static let all: [Command] = [
        verify, inspect, nonce, keysShow, keysFetch, keysMaster, keysRotate, mint, issuer, serve, checkConfig, config,
        settings, events, doctor, apiKey, usersList, usersShow, usersCreate, usersConfirm, usersBan, usersUnban,
        usersDelete, usersSessions, usersExport, audit, backup, restore, migrate, vectors, manual, completion, help,
    ]

    /// The command that `operands` begin with, and what follows its name.
    static func find(_ operands: [[UInt8]]) throws(CommandFailure) -> (command: Command, rest: [[UInt8]]) {
        guard let first = operands.first else { throw .usage("a command is missing") }
        for command in all where command.isNamed(by: operands) {
            return (command, Array(operands.dropFirst(command.words.count)))
        }
        if let group = group(operands) {
            let names = group.map { "postern \($0.name)" }.joined(separator: " or ")
            guard operands.count > 1 else { throw .usage("'\(group[0].words[0])' needs a word more: \(names)") }
            let meant = meant(operands[1], group.map { $0.words[1] }, before: "\(group[0].words[0]) ")
            throw .usage("'\(group[0].words[0])' needs another word: \(names)\(meant)")
        }
        // A long or odd word may be a token that was given in place of a command.
        let isWord = first.count <= 20 && first.allSatisfy { (0x61...0x7A).contains($0) || $0 == 0x2D }
        guard isWord else { throw .usage("there is no such command") }
        let names = Set(all.map { $0.words[0] }).sorted()
        throw .usage("there is no command \(RawArguments.quote(first))\(meant(first, names, before: ""))")
    }

    /// The name that was probably meant, in words; empty when there is none.
    private static func meant(_ word: [UInt8], _ names: [String], before: String) -> String {
        NearestName.of(String(decoding: word, as: UTF8.self), among: names).map { "; is '\(before)\($0)' meant?" } ?? ""
    }

    /// The commands whose first word of several `operands` begin with; nil when there are none.
    static func group(_ operands: [[UInt8]]) -> [Command]? {
        guard let first = operands.first else { return nil }
        let group = all.filter { $0.words.count > 1 && first.elementsEqual($0.words[0].utf8) }
        return group.isEmpty ? nil : group
    }

    private func isNamed(by operands: [[UInt8]]) -> Bool {
        operands.count >= words.count && zip(words, operands).allSatisfy { $0.utf8.elementsEqual($1) }
    }
}
