import Foundation
import PosternTokens
import PosternVectors
import Testing

/// The vectors of this repository.
private enum TestVectors {
    static let folder = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .appending(path: "TestVectors")

    static let paths: [String] = {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
        return names.filter { $0.hasSuffix(".json") }.sorted().map { folder.appending(path: $0).path }
    }()

    /// Read once: checking thousands of keys takes seconds.
    static let files: [(file: OwnVectorFile, verdicts: [String])] = paths.compactMap { path in
        guard let file = try? OwnVectorFile(path: path) else { return nil }
        return (file, file.verdicts(testOnlyDisabled: []).map(\.verdict))
    }
}

@Suite("The vectors of this repository")
struct OwnVectorTests {
    @Test("All of them pass, and none is skipped")
    func pass() {
        let report = VectorRunner.run(paths: [TestVectors.folder.path])
        let counts = report.counts
        let wrong = report.files.filter { $0.counts.failed > 0 }.flatMap(\.lines)
        #expect(wrong.isEmpty, "\(wrong.joined(separator: "\n"))")
        #expect(counts.skipped == 0 && counts.deviations == 0)
        #expect(counts.passed >= 400)
        #expect(report.files.count == TestVectors.paths.count)
    }

    /// But for the codes that need a memory of nonces: NonceIssuerTests produces those.
    @Test("The verifier gives each of its codes to some case")
    func everyCode() {
        let verdicts = Set(TestVectors.files.flatMap(\.verdicts))
        let stateful: Set<RefusalCode> = [.nonceUnknown, .nonceExpired, .nonceUsed]
        for code in RefusalCode.all where !stateful.contains(code) {
            #expect(verdicts.contains("refused \(code)"), "no case is refused as \(code)")
        }
        #expect(verdicts.contains("fault keys_unavailable"))
    }

    @Test(
        "Each rule that is left out changes what the verifier says to some case",
        arguments: VerifierRule.allCases)
    func switchOff(rule: VerifierRule) throws {
        try #require(!TestVectors.files.isEmpty && TestVectors.files.count == TestVectors.paths.count)
        let isNoticed = TestVectors.files.contains { file, verdicts in
            zip(file.verdicts(testOnlyDisabled: [rule]), verdicts).contains { $0.verdict != $1 }
        }
        #expect(isNoticed, "no vector needs the rule \(rule)")
    }
}
