internal import PosternIssuer
internal import PosternJOSE

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
        if let words = words(of: option) { return .words(words) }
        let isPath = ["FILE", "DIR", "PATH"].contains { value.hasPrefix($0) }
        return isPath ? .path : .other
    }

    /// All that the option can be given, where that is a list.
    private static func words(of option: Option) -> [String]? {
        switch option.name {
        case Option.format.name: Answer.Format.allCases.map(\.rawValue)
        case Option.provider.name: ProviderChoice.Name.allCases.map(\.rawValue)
        case Option.algorithm.name: Algorithm.all.map(\.name)
        case IssuerOption.fault.name: IssuerFault.allCases.map(\.rawValue)
        case MintOption.notification.name where option.value != nil: MintOption.notificationTypes
        case Option.set.name: Setting.all.filter(\.isSettable).map { "\($0.path)=" }
        default: nil
        }
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
