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

    /// A text that is no JSON; with the text more can be said.
    func fault(_ error: JSONError, in bytes: [UInt8] = []) -> SettingsFault {
        SettingsFault(
            source: self, line: error.line, column: error.column,
            message: error.explanation + Self.hint(error, bytes))
    }

    /// A file that another program has saved in a way of its own; the reader would stumble over something else.
    func faultOfEncoding(_ bytes: [UInt8]) -> SettingsFault? {
        guard let (byte, place) = JSONHint.notUTF8(bytes) else { return nil }
        return SettingsFault(
            source: self, line: place.line, column: place.column,
            message: "the file is not UTF-8: the byte 0x\(Hex.encode([byte])) is no character here. Save it as UTF-8")
    }

    private static func hint(_ error: JSONError, _ bytes: [UInt8]) -> String {
        if let (name, first) = JSONHint.duplicate(error, in: bytes) {
            return ": \(UnknownName.quote(name, isSlip: false)), first in line \(first.line), column \(first.column)"
        }
        // What was opened last is what mostly lacks its end.
        switch JSONHint.open(error, in: bytes).last {
        case .object(let place): return ": the { of line \(place.line), column \(place.column), is still open"
        case .array(let place): return ": the [ of line \(place.line), column \(place.column), is still open"
        case .string(let place): return ": the text of line \(place.line), column \(place.column), has no end"
        case nil: return ""
        }
    }

    /// Where a value stands, for people.
    func words(for value: JSONValue) -> String? {
        guard case .file(let name) = self else { return name }
        return "\(name):\(value.place.line)"
    }
}
