import Foundation
import PosternTestSupport
import Testing

/// The README's Swift is that which is compiled elsewhere: in these tests, and by `make example`.
@Suite struct ReadmeTests {
    private static func text(_ path: String) throws -> String {
        try String(contentsOf: TestPaths.package.appending(path: path), encoding: .utf8)
    }

    private static func swiftBlocks() throws -> [String] {
        try text("README.md").components(separatedBy: "```swift\n").dropFirst().compactMap {
            $0.components(separatedBy: "```").first
        }
    }

    /// The code alone, since a comment or a line break says nothing to the compiler.
    private static func code(_ text: String) -> String {
        let lines = text.components(separatedBy: "\n").map { $0.components(separatedBy: "  //")[0] }
        return lines.joined().filter { !$0.isWhitespace }
    }

    @Test func theFirstLinesAreCompiledHere() throws {
        let blocks = try Self.swiftBlocks()
        let test = Self.code(try Self.text("Tests/PosternTests/SnippetTests.swift"))
        let lines = Self.code(try #require(blocks.first))
        let importLine = "importPostern"
        #expect(lines.hasPrefix(importLine) && test.hasPrefix(importLine))
        let calls = lines.dropFirst(importLine.count).components(separatedBy: "letidentity=")
        #expect(calls.count == 2)
        for call in calls.flatMap({ $0.components(separatedBy: "letverdict=") }) {
            #expect(test.contains(call), "\(call)")
        }
    }

    @Test func theProgramIsTheExample() throws {
        let blocks = try Self.swiftBlocks()
        #expect(blocks.count == 3)
        let manifest = try Self.text("Docs/Examples/Backend/Package.swift")
        #expect(blocks[1] == manifest.replacingOccurrences(of: "../../..", with: "../postern"))
        #expect(try blocks[2] == Self.text("Docs/Examples/Backend/Sources/Backend/main.swift"))
    }
}
