import Foundation
import PosternHTTPServer
import PosternTestSupport
import Testing

/// `Docs/Errors.md` lists each reason to refuse a request once with its status; that each is given the probes show.
@Suite struct RefusalListTests {
    @Test func theListIsWhole() throws {
        let text = try String(contentsOf: TestPaths.package.appending(path: "Docs/Errors.md"), encoding: .utf8)
        let section = try #require(text.components(separatedBy: "\n## ").first { $0.hasPrefix("Refused by the HTTP") })
        let listed = section.components(separatedBy: "\n").filter { $0.hasPrefix("| `") }.map { row in
            let cells = row.components(separatedBy: "|").map { $0.trimmingCharacters(in: .whitespaces) }
            return "\(cells[1].trimmingCharacters(in: ["`"])) \(cells[2])"
        }
        #expect(listed == RequestRefusal.allCases.map { "\($0.rawValue) \($0.status)" })
    }

    /// The numbers in the list are those of the server.
    @Test func theNumbersAreRight() {
        #expect(ServerLimits().requestLineBytes == 8_192)
        #expect(ServerLimits().headerCount == 64)
    }
}
