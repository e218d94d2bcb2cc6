internal import Glibc

/// How text for people is set off; plain unless a terminal shows it.
struct Style {
    let isColoured: Bool

    /// For standard output. See https://no-color.org for NO_COLOR.
    static func ofStandardOutput() -> Style {
        Style(
            isColoured: isatty(STDOUT_FILENO) == 1 && environment("NO_COLOR").isEmpty && canColour(environment("TERM")))
    }

    private static func canColour(_ terminal: [UInt8]) -> Bool {
        !terminal.isEmpty && !terminal.elementsEqual("dumb".utf8)
    }

    private static func environment(_ name: String) -> [UInt8] { getenv(name).map { RawArguments.bytes(of: $0) } ?? [] }

    func good(_ text: String) -> String { paint(text, "1;32") }
    func bad(_ text: String) -> String { paint(text, "1;31") }
    func warning(_ text: String) -> String { paint(text, "1;33") }
    func heading(_ text: String) -> String { paint(text, "1") }
    func faint(_ text: String) -> String { paint(text, "2") }

    private func paint(_ text: String, _ code: String) -> String {
        isColoured ? "\u{1B}[\(code)m\(text)\u{1B}[0m" : text
    }
}
