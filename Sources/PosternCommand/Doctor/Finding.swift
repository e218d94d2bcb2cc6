internal import PosternBase

/// One thing that was looked at, and how it is.
struct Finding {
    let diagnosis: Diagnosis
    /// What it is about, where there may be several: a provider, a path, an address.
    let subject: String?
    /// What was found, in words.
    let found: String

    init(_ diagnosis: Diagnosis, _ subject: String? = nil, _ found: String) {
        self.diagnosis = diagnosis
        self.subject = subject
        self.found = found
    }

    var json: JSONOutput {
        var members: [(String, JSONOutput)] = [
            ("code", .string(diagnosis.rawValue)), ("level", .string(diagnosis.level.rawValue)),
        ]
        if let subject { members.append(("subject", .string(subject))) }
        members.append(("found", .string(found)))
        if let advice = diagnosis.advice { members.append(("advice", .string(advice))) }
        return .object(members)
    }

    /// A line, and one more where something is to be done.
    func text(_ style: Style, codeWidth: Int) -> String {
        let word = Layout.pad(diagnosis.level.rawValue.uppercased(), Self.levelWidth)
        let painted =
            switch diagnosis.level {
            case .ok: style.good(word)
            case .warning: style.warning(word)
            case .problem: style.bad(word)
            }
        let about = subject.map { "\(Layout.plain($0)): " } ?? ""
        let line = "\(painted)  \(Layout.pad(diagnosis.rawValue, codeWidth))  \(about)\(Layout.plain(found))\n"
        guard let advice = diagnosis.advice else { return line }
        return line + String(repeating: " ", count: Self.levelWidth + 2 + codeWidth + 2) + advice + "\n"
    }

    private static let levelWidth = 7
}
