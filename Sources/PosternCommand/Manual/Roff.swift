/// The language of manual pages (groff_man(7)), as far as they need it.
struct Roff {
    private(set) var text = ""

    /// `date`: of what it describes, so that a page says the same whenever it was made.
    init(title: String, section: Int, date: String, source: String, manual: String) {
        request("TH", title, "\(section)", date, source, manual)
        // Programs are not set like prose: no hyphens, no straightened margin.
        text += ".nh\n.ad l\n"
    }

    mutating func section(_ name: String) { request("SH", name) }

    mutating func subsection(_ name: String) { request("SS", name) }

    /// The one line of a section such as NAME.
    mutating func words(_ words: String) { text += Self.filled(words) }

    mutating func paragraph(_ words: String) { text += ".PP\n\(Self.filled(words))" }

    /// A term and what it means, indented.
    mutating func item(_ term: String, _ meaning: [String]) {
        text += ".TP\n.B \(Self.quoted(term))\n"
        text += meaning.map(Self.filled).joined(separator: ".br\n")
    }

    /// A line that stands as it is, such as a synopsis.
    mutating func line(bold: String, _ rest: String) {
        text += ".PP\n\\fB\(Self.escaped(bold))\\fR \(Self.escaped(rest))\n"
    }

    /// Lines of an example, none of them filled.
    mutating func example(_ lines: [String]) {
        text += ".PP\n.EX\n\(lines.map { Self.escaped($0) + "\n" }.joined()).EE\n"
    }

    private mutating func request(_ name: String, _ arguments: String...) {
        text += ".\(name) \(arguments.map(Self.quoted).joined(separator: " "))\n"
    }

    private static func quoted(_ argument: String) -> String {
        "\"\(escaped(argument).replacing("\"", with: "\\(dq"))\""
    }

    /// Prose in lines of a usual length.
    private static func filled(_ words: String) -> String {
        escaped(Layout.wrap(words, width: 72).joined(separator: "\n")) + "\n"
    }

    /// A text that stands for itself: a dash stays what can be copied, and no line begins a request.
    static func escaped(_ text: String) -> String {
        let plain = text.replacing("\\", with: "\\e").replacing("-", with: "\\-")
        return plain.split(separator: "\n", omittingEmptySubsequences: false).map { line in
            line.hasPrefix(".") || line.hasPrefix("'") ? "\\&\(line)" : String(line)
        }.joined(separator: "\n")
    }
}
