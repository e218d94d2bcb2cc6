extension Completion {
    static var fishScript: String {
        var lines = ["# fish completion for postern"]
        for command in Command.all {
            let first = command.words[0]
            if command.words.count == 1 {
                lines.append(
                    "complete -c postern -f -n __fish_use_subcommand -a \(first) -d \(fishText(command.summary))")
            }
            let seen = command.words.map { "__fish_seen_subcommand_from \($0)" }.joined(separator: "; and ")
            for option in command.options { lines.append(fishOption(option, when: seen)) }
            let words = operands(of: command)
            if !words.isEmpty {
                lines.append("complete -c postern -f -n \(fishText(seen)) -a \(fishText(words.joined(separator: " ")))")
            }
        }
        for word in firstWords {
            let second = secondWords(after: word)
            guard !second.isEmpty else { continue }
            lines.append("complete -c postern -f -n __fish_use_subcommand -a \(word)")
            lines.append(
                "complete -c postern -f -n \(fishText("__fish_seen_subcommand_from \(word)")) "
                    + "-a \(fishText(second.joined(separator: " ")))")
        }
        return lines.joined(separator: "\n") + "\n"
    }

    private static func fishOption(_ option: Option, when seen: String) -> String {
        let action: String =
            switch value(of: option) {
            case .none: ""
            case .words(let words): " -x -a \(fishText(words.joined(separator: " ")))"
            case .path: " -r -F"
            case .other: " -x"
            }
        return "complete -c postern -n \(fishText(seen)) -l \(option.name)\(action) -d \(fishText(option.meaning))"
    }

    private static func fishText(_ text: String) -> String {
        "'\(text.replacing("\\", with: "\\\\").replacing("'", with: "\\'"))'"
    }
}
