internal import PosternBase

/// The settings that count, each with where it comes from.
struct EffectiveSettings {
    private static let masked = JSONOutput.string("(masked)")
    static let standardWord = "default"

    /// A file of settings.
    private(set) var text = "{\n"
    /// One object for each setting.
    private(set) var list: [JSONOutput] = []
    /// What counts where nothing is said and the table has no value, by the path.
    private let found: [String: JSONOutput]

    init(_ settings: ServeSettings) {
        found = Self.found(settings)
        add(settings.object, pattern: "", depth: 1)
        text += "}\n"
    }

    /// `object` is nil where nobody wrote one.
    private mutating func add(_ object: SettingsObject?, pattern: String, depth: Int) {
        for setting in Setting.members(of: pattern) {
            let name = setting.parts.name
            if case .object = setting.form {
                let member = (try? object?.object(name)) ?? nil
                line("\"\(name)\": {", depth, source(of: object?.entry(name)))
                add(member, pattern: setting.path, depth: depth + 1)
                line("},", depth)
            } else if let object, let entry = object.entry(name) {
                add(setting, entry, object, depth)
            } else {
                addStandard(setting, object?.full(name) ?? setting.path, depth)
            }
        }
    }

    private mutating func add(
        _ setting: Setting,
        _ entry: SettingsOverrides.Entry,
        _ object: SettingsObject,
        _ depth: Int
    ) {
        let name = setting.parts.name
        guard case .objects = setting.form else {
            let value = setting.isSecret ? Self.masked : JSONOutput.value(entry.value)
            line("\"\(name)\": \(value.text()),", depth, source(of: entry))
            note(object.full(name), value, source(of: entry), setting)
            return
        }
        line("\"\(name)\": [", depth, source(of: entry))
        for element in (try? object.objects(name)) ?? [] {
            line("{", depth + 1)
            add(element, pattern: element.pattern, depth: depth + 2)
            line("},", depth + 1)
        }
        line("],", depth)
    }

    /// As a comment: what counts unsaid has no meaning in some places when it is said. What was left out for another setting, or is
    /// for others, does not count at all.
    private mutating func addStandard(_ setting: Setting, _ path: String, _ depth: Int) {
        guard !setting.isRequired, !setting.isAlternative else { return }
        let value = found[path] ?? setting.standardValue.flatMap { try? JSONDocument($0).root }.map { .value($0) }
        line(
            "// \"\(setting.parts.name)\": \(value?.text() ?? setting.standard)", depth, "(\(Self.standardWord))",
            comment: " ")
        note(path, value ?? .null, nil, setting)
    }

    private func source(of entry: SettingsOverrides.Entry?) -> String? {
        entry.flatMap { $0.source.words(for: $0.value) }
    }

    private mutating func line(_ words: String, _ depth: Int, _ source: String? = nil, comment: String = "  // ") {
        text += String(repeating: "  ", count: depth) + words + (source.map { comment + $0 } ?? "") + "\n"
    }

    private mutating func note(_ path: String, _ value: JSONOutput, _ source: String?, _ setting: Setting) {
        list.append(
            .object([
                ("setting", .string(path)), ("value", value), ("source", .string(source ?? Self.standardWord)),
                ("default", .string(setting.standard)),
            ]))
    }
}

extension Setting {
    /// Whether it must be said, in whatever circumstances.
    var isRequired: Bool { standard.isSameBytes(as: "required") }

    /// Whether it is said in place of others, or for some only.
    fileprivate var isAlternative: Bool {
        standard.isSameBytes(as: Self.oneOfThree)
            || ["required for ", "required with ", "this or "].contains { standard.utf8.starts(with: $0.utf8) }
    }
}
