internal import PosternBase

/// Where a setting was said. Flags count over variables, variables over the file, the file over what counts otherwise.
enum SettingsSource: Sendable, Equatable {
    /// `--set PATH=…`; JSON has places of its own.
    case flag(path: String, isJSON: Bool)
    case variable(String, isJSON: Bool)
    case file(String)
    /// An object that nobody wrote, around what flags and variables say.
    case nowhere

    var name: String? {
        switch self {
        case .flag(let path, _): "--set \(path)"
        case .variable(let name, _): name
        case .file(let name): name
        case .nowhere: nil
        }
    }

    private var hasPlaces: Bool {
        switch self {
        case .flag(_, let isJSON), .variable(_, let isJSON): isJSON
        case .file: true
        case .nowhere: false
        }
    }

    /// Whether it is a text of the command line or the environment, which messages may repeat in part.
    var isWord: Bool {
        switch self {
        case .flag(_, let isJSON), .variable(_, let isJSON): !isJSON
        case .file, .nowhere: false
        }
    }

    func fault(_ value: JSONValue, _ message: String) -> SettingsFault {
        guard hasPlaces else { return SettingsFault(source: self, message: message) }
        let (line, column) = value.place
        return SettingsFault(source: self, line: line, column: column, message: message)
    }

    /// A text that is no JSON.
    func fault(_ error: JSONError) -> SettingsFault {
        SettingsFault(source: self, line: error.line, column: error.column, message: error.explanation)
    }

    /// Where a value stands, for people.
    func words(for value: JSONValue) -> String? {
        guard case .file(let name) = self else { return name }
        return "\(name):\(value.place.line)"
    }
}
