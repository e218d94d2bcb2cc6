/// A file to start from: every setting with what it means, most of them commented out.
enum InitialSettings {
    private static let width = 100
    /// What is there without being commented in; the rest of what must be said comes with these.
    private static let active = [
        "providers", "providers[].provider", "providers[].audiences", "providers[].audiences[].client_id",
        "providers[].audiences[].nonce", "listeners", "listeners[].unix", "nonces", "limits", "log",
        // Open, so that three lines turn it on.
        "accounts", "accounts.sessions", "accounts.passwords", "accounts.attempts", "accounts.attempts_by_address",
        // In a block that is commented out as a whole.
        "api_keys[].name", "api_keys[].sha256",
    ]

    static var text: String {
        let head = [
            "// Settings of postern, made by 'postern config --init'. Put your own values where it says \(Placeholder.start), take the",
            "// slashes before what else you want to change, and ask 'postern check-config --config FILE' whether all is well.",
            "// What is commented out is an example; what counts without it is said above it. Accounts and sessions are on as soon as data,",
            "// master_key_file ('postern keys master FILE' makes it) and issuer of \"accounts\" are there.", "{",
        ]
        return (head + members(of: "", depth: 1) + ["}"]).joined(separator: "\n") + "\n"
    }

    private static func members(of object: String, depth: Int) -> [String] {
        Setting.members(of: object).flatMap { setting in
            words(setting, depth) + value(setting, depth)
        }
    }

    private static func words(_ setting: Setting, _ depth: Int) -> [String] {
        let standard = setting.isRequired ? "required" : "unless said: \(setting.standard)"
        let words = "\(setting.meaning) (\(setting.formWords); \(standard))"
        let lines = Layout.wrap(words, width: width - 2 * depth) + (setting.path == "listeners" ? handedOver : [])
        return lines.map { margin(depth) + "// \($0)" }
    }

    /// The socket that the file names is one that another program has there.
    private static let handedOver = [
        "With the units of the Debian package postern.socket opens /run/postern/postern.sock. In place of all that follows say",
        #"then: "listeners": [{ "inherited": 0, "doors": ["native", "operations"] }],"#,
    ]

    private static func value(_ setting: Setting, _ depth: Int) -> [String] {
        let lines = body(setting, depth)
        guard !active.contains(setting.path) else { return lines }
        return lines.map { "\(margin(depth))// \($0.dropFirst(2 * depth))" }
    }

    private static func body(_ setting: Setting, _ depth: Int) -> [String] {
        let start = "\(margin(depth))\"\(setting.parts.name)\": "
        switch setting.form {
        case .object:
            return ["\(start){"] + members(of: setting.path, depth: depth + 1) + ["\(margin(depth))},"]
        case .objects:
            return ["\(start)[", "\(margin(depth + 1)){"] + members(of: "\(setting.path)[]", depth: depth + 2)
                + ["\(margin(depth + 1))},", "\(margin(depth))],"]
        case .text, .flag, .number, .texts: return ["\(start)\(setting.example),"]
        }
    }

    private static func margin(_ depth: Int) -> String { String(repeating: "  ", count: depth) }
}
