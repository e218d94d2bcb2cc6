/// The language of manual pages (groff_man(7)), as far as they need it.
struct Roff {
    private(set) var text: String
    private var isAfterHead = false

    /// `date`: of what it describes, so that a page says the same whenever it was made.
    init(title: String, section: Int, date: String, source: String, manual: String) {
        // The date as it is: readers take it apart, and know no escaped dash there.
        text = ".TH \(Self.quoted(title)) \"\(section)\" \"\(date)\" \(Self.quoted(source)) \(Self.quoted(manual))\n"
        // Programs are not set like prose: no hyphens, no straightened margin.
        text += ".nh\n.ad l\n"
    }

    mutating func section(_ name: String) { head("SH", name) }

    mutating func subsection(_ name: String) { head("SS", name) }

    /// The one line of a section such as NAME.
    mutating func words(_ words: String) {
        text += Self.filled(words)
        isAfterHead = false
    }

    mutating func paragraph(_ words: String) {
        startParagraph()
        text += Self.filled(words)
    }

    /// A term and what it means, indented.
    mutating func item(_ term: String, _ meaning: [String]) {
        isAfterHead = false
        text += ".TP\n.B \(Self.quoted(term))\n"
        text += meaning.map(Self.filled).joined(separator: ".br\n")
    }

    /// A line that stands as it is, such as a synopsis.
    mutating func line(bold: String, _ rest: String) {
        startParagraph()
        text += "\\fB\(Self.escaped(bold))\\fR \(Self.escaped(rest))\n"
    }

    /// Lines of an example, none of them filled.
    mutating func example(_ lines: [String]) {
        startParagraph()
        text += ".EX\n\(lines.map { Self.escaped($0) + "\n" }.joined()).EE\n"
    }

    private mutating func head(_ name: String, _ title: String) {
        text += ".\(name) \(Self.quoted(title))\n"
        isAfterHead = true
    }

    /// A heading begins a paragraph itself.
    private mutating func startParagraph() {
        if !isAfterHead { text += ".PP\n" }
        isAfterHead = false
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
