import Foundation
import PosternTestSupport
import Testing

/// The commands of the README do what they say, run as printed in the folder of the repository.
@Suite struct ReadmeTests {
    private static let expected: [(part: String, status: Int32, output: String)] = [
        ("mint --audience", 0, "ACCEPTED"), ("1780000031 - <", 0, "ACCEPTED"), ("1780003600", 1, "token_too_old"),
        ("com.example.other", 1, "audience_mismatch"),
        ("inspect", 0, "NOT VERIFIED"), ("keys show", 0, "RSA 2048"), ("nonce --check", 0, "MATCH"),
        ("postern nonce", 0, "nonce_sha256"), ("vectors TestVectors", 0, " passed, 0 failed, 0 skipped"),
    ]

    private static func commands() throws -> [String] {
        let text = try String(contentsOf: TestPaths.package.appending(path: "README.md"), encoding: .utf8)
        return text.components(separatedBy: "\n").filter { $0.hasPrefix(".build/release/postern ") }
    }

    @Test func everyCommandRunsAsPrinted() throws {
        let commands = try Self.commands()
        #expect(commands.count == Self.expected.count)
        for command in commands {
            let line = command.replacingOccurrences(of: ".build/release/postern", with: "\"$0\"")
            let run = try Invocation.shell("cd \"$1\" && \(line)", [TestPaths.package.path])
            let expectation = try #require(Self.expected.first { command.contains($0.part) }, "\(command)")
            #expect(run.status == expectation.status, "\(command): \(run.complaint)")
            #expect(run.text.contains(expectation.output), "\(command): \(run.text)")
        }
    }
}
