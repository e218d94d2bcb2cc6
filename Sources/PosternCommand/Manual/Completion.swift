/// What completes the words of a command line, made from the tables of commands and options.
enum Completion: String, CaseIterable {
    case bash, zsh, fish

    var script: String {
        switch self {
        case .bash: Self.bashScript
        case .zsh: Self.zshScript
        case .fish: Self.fishScript
        }
    }

    /// The words that may stand after `postern`, and those after the first of them.
    static var firstWords: [String] {
        Command.all.reduce(into: []) { words, command in
            if !words.contains(command.words[0]) { words.append(command.words[0]) }
        }
    }

    static func secondWords(after word: String) -> [String] {
        Command.all.filter { $0.words.count > 1 && $0.words[0] == word }.map { $0.words[1] }
    }

    /// What is known of the value of an option.
    enum Value {
        case none, words([String]), path, other
    }

    static func value(of option: Option) -> Value {
        guard let value = option.value else { return .none }
        if option.name == Option.format.name { return .words(Answer.Format.allCases.map(\.rawValue)) }
        if option.name == Option.provider.name { return .words(ProviderChoice.Name.allCases.map(\.rawValue)) }
        let isPath = ["FILE", "DIR", "PATH"].contains { value.hasPrefix($0) }
        return isPath ? .path : .other
    }

    /// Operands that are words of a list.
    static func operands(of command: Command) -> [String] {
        switch command.name {
        case Command.manual.name: ManualPage.allCases.map(\.rawValue)
        case Command.completion.name: allCases.map(\.rawValue)
        case Command.help.name: firstWords
        default: []
        }
    }
}
