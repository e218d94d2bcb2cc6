import Foundation
import PosternTestSupport
import Testing

/// The main job on real Apple tokens, by the command as a user calls it.
@Suite(.enabled(if: TestPaths.hasExtraVectors, "POSTERN_EXTRA_VECTORS is not set"))
struct RealTokenCommandTests {
    private struct File: Decodable { let tokens: [RealToken] }

    private struct RealToken: Decodable {
        let token: String
        let iss: String
        let aud: String
        let iat: Int64
        let verifies: Bool
        let kind: String
    }

    private func answer(_ real: RealToken, audience: String) throws -> Invocation {
        let keys = try #require(TestPaths.extraVectors).appending(path: "real/apple-keys.json").path
        let kind = real.kind == "server-notification" ? "--notification" : "--no-nonce"
        return try Invocation.run(
            ["verify", "--audience", audience, kind, "--keys", keys, "--at", "\(real.iat + 1)", "--format", "json"],
            input: Data("\(real.token)\n".utf8)
        )
    }

    @Test func realTokensOfApple() throws {
        let tokens = try JSONDecoder().decode(File.self, from: TestPaths.extra("real/tokens.json")).tokens
            .filter { $0.verifies && $0.iss == "https://appleid.apple.com" }
        #expect(tokens.count >= 10)
        for real in tokens {
            let accepted = try answer(real, audience: real.aud)
            #expect(accepted.status == (real.kind == "access-token" ? 1 : 0), "\(accepted.text)")
            let refused = try answer(real, audience: "com.example.other")
            #expect(refused.status == 1)
            #expect(try refused.json()["code"] as? String == "audience_mismatch")
        }
    }
}
