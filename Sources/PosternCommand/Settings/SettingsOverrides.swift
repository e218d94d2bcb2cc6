internal import PosternBase

extension Option {
    static let set = Option(
        "set", takes: "NAME=VALUE", isRepeatable: true,
        "a setting such as limits.connections=100, over the variables and the file; arrays as JSON")
}

/// What flags and variables say of the settings, read as the file is: the same forms, ranges and words.
struct SettingsOverrides {
    struct Entry {
        let value: JSONValue
        let source: SettingsSource
    }

    private var flags: [String: Entry] = [:]
    private var variables: [String: Entry] = [:]

    var isEmpty: Bool { flags.isEmpty && variables.isEmpty }

    subscript(path: String) -> Entry? { flags[path] ?? variables[path] }

    /// Whether something is said of the members of an object.
    func hasMembers(of object: String) -> Bool {
        [flags, variables].contains { $0.keys.contains { $0.hasPrefix("\(object).") } }
    }

    init() {}

    /// What would count without the flags, and without the variables too.
    var below: [SettingsOverrides] {
        var layers: [SettingsOverrides] = []
        if !flags.isEmpty, !variables.isEmpty {
            var layer = SettingsOverrides()
            layer.variables = variables
            layers.append(layer)
        }
        return isEmpty ? layers : layers + [SettingsOverrides()]
    }

    init(flags: [String], environment: [[UInt8]], _ faults: SettingsFaults) {
        var seen: [String] = []
        for text in flags {
            faults.attempt { () throws(CommandFailure) in try take(flag: text, &seen) }
        }
        for variable in environment {
            faults.attempt { () throws(CommandFailure) in try take(variable: variable, &seen) }
        }
    }

    // MARK: - Flags

    private mutating func take(flag text: String, _ seen: inout [String]) throws(CommandFailure) {
        guard let equals = text.utf8.firstIndex(of: UInt8(ascii: "=")) else {
            throw .usage("--set takes NAME=VALUE, such as limits.connections=100, not \(Excerpt.word(text))")
        }
        let path = String(text[..<equals])
        guard let setting = Setting.named(path), setting.isSettable else { throw Self.unknown(flag: path) }
        guard !seen.containsBytes(of: path) else { throw .usage("--set \(path) is given twice") }
        seen.append(path)
        let isJSON = setting.isArray
        let source = SettingsSource.flag(path: path, isJSON: isJSON)
        flags[path] = Entry(
            value: try Self.value(String(text[text.utf8.index(after: equals)...]), setting, source), source: source)
    }

    private static func unknown(flag path: String) -> CommandFailure {
        let settable = Setting.all.filter(\.isSettable).map(\.path)
        let nearest = NearestName.of(path, among: settable)
        let name = UnknownName.quote(path, isSlip: nearest != nil || Setting.named(path) != nil)
        if let setting = Setting.named(path) {
            let whole = setting.path.utf8.contains(UInt8(ascii: "["))
            return .usage(
                whole
                    ? "--set: \(name) stands in an array: set the array as a whole, or use the file"
                    : "--set: \(name) is an object: set its members one by one")
        }
        guard let nearest else {
            return .usage("--set: there is no setting \(name); 'postern settings' lists all")
        }
        return .usage("--set: there is no setting \(name): is \(nearest) meant?")
    }

    // MARK: - Variables

    private mutating func take(variable entry: [UInt8], _ seen: inout [String]) throws(CommandFailure) {
        let nameBytes = entry.prefix { $0 != UInt8(ascii: "=") }
        guard nameBytes.starts(with: SettingsVariables.prefix.utf8) else { return }
        let name = String(decoding: nameBytes, as: UTF8.self)
        guard let setting = Setting.all.first(where: { $0.isSettable && $0.variable.isSameBytes(as: name) }) else {
            if SettingsVariables.isForeign(name) { return }
            throw SettingsVariables.unknown(name)
        }
        let source = SettingsSource.variable(name, isJSON: setting.isArray)
        func failure(_ message: String) -> CommandFailure {
            .settings([SettingsFault(source: source, message: message)])
        }
        guard !seen.containsBytes(of: name) else { throw failure("is in the environment twice") }
        seen.append(name)
        guard let text = String(validating: entry.dropFirst(nameBytes.count + 1), as: UTF8.self) else {
            throw failure("is not UTF-8")
        }
        variables[setting.path] = Entry(value: try Self.value(text, setting, source), source: source)
    }

    // MARK: - Values

    /// The value that a text stands for. Whether it fits is for those to say who read the file too.
    private static func value(
        _ text: String,
        _ setting: Setting,
        _ source: SettingsSource
    ) throws(CommandFailure) -> JSONValue {
        do throws(JSONError) {
            if setting.isArray { return try JSONDocument(settings: Array(text.utf8)).root }
            if !setting.isText, let read = try? JSONDocument(text).root, [.number, .bool].contains(read.kind),
                // As it stands, without spaces around it.
                read.text.isSameBytes(as: text)
            {
                return read
            }
            return try JSONDocument(JSONOutput.string(text).text()).root
        } catch {
            throw .settings([source.fault(error)])
        }
    }
}

extension Setting {
    var isArray: Bool {
        switch form {
        case .texts, .objects: true
        case .text, .flag, .number, .object: false
        }
    }

    fileprivate var isText: Bool {
        if case .text = form { return true }
        return false
    }
}
