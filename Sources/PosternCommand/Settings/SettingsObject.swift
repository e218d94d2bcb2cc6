internal import PosternBase

/// An object of the settings, with what variables and flags say over it. Every mistake is told with its place.
struct SettingsObject {
    let value: JSONValue
    /// Where it stands, such as `providers[0]`; empty for the whole.
    let path: String
    /// The same as the table writes it, such as `providers[]`.
    let pattern: String
    let source: SettingsSource
    private let overrides: SettingsOverrides

    /// The whole.
    init(
        _ root: JSONValue,
        source: SettingsSource,
        overrides: SettingsOverrides = SettingsOverrides()
    ) throws(CommandFailure) {
        try self.init(root, path: "", pattern: "", source, overrides)
    }

    private init(
        _ value: JSONValue,
        path: String,
        pattern: String,
        _ source: SettingsSource,
        _ overrides: SettingsOverrides
    ) throws(CommandFailure) {
        self.value = value
        self.path = path
        self.pattern = pattern
        self.source = source
        self.overrides = overrides
        guard value.kind == .object else {
            throw failure(
                value, "\(path.isEmpty ? "the settings" : path) must be an object, not \(value.kind.settingsWord)")
        }
    }

    /// The same without the flags, and without the variables too.
    var below: [SettingsObject] {
        overrides.below.compactMap { try? SettingsObject(value, path: path, pattern: pattern, source, $0) }
    }

    // MARK: - Mistakes

    /// `what` is wrong at the place of `value`, which stands where the object does.
    func failure(_ value: JSONValue, _ what: String) -> CommandFailure { .settings([source.fault(value, what)]) }

    /// What is wrong with the object as a whole, in the words of those who were to work with it.
    func failure(of words: String) -> CommandFailure { failure(value, "\(path): \(words)") }

    /// What is wrong with the member, or with the object where it is not there.
    func failure(_ name: String, _ what: String) -> CommandFailure { failure(name, whole: "\(full(name)) \(what)") }

    /// The same in a sentence that names the member itself.
    func failure(_ name: String, whole sentence: String) -> CommandFailure {
        let entry = entry(name) ?? SettingsOverrides.Entry(value: value, source: source)
        return .settings([entry.source.fault(entry.value, sentence)])
    }

    func missing(_ name: String, _ advice: String = "") -> CommandFailure {
        failure(value, "\(full(name)) is missing\(advice)")
    }

    private func misfit(_ name: String, _ entry: SettingsOverrides.Entry, _ found: JSONValue) -> CommandFailure {
        let wanted = setting(name)?.formWords ?? "something else"
        let given =
            switch found.kind {
            case .string where entry.source.isWord: Excerpt.word(found.string ?? "")
            case .number: Excerpt.plain(found.text, maximumCount: 32)
            default: found.kind.settingsWord
            }
        return .settings([
            entry.source.fault(found, "\(full(name)) must be \(Self.article(wanted)), not \(given)")
        ])
    }

    private static func article(_ words: String) -> String {
        ("aeiou".utf8.contains(words.utf8.first ?? 0) ? "an " : "a ") + words
    }

    // MARK: - Members

    func full(_ name: String) -> String { path.isEmpty ? name : "\(path).\(name)" }

    private func patternOf(_ name: String) -> String { pattern.isEmpty ? name : "\(pattern).\(name)" }

    private func setting(_ name: String) -> Setting? { Setting.named(patternOf(name)) }

    /// What is said of the member, and where: by a flag, by a variable, or here.
    func entry(_ name: String) -> SettingsOverrides.Entry? {
        overrides[patternOf(name)] ?? value[name].map { SettingsOverrides.Entry(value: $0, source: source) }
    }

    func has(_ name: String) -> Bool { entry(name) != nil }

    func text(_ name: String) throws(CommandFailure) -> String? {
        guard let entry = entry(name) else { return nil }
        guard let text = entry.value.string else { throw misfit(name, entry, entry.value) }
        guard !Placeholder.isOne(text) else {
            throw failure(name, "still says \(Excerpt.quote(Placeholder.start)): put your own value there")
        }
        return text
    }

    /// A text that must be there and say something.
    func required(_ name: String) throws(CommandFailure) -> String {
        guard let text = try text(name) else { throw missing(name) }
        guard !text.isEmpty else { throw failure(name, "is empty") }
        return text
    }

    func flag(_ name: String, unlessSaid standard: Bool = false) throws(CommandFailure) -> Bool {
        guard let entry = entry(name) else { return standard }
        guard let flag = entry.value.bool else { throw misfit(name, entry, entry.value) }
        return flag
    }

    /// A number in the range of the table.
    func number(_ name: String) throws(CommandFailure) -> Int64? {
        guard let entry = entry(name) else { return nil }
        guard entry.value.kind == .number, let number = entry.value.integer,
            case .number(let range, _) = setting(name)?.form, range.contains(number)
        else { throw misfit(name, entry, entry.value) }
        return number
    }

    func texts(_ name: String) throws(CommandFailure) -> [String]? {
        guard let entry = entry(name) else { return nil }
        guard let elements = entry.value.elements else { throw misfit(name, entry, entry.value) }
        var texts: [String] = []
        for element in elements {
            guard let text = element.string else { throw misfit(name, entry, element) }
            guard !texts.containsBytes(of: text) else {
                throw .settings([
                    entry.source.fault(element, "\(Excerpt.quote(text)) stands twice in \(full(name))")
                ])
            }
            texts.append(text)
        }
        return texts
    }

    func object(_ name: String) throws(CommandFailure) -> SettingsObject? {
        let pattern = patternOf(name)
        guard let found = value[name] else {
            // Nothing is said over what stands in an array.
            guard !pattern.contains("["), overrides.hasMembers(of: pattern), let empty = SettingsFile.empty else {
                return nil
            }
            return try SettingsObject(empty, path: full(name), pattern: pattern, .nowhere, overrides)
        }
        return try SettingsObject(found, path: full(name), pattern: pattern, source, overrides)
    }

    func objects(_ name: String) throws(CommandFailure) -> [SettingsObject]? {
        guard let entry = entry(name) else { return nil }
        guard let elements = entry.value.elements else { throw misfit(name, entry, entry.value) }
        var objects: [SettingsObject] = []
        var failures: [SettingsFault] = []
        for (place, element) in elements.enumerated() {
            do throws(CommandFailure) {
                objects.append(
                    try SettingsObject(
                        element, path: "\(full(name))[\(place)]", pattern: "\(patternOf(name))[]", entry.source,
                        overrides))
            } catch {
                failures += error.faults
            }
        }
        guard failures.isEmpty else { throw .settings(failures) }
        return objects
    }

    /// One of some words.
    func word<Word: RawRepresentable & CaseIterable>(
        _ name: String,
        _ type: Word.Type
    ) throws(CommandFailure) -> Word? where Word.RawValue == String {
        guard let text = try text(name) else { return nil }
        guard let word = Word.allCases.first(where: { $0.rawValue.isSameBytes(as: text) }) else {
            throw noneOf(Word.allCases.map(\.rawValue), name, text)
        }
        return word
    }

    func noneOf(_ words: [String], _ name: String, _ text: String) -> CommandFailure {
        let hint = NearestName.of(text, among: words).map { ": is \($0) meant?" } ?? ""
        return failure(name, "must be one of \(words.joined(separator: ", ")), not \(Excerpt.word(text))\(hint)")
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
