import Foundation
import PosternTestSupport
import Testing

/// What stands in running text: commands and options that there are, targets of `make`, links that lead somewhere.
@Suite struct DocumentTextTests {
    /// The text of a document without its blocks.
    private static func prose(_ file: String) throws -> [String] {
        let text = try String(contentsOf: TestPaths.package.appending(path: file), encoding: .utf8)
        return text.components(separatedBy: "```").enumerated().filter { $0.offset % 2 == 0 }.map(\.element)
    }

    /// All that is between backquotes.
    private static func spans() throws -> [(file: String, text: String)] {
        try DocumentBlock.files().flatMap { file in
            try prose(file).flatMap { part in
                part.components(separatedBy: "`").enumerated().filter { $0.offset % 2 == 1 }.map { (file, $0.element) }
            }
        }
    }

    /// The options of each command.
    private static func commands() throws -> [String: Set<String>] {
        let json = try Invocation.run(["help", "--format", "json"]).json()
        let commands = try #require(json["commands"] as? [[String: Any]])
        return commands.reduce(into: [:]) { result, command in
            let options = command["options"] as? [[String: Any]] ?? []
            result[command["command"] as? String ?? ""] = Set(options.compactMap { $0["option"] as? String })
        }
    }

    @Test func everyCommandAndOptionIsOne() throws {
        let commands = try Self.commands()
        let all = commands.values.reduce(Set(["--version"])) { $0.union($1) }
        var count = 0
        for (file, span) in try Self.spans() where span.hasPrefix("postern ") {
            let words = span.dropFirst(8).prefix { $0 != "|" }.split(whereSeparator: \.isWhitespace).map(String.init)
            guard let first = words.first, !first.hasPrefix("-") else { continue }
            let names = [words.prefix(2).joined(separator: " "), first]
            // The first word of several commands stands for all of them.
            let group = commands.filter { $0.key.hasPrefix("\(first) ") }.values.reduce(Set<String>()) { $0.union($1) }
            let options = names.lazy.compactMap { commands[$0] }.first ?? (group.isEmpty ? nil : group)
            #expect(options != nil, "\(file): there is no `\(span)`")
            for word in words where word.hasPrefix("--") {
                let option = String(word.prefix { $0 != "=" })
                #expect(options?.contains(option) == true, "\(file): `\(span)` has no \(option)")
            }
            count += 1
        }
        // Options without a command belong to the one that the text is about; the generator of vectors has its own.
        for (file, span) in try Self.spans() where span.hasPrefix("--") && file != "TestVectors/README.md" {
            let option = String(span.prefix { $0 != " " && $0 != "=" })
            #expect(all.contains(option), "\(file): no command has `\(span)`")
        }
        #expect(count > 40)
    }

    @Test func everyTargetIsOne() throws {
        let make = try String(contentsOf: TestPaths.package.appending(path: "Makefile"), encoding: .utf8)
        for (file, span) in try Self.spans() where span.hasPrefix("make ") {
            let target = span.dropFirst(5).prefix { $0 != " " }
            #expect(make.contains("\n\(target):"), "\(file): there is no `\(span)`")
        }
    }

    @Test func everyLinkLeadsSomewhere() throws {
        var count = 0
        for file in try DocumentBlock.files() {
            let folder = TestPaths.package.appending(path: file).deletingLastPathComponent()
            for match in try Self.prose(file).joined().matches(of: /\]\(([^)\s]+)\)/) {
                let link = String(match.output.1)
                guard !link.contains("://") else { continue }
                let parts = link.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
                let target =
                    parts[0].isEmpty ? TestPaths.package.appending(path: file) : folder.appending(path: parts[0])
                #expect(FileManager.default.fileExists(atPath: target.path), "\(file): \(link)")
                count += 1
                guard parts.count > 1 else { continue }
                let text = try String(contentsOf: target, encoding: .utf8)
                #expect(Self.anchors(text).contains(parts[1]), "\(file): \(link)")
            }
        }
        #expect(count > 60)
    }

    /// As GitHub names headings.
    private static func anchors(_ text: String) -> Set<String> {
        Set(
            text.components(separatedBy: "\n").filter { $0.hasPrefix("#") }.map { heading in
                let words = heading.drop { $0 == "#" }.trimmingCharacters(in: .whitespaces).lowercased()
                return String(words.filter { $0.isLetter || $0.isNumber || $0 == "-" || $0 == "_" || $0 == " " })
                    .replacingOccurrences(of: " ", with: "-")
            })
    }
}
