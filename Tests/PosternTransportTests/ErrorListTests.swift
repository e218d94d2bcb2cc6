import Foundation
import PosternHTTP
import PosternTestSupport
import Testing

/// `Docs/Errors.md` lists each code of a request once; each is the outcome of a test here.
@Suite struct ErrorListTests {
    @Test func theListIsWhole() throws {
        let text = try String(contentsOf: TestPaths.package.appending(path: "Docs/Errors.md"), encoding: .utf8)
        let section = try #require(text.components(separatedBy: "\n## ").first { $0.hasPrefix("Requests") })
        let listed = section.components(separatedBy: "\n").filter { $0.hasPrefix("| `") }
            .map { $0.components(separatedBy: "`")[1] }
        let codes: [HTTP.ClientError.Code] = [
            .urlRefused, .notConnected, .notTrusted, .timedOut, .tooLarge, .malformed, .cancelled, .failed,
        ]
        #expect(listed.sorted() == codes.map(\.rawValue).sorted())
    }
}
