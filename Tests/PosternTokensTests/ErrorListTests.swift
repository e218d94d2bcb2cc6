import Foundation
import PosternTestSupport
import PosternTokens
import Testing

/// `Docs/Errors.md` lists each code of a verdict or fault once, and nothing that cannot happen.
@Suite struct ErrorListTests {
    @Test func theListIsWhole() throws {
        let text = try String(contentsOf: TestPaths.package.appending(path: "Docs/Errors.md"), encoding: .utf8)
        // What follows is about requests, not tokens.
        let section = try #require(text.components(separatedBy: "\n## Requests").first)
        let listed = section.components(separatedBy: "\n").compactMap { line -> String? in
            guard line.hasPrefix("| `") else { return nil }
            return line.components(separatedBy: "`")[1]
        }
        #expect(
            listed.sorted() == (RefusalCode.all.map(\.rawValue) + VerificationFault.Code.all.map(\.rawValue)).sorted())
    }
}
