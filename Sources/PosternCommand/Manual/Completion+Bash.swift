extension Completion {
    static var bashScript: String {
        let commands = Command.all.map { command in
            let names = (command.options.map { "--\($0.name)" } + operands(of: command)).joined(separator: " ")
            return "        '\(command.name)') words='\(names)' ;;\n"
        }
        let groups = firstWords.compactMap { word -> String? in
            let second = secondWords(after: word)
            return second.isEmpty ? nil : "        '\(word)') words='\(second.joined(separator: " "))' ;;\n"
        }
        return """
            # bash completion for postern
            _postern() {
                local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD-1]} command= words= index
                COMPREPLY=()
                case $previous in
            \(bashValues())    esac
                for ((index = 1; index < COMP_CWORD; index++)); do
                    case ${COMP_WORDS[index]} in
                    -*) break ;;
                    *) command=${command:+$command }${COMP_WORDS[index]} ;;
                    esac
                done
                case $command in
                    '') words='\((firstWords + ["--help", "--version"]).joined(separator: " "))' ;;
            \((groups + commands).joined())    esac
                COMPREPLY=($(compgen -W "$words" -- "$current"))
                [ ${#COMPREPLY[@]} -gt 0 ] || COMPREPLY=($(compgen -f -- "$current"))
            }
            complete -o filenames -F _postern postern

            """
    }

    private static func bashValues() -> String {
        var lines: [String] = []
        for option in optionsOfAll {
            switch value(of: option) {
            case .none: continue
            case .words(let words):
                lines.append(
                    "    --\(option.name)) COMPREPLY=($(compgen -W '\(words.joined(separator: " "))' -- \"$current\"));"
                        + " return ;;\n")
            case .path: lines.append("    --\(option.name)) COMPREPLY=($(compgen -f -- \"$current\")); return ;;\n")
            case .other: lines.append("    --\(option.name)) return ;;\n")
            }
        }
        return lines.joined()
    }

    /// Each option once; where two commands call different things the same, the first counts.
    private static var optionsOfAll: [Option] {
        Command.all.flatMap(\.options).reduce(into: []) { known, option in
            if !known.contains(where: { $0.name == option.name }) { known.append(option) }
        }
    }
}
