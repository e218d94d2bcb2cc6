internal import PosternBase

/// An object of the settings. Members that are not in the table are refused, and every mistake is told with its place.
struct SettingsObject {
    let value: JSONValue
    /// Where it stands, such as `providers[0]`; empty for the whole.
    let path: String
    /// The same as the table writes it, such as `providers[]`.
    private let pattern: String
    private let file: String

    /// The whole of a file, which messages call `file`.
    init(_ root: JSONValue, file: String) throws(CommandFailure) {
        try self.init(root, path: "", pattern: "", file: file)
    }

    private init(_ value: JSONValue, path: String, pattern: String, file: String) throws(CommandFailure) {
        self.value = value
        self.path = path
        self.pattern = pattern
        self.file = file
        guard value.kind == .object else {
            throw failure(
                value, "\(path.isEmpty ? "the settings" : path) must be an object, not \(value.kind.settingsWord)")
        }
        let known = Setting.names(in: pattern)
        for (name, _) in value.namedMembers where !known.containsBytes(of: name.string ?? "") {
            let shown = Excerpt.quote(name.string ?? "")
            throw failure(
                name,
                "there is no setting \(shown) \(path.isEmpty ? "here" : "in \(path)"); those known are \(known.joined(separator: ", "))"
            )
        }
    }

    // MARK: - Mistakes

    /// `what` is wrong at the place of `value`.
    func failure(_ value: JSONValue, _ what: String) -> CommandFailure {
        let (line, column) = value.place
        return .trouble("\(file):\(line):\(column): \(what)")
    }

    /// What is wrong with the member, or with the object where it is not there.
    func failure(_ name: String, _ what: String) -> CommandFailure {
        failure(value[name] ?? value, "\(full(name)) \(what)")
    }

    func missing(_ name: String, _ advice: String = "") -> CommandFailure {
        failure(value, "\(full(name)) is missing\(advice)")
    }

    func full(_ name: String) -> String { path.isEmpty ? name : "\(path).\(name)" }

    // MARK: - Members

    func has(_ name: String) -> Bool { value[name] != nil }

    private func misfit(_ name: String, _ found: JSONValue) -> CommandFailure {
        let wanted = setting(name)?.formWords ?? "something else"
        return failure(found, "\(full(name)) must be \(Self.article(wanted)), not \(found.kind.settingsWord)")
    }

    private func setting(_ name: String) -> Setting? { Setting.named(pattern.isEmpty ? name : "\(pattern).\(name)") }

    private static func article(_ words: String) -> String {
        ("aeiou".utf8.contains(words.utf8.first ?? 0) ? "an " : "a ") + words
    }

    func text(_ name: String) throws(CommandFailure) -> String? {
        guard let found = value[name] else { return nil }
        guard let text = found.string else { throw misfit(name, found) }
        return text
    }

    /// A text that must be there and say something.
    func required(_ name: String) throws(CommandFailure) -> String {
        guard let text = try text(name) else { throw missing(name) }
        guard !text.isEmpty else { throw failure(name, "is empty") }
        return text
    }

    func flag(_ name: String) throws(CommandFailure) -> Bool {
        guard let found = value[name] else { return false }
        guard let flag = found.bool else { throw misfit(name, found) }
        return flag
    }

    /// A number in the range of the table.
    func number(_ name: String) throws(CommandFailure) -> Int64? {
        guard let found = value[name] else { return nil }
        guard found.kind == .number, let number = found.integer, case .number(let range) = setting(name)?.form,
            range.contains(number)
        else { throw misfit(name, found) }
        return number
    }

    func texts(_ name: String) throws(CommandFailure) -> [String]? {
        guard let found = value[name] else { return nil }
        guard let elements = found.elements else { throw misfit(name, found) }
        var texts: [String] = []
        for element in elements {
            guard let text = element.string else { throw misfit(name, element) }
            guard !texts.containsBytes(of: text) else {
                throw failure(element, "\(Excerpt.quote(text)) stands twice in \(full(name))")
            }
            texts.append(text)
        }
        return texts
    }

    func object(_ name: String) throws(CommandFailure) -> SettingsObject? {
        guard let found = value[name] else { return nil }
        return try SettingsObject(
            found, path: full(name), pattern: pattern.isEmpty ? name : "\(pattern).\(name)", file: file)
    }

    func objects(_ name: String) throws(CommandFailure) -> [SettingsObject]? {
        guard let found = value[name] else { return nil }
        guard let elements = found.elements else { throw misfit(name, found) }
        var objects: [SettingsObject] = []
        for (place, element) in elements.enumerated() {
            let pattern = pattern.isEmpty ? "\(name)[]" : "\(pattern).\(name)[]"
            objects.append(try SettingsObject(element, path: "\(full(name))[\(place)]", pattern: pattern, file: file))
        }
        return objects
    }

    /// One of some words.
    func word<Word: RawRepresentable & CaseIterable>(
        _ name: String,
        _ type: Word.Type
    ) throws(CommandFailure) -> Word? where Word.RawValue == String {
        guard let text = try text(name) else { return nil }
        guard let word = Word.allCases.first(where: { $0.rawValue.isSameBytes(as: text) }) else {
            let words = Word.allCases.map(\.rawValue).joined(separator: ", ")
            throw failure(name, "must be one of \(words), not \(Excerpt.word(text))")
        }
        return word
    }

    /// The absolute path of a file: a daemon's own folder is not one that people think of.
    func path(_ name: String) throws(CommandFailure) -> String? {
        guard let path = try text(name) else { return nil }
        guard path.utf8.first == 0x2F, !path.utf8.contains(0) else {
            throw failure(name, "must be an absolute path, which begins with a slash")
        }
        return path
    }
}

extension JSONValue.Kind {
    var settingsWord: String {
        switch self {
        case .object: "an object"
        case .array: "an array"
        case .string: "a string"
        case .number: "this number"
        case .bool: "true or false"
        case .null: "null"
        }
    }
}
