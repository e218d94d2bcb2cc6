internal import PosternBase

/// A member that settings may have. `Docs/Settings.md` lists the same, word for word, and what is not here is refused.
struct Setting: Sendable {
    enum Form: Sendable {
        case text
        case flag
        case number(ClosedRange<Int64>, of: String?)
        case texts
        case object
        case objects
    }

    /// Where it stands, such as `providers[].name`.
    let path: String
    let form: Form
    /// What counts when it is not said; `required` when it must be.
    let standard: String
    /// A value as JSON, for a file to start from; nil where what counts otherwise is one.
    private let ownExample: String?
    /// Whether it is shown to nobody who asks for the settings that count.
    let isSecret: Bool
    let meaning: String

    init(
        _ path: String,
        _ form: Form,
        unlessSaid standard: String,
        example: String? = nil,
        isSecret: Bool = false,
        _ meaning: String
    ) {
        self.path = path
        self.form = form
        self.standard = standard
        ownExample = example
        self.isSecret = isSecret
        self.meaning = meaning
    }

    /// The kind of value, for documents and messages.
    var formWords: String {
        switch form {
        case .text: "string"
        case .flag: "boolean"
        case .number(let range, let unit):
            "number\(unit.map { " of \($0)" } ?? ""), \(range.lowerBound) to \(range.upperBound)"
        case .texts: "array of strings"
        case .object: "object"
        case .objects: "array of objects"
        }
    }

    /// The path of the object that it is a member of, and its name there.
    var parts: (object: String, name: String) {
        guard let dot = path.lastIndex(of: ".") else { return ("", path) }
        return (String(path[..<dot]), String(path[path.index(after: dot)...]))
    }

    static func named(_ path: String) -> Setting? { all.first { $0.path.isSameBytes(as: path) } }

    static func members(of object: String) -> [Setting] { all.filter { $0.parts.object == object } }

    static func names(in object: String) -> [String] { members(of: object).map(\.parts.name) }

    static let all: [Setting] =
        top + providers + audiences + listeners + keys + nonces + accounts + sessions + passwords + attempts + limits
        + log

    // MARK: - Values

    /// What counts when it is not said, as JSON, where that is one value.
    var standardValue: String? {
        switch form {
        case .number: DecimalDigits.value(of: standard).map { "\($0)" }
        case .flag: ["true", "false"].contains(standard) ? standard : nil
        case .text:
            standard.hasPrefix("`") && standard.dropFirst().firstIndex(of: "`") == standard.indices.last
                ? "\"\(standard.dropFirst().dropLast())\"" : nil
        case .texts, .object, .objects: nil
        }
    }

    /// A value as JSON that it may have.
    var example: String {
        if let value = ownExample ?? standardValue { return value }
        return switch form {
        case .text: "\"\""
        case .flag: "true"
        case .number(let range, _): "\(range.lowerBound)"
        case .texts, .objects: "[]"
        case .object: "{}"
        }
    }

    // MARK: - Elsewhere than in the file

    /// Whether variables and flags can say it: what is in no array, as it is, and each array as a whole.
    var isSettable: Bool {
        if case .object = form { return false }
        return !path.contains("[")
    }

    /// The variable of the environment that says it.
    var variable: String {
        let name = path.utf8.map { $0 == UInt8(ascii: ".") ? UInt8(ascii: "_") : $0.asciiUppercase }
        return "POSTERN_" + String(decoding: name, as: UTF8.self)
    }

    // MARK: - While the daemon runs

    private static let reloaded = [
        "providers", "api_keys", "limits.requests_per_second", "limits.burst", "limits.drain_seconds",
        "log.level", "log.requests", "accounts.confirmation", "accounts.sign_up_lifetime", "accounts.audit_retention",
    ]
    private static let reloadedObjects = [
        "accounts.sessions", "accounts.passwords", "accounts.attempts", "accounts.attempts_by_address",
    ]

    /// Whether SIGHUP takes it over; all others count from the next start on. nil for an object, whose members differ.
    var isReloaded: Bool? {
        if case .object = form { return nil }
        return Self.reloaded.contains { path == $0 || path.hasPrefix("\($0)[") }
            || Self.reloadedObjects.contains(parts.object)
    }

    /// From when on a change counts, for documents.
    var changeWords: String { isReloaded.map { $0 ? "reload" : "restart" } ?? "as below" }
}

extension UInt8 {
    fileprivate var asciiUppercase: UInt8 { (0x61...0x7A).contains(self) ? self & 0xDF : self }
}
