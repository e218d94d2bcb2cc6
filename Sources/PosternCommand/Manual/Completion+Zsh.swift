extension Completion {
    static var zshScript: String {
        let cases = Command.all.map { command in
            let lines = command.options.map { "            \(zshOption($0))" }
            let words = operands(of: command)
            let operand = words.isEmpty ? "'*:argument:_files'" : "'*:argument:(\(words.joined(separator: " ")))'"
            return """
                    '\(command.name)')
                        _arguments \\
                \(lines.joined(separator: " \\\n")) \\
                            \(operand) ;;

                """
        }
        let groups = firstWords.compactMap { word -> String? in
            let second = secondWords(after: word)
            return second.isEmpty ? nil : "    '\(word)') compadd \(second.joined(separator: " ")) ;;\n"
        }
        return """
            #compdef postern
            _postern() {
                local command= index
                for ((index = 2; index < CURRENT; index++)); do
                    case ${words[index]} in
                    -*) break ;;
                    *) command=${command:+$command }${words[index]} ;;
                    esac
                done
                case $command in
                '') compadd \((firstWords + ["--help", "--version"]).joined(separator: " ")) ;;
            \(groups.joined())\(cases.joined())    *) _files ;;
                esac
            }
            if [ "${funcstack[1]-}" = _postern ]; then _postern "$@"; else compdef _postern postern; fi

            """
    }

    private static func zshOption(_ option: Option) -> String {
        let meaning = option.meaning.replacing("'", with: "’").replacing("[", with: "(").replacing("]", with: ")")
            .replacing(":", with: ";")
        let many = option.isRepeatable ? "*" : ""
        let action: String =
            switch value(of: option) {
            case .none: ""
            case .words(let words): ":value:(\(words.joined(separator: " ")))"
            case .path: ":file:_files"
            case .other: ":value: "
            }
        return "'\(many)--\(option.name)[\(meaning)]\(action)'"
    }
}
