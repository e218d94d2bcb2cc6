import Foundation
import PosternTestSupport
import Testing

/// What holds of the whole public interface, by its list; `make api-check` compares the list with the sources.
@Suite struct PublicListTests {
    private static func lines() throws -> [String] {
        try String(contentsOf: TestPaths.package.appending(path: "Docs/PublicAPI.txt"), encoding: .utf8)
            .components(separatedBy: "\n").filter { !$0.isEmpty }
    }

    private static func types() throws -> [String] { try lines().filter { !$0.hasPrefix(" ") } }

    @Test func everyTypeIsSendable() throws {
        let types = try Self.types()
        #expect(types.count > 40)
        for type in types {
            let protocols = type.components(separatedBy: " : ").dropFirst().joined()
            #expect(protocols.components(separatedBy: ", ").contains("Sendable"), "\(type)")
        }
    }

    @Test func whateverThrowsSaysWhat() throws {
        let throwing = try Self.lines().filter { $0.contains("throws") }
        #expect(throwing.count > 15)
        for line in throwing { #expect(!line.contains("throws ") && !line.contains("any Error"), "\(line)") }
    }

    /// No C, no Foundation and no pointer reaches a user.
    @Test func nothingForeignShowsThrough() throws {
        for line in try Self.lines() {
            for word in ["Pointer", "Data", "URL(", "Date", "CInt"] { #expect(!line.contains(word), "\(line)") }
        }
    }

    @Test func theReferenceLeavesNoTypeOut() throws {
        let page = try String(
            contentsOf: TestPaths.package.appending(path: "Docs/Postern.docc/Postern.md"),
            encoding: .utf8
        )
        let linked = Set(
            page.components(separatedBy: "\n").filter { $0.hasPrefix("- ``") }.map {
                $0.replacingOccurrences(of: "- ``", with: "").replacingOccurrences(of: "``", with: "")
            }
        )
        let names = try Self.types().compactMap { line in
            line.components(separatedBy: " : ")[0].components(separatedBy: " ").last
        }
        #expect(linked == Set(names.filter { !$0.contains(".") }))
    }
}
