import Foundation
import PosternTestSupport
import PosternTokens
import Testing

/// `Docs/Errors.md` lists each code of a verdict or fault once, and nothing that cannot happen.
@Suite struct ErrorListTests {
    @Test func theListIsWhole() throws {
        let text = try String(contentsOf: TestPaths.package.appending(path: "Docs/Errors.md"), encoding: .utf8)
        let verdicts = text.components(separatedBy: "## Why a key set")[0]
        let listed = verdicts.components(separatedBy: "\n").compactMap { line -> String? in
            guard line.hasPrefix("| `") else { return nil }
            return line.components(separatedBy: "`")[1]
        }
        #expect(listed.sorted() == (RefusalCode.all.map(\.rawValue) + ["keys_unavailable"]).sorted())
    }

    /// Every refusal code is the outcome of a test vector, but for those that need a memory of nonces: their tests are in
    /// NonceIssuerTests.
    @Test func everyCodeIsProduced() throws {
        let files = try FileManager.default.contentsOfDirectory(atPath: TestPaths.vectors.path)
        var produced: Set<String> = ["nonce_unknown", "nonce_expired", "nonce_used"]
        for file in files where file.hasSuffix(".json") {
            let data = try Data(contentsOf: TestPaths.vectors.appending(path: file))
            let root = try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
            for item in root["cases"] as? [[String: Any]] ?? [] {
                if let code = (item["expect"] as? [String: Any])?["code"] as? String { produced.insert(code) }
            }
        }
        #expect(produced == Set(RefusalCode.all.map(\.rawValue) + ["keys_unavailable"]))
    }
}
