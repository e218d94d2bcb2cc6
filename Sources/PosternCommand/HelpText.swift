/// The help, made from the tables of commands and options.
enum HelpText {
    private static let width = 80

    static func program(_ style: Style) -> String {
        let rows = Command.all.map { [$0.name, $0.summary] }
        return """
            Usage: postern COMMAND [OPTION]... [ARGUMENT]...
            \(purpose)

            \(style.heading("Commands:"))
            \(Layout.table(rows))
            \(style.heading("Options:"))
            \(list([.help, .version]))
            \(exitStatus)
            'postern COMMAND --help' explains a command.

            """
    }

    /// The commands that begin with one word.
    static func group(_ commands: [Command], _ style: Style) -> String {
        """
        Usage: postern \(commands[0].words[0]) COMMAND [OPTION]... [ARGUMENT]...

        \(style.heading("Commands:"))
        \(Layout.table(commands.map { [$0.name, $0.summary] }))
        'postern COMMAND --help' explains a command.

        """
    }

    static func command(_ command: Command, _ style: Style) -> String {
        let usage = command.usage.enumerated().map { index, usage in
            lines("postern \(command.name) \(usage)", first: index == 0 ? "Usage: " : "   or: ", indent: 11)
        }
        let notes = command.notes.map { lines($0, first: "", indent: 0) + "\n" }
        return """
            \(usage.joined())\(lines(command.summary + ".", first: "", indent: 0))
            \(style.heading("Options:"))
            \(list(command.options))
            \(notes.joined())\(exitStatus)
            """
    }

    static let purpose =
        "Verifies Sign in with Apple and other OpenID Connect identity tokens,\nand keeps accounts and sessions."

    private static let exitStatus = lines(
        "Exit status: \(ExitStatus.allCases.map { "\($0.rawValue) \($0.meaning)" }.joined(separator: ", ")).",
        first: "",
        indent: 0
    )

    /// Options with their meaning beside them, or below when they are long.
    private static func list(_ options: [Option]) -> String {
        let column = 26
        return options.map { option in
            let value = option.value.map { " \($0)" } ?? ""
            let name = "  --\(option.name)\(value)"
            let meaning = Layout.wrap(
                option.meaning + (option.isRepeatable ? " (repeatable)" : ""), width: width - column)
            let margin = String(repeating: " ", count: column)
            guard name.utf8.count <= column - 2 else {
                return ([name] + meaning.map { margin + $0 }).joined(separator: "\n") + "\n"
            }
            let body = meaning.joined(separator: "\n" + margin)
            return Layout.pad(name, column) + body + "\n"
        }.joined()
    }

    private static func lines(_ text: String, first: String, indent: Int) -> String {
        let wrapped = Layout.wrap(text, width: width - max(indent, first.utf8.count))
        return first + wrapped.joined(separator: "\n" + String(repeating: " ", count: indent)) + "\n"
    }
}
