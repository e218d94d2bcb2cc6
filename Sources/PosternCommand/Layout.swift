internal import PosternBase

/// Text in columns.
enum Layout {
    /// The text with spaces up to `width`.
    static func pad(_ text: String, _ width: Int) -> String {
        text + String(repeating: " ", count: max(0, width - text.unicodeScalars.count))
    }

    /// Rows with their columns aligned, each a line, two spaces before it.
    static func table(_ rows: [[String]]) -> String {
        var widths: [Int] = []
        for row in rows {
            for (column, cell) in row.enumerated() {
                if column == widths.count { widths.append(0) }
                widths[column] = max(widths[column], cell.unicodeScalars.count)
            }
        }
        return rows.map { row in
            let cells = row.enumerated().map { column, cell in
                column == row.count - 1 ? cell : pad(cell, widths[column])
            }
            return "  \(cells.joined(separator: "  "))\n"
        }.joined()
    }

    /// A line for each name and what it stands for, fit to print.
    static func lines(_ rows: [(name: String, text: String)]) -> String {
        let width = rows.map(\.name.utf8.count).max() ?? 0
        return rows.map { "\(pad($0.name, width))  \(plain($0.text))\n" }.joined()
    }

    /// The words of `text` in lines of at most `width`, where words allow it.
    static func wrap(_ text: String, width: Int) -> [String] {
        var lines: [String] = []
        var line = ""
        for word in text.split(separator: " ") {
            if !line.isEmpty, line.unicodeScalars.count + 1 + word.unicodeScalars.count > width {
                lines.append(line)
                line = ""
            }
            line += line.isEmpty ? String(word) : " \(word)"
        }
        return line.isEmpty ? lines : lines + [line]
    }

    /// Text from outside for an answer: harmless to a terminal, and longer than in messages, since a subject must not be cut.
    static func plain(_ text: String) -> String { Excerpt.plain(text, maximumCount: 1000) }
}
