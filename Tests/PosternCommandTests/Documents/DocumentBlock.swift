import Foundation
import PosternTestSupport

/// A fenced block of a document.
struct DocumentBlock: Sendable, CustomStringConvertible {
    /// As seen from the folder of the repository.
    let file: String
    /// The first line of the block, counted from 1.
    let line: Int
    /// The word behind the fence; empty for commands.
    let language: String
    let text: String

    var firstLine: String { String(text.prefix { $0 != "\n" }) }
    var description: String { "\(file):\(line): \(firstLine)" }

    /// Of all documents of the repository, in their order.
    static func all() throws -> [DocumentBlock] { try files().flatMap(blocks) }

    static func files() throws -> [String] {
        let root = TestPaths.package
        func pages(_ folder: String) throws -> [String] {
            try FileManager.default.contentsOfDirectory(atPath: root.appending(path: folder).path)
                .filter { $0.hasSuffix(".md") }.sorted().map { folder.isEmpty ? $0 : "\(folder)/\($0)" }
        }
        return try ["", "Docs", "Docs/Postern.docc", "TestVectors"].flatMap(pages)
    }

    private static func blocks(of file: String) throws -> [DocumentBlock] {
        let text = try String(contentsOf: TestPaths.package.appending(path: file), encoding: .utf8)
        var blocks: [DocumentBlock] = []
        var open: (line: Int, language: String, lines: [String])?
        for (index, line) in text.components(separatedBy: "\n").enumerated() {
            if !line.hasPrefix("```") {
                open?.lines.append(line)
            } else if let found = open {
                let text = found.lines.map { $0 + "\n" }.joined()
                blocks.append(DocumentBlock(file: file, line: found.line, language: found.language, text: text))
                open = nil
            } else {
                open = (index + 2, String(line.dropFirst(3)), [])
            }
        }
        if open != nil { throw DaemonFailure(text: "\(file) has a fence without end") }
        return blocks
    }
}
