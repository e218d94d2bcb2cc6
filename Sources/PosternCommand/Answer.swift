internal import PosternBase

/// What a command has to say, in both forms; only `Program` writes it.
struct Answer {
    enum Format: String, CaseIterable { case text, json }

    let status: ExitStatus
    let json: JSONOutput
    /// Lines, the last one ended too.
    let text: (Style) -> String

    func output(_ format: Format, _ style: Style) -> String {
        switch format {
        case .text: text(style)
        case .json: json.text() + "\n"
        }
    }
}
