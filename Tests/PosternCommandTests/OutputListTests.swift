import Foundation
import PosternJOSE
import PosternTestSupport
import PosternTokens
import Testing

/// `Docs/Output.md` names every member that a command writes.
@Suite struct OutputListTests {
    private static func listed() throws -> Set<String> {
        let path = TestPaths.package.appending(path: "Docs/Output.md")
        let pieces = try String(contentsOf: path, encoding: .utf8).components(separatedBy: "`")
        return Set(pieces.indices.filter { $0 % 2 == 1 }.map { pieces[$0] })
    }

    /// The names of all members but those of claims, headers and JWK Sets, which are the token's and the issuer's.
    private static func names(in value: Any) -> Set<String> {
        if let array = value as? [Any] { return array.reduce(into: []) { $0.formUnion(names(in: $1)) } }
        guard let members = value as? [String: Any] else { return [] }
        return members.reduce(into: []) { result, member in
            result.insert(member.key)
            if !["claims", "header", "keys", "skips"].contains(member.key) {
                result.formUnion(names(in: member.value))
            }
        }
    }

    @Test func everyMemberIsListed() async throws {
        let folder = TestPaths.vectors
        let keys = folder.appending(path: "example/apple-keys.jwks").path
        let token = try String(contentsOf: folder.appending(path: "example/apple.token"), encoding: .utf8)
        let common = ["verify", "--audience", "com.example.app", "--keys", keys, "--at", "1780000031"]
        let operand = [token.trimmingCharacters(in: .newlines)]
        let temporary = try TemporaryFolder()
        let skipping = try temporary.file(containing: Data(#"{"keys":[1,{"kty":"oct","kid":"a"}]}"#.utf8)).path
        let notification = try TestIssuer.rsa.get().notification()
        let server = try TestServer.shared.get()
        try await server.set("/listed", .answer(body: TestIssuer.rsa.get().keySet))
        let issuerKeys = try temporary.file(containing: Data(TestIssuer.rsa.get().keySet.utf8)).path
        let settings = try temporary.file(
            containing: Data(
                DaemonIssuer.settings(DaemonIssuer.provider(keys: issuerKeys), listeners: SettingsRun.unix).utf8),
            called: "settings"
        ).path
        let data = try AccountsFolder()
        let waiting = try data.signUp("waiting@example.com")
        try data.signIn("here@example.com")
        let here = ["here@example.com", "--config", data.settings]
        let runs = try [
            ["users", "list", "--config", data.settings], ["users", "list", "--waiting", "--config", data.settings],
            ["users", "confirm", waiting, "--config", data.settings], ["users", "show"] + here,
            ["users", "sessions"] + here, ["users", "export"] + here, ["users", "delete", "--yes"] + here,
            ["users", "show"] + here, ["audit", "--config", data.settings],
            ["keys", "rotate", "--config", data.settings],
            ["keys", "master", temporary.url.appending(path: "master").path],
            ["backup", temporary.url.appending(path: "copy.db").path, "--config", data.settings],
            ["migrate", "--status", "--config", data.settings],
            [
                "restore", temporary.url.appending(path: "copy.db").path, "--data",
                temporary.url.appending(path: "d").path,
            ],
            common + ["--nonce", "raw nonce of the request"] + operand, common + ["--nonce", "x"] + operand,
            common + ["--notification"] + operand, ["inspect"] + operand, ["inspect", "x"], ["nonce"],
            ["nonce", "--check", "a", "b"], ["keys", "show", keys], ["keys", "show", skipping], ["help"],
            ["verify", "--audience", "a", "--no-nonce", "--keys", skipping] + operand,
            ["verify", "--audience", TestIssuer.audience, "--notification", "--at", "1790000000", "--keys", issuerKeys]
                + [notification],
            ["vectors", folder.appending(path: "order.json").path, "/dev/null"], ["mint"], ["settings"],
            ["config", "--init"], ["config", "--effective", "--config", settings],
            ["check-config", "--config", temporary.file(containing: Data("{}".utf8), called: "empty").path],
            ["api-key"],
            ["manual", "postern"], ["completion", "bash"], ["events"],
            ["doctor", "--config", "/dev/null", "--socket", "/dev/null"],
            ["keys", "fetch", "--proxy", "http://127.0.0.1:1"],
            ["keys", "fetch", "--ca-file", server.caFile, server.url("/listed")],
        ]
        let listed = try Self.listed()
        for arguments in runs {
            let names = Self.names(in: try Invocation.run(arguments + ["--format", "json"]).json())
            #expect(names.subtracting(listed).isEmpty, "\(names.subtracting(listed))")
            #expect(!names.isEmpty)
        }
    }

    @Test func everyCheckAndReasonIsListed() throws {
        let words =
            Check.Name.all.map(\.rawValue) + SkippedMember.Reason.all.map(\.rawValue)
            + NonceFinding.allCases.map(\.rawValue)
        #expect(try Set(words).subtracting(Self.listed()).isEmpty)
    }
}
