import Foundation
import PosternBase
import Testing

/// `--at` means the second that it says.
@Suite struct TimeTests {
    @Test(arguments: [
        ("1790000000", 1_790_000_000), ("2026-09-21T14:13:20Z", 1_790_000_000),
        ("2026-09-21T14:13:20.999Z", 1_790_000_000), ("2026-09-21T16:13:20+02:00", 1_790_000_000),
        ("2026-09-20T23:43:20-14:30", 1_790_000_000), ("2024-02-29T12:00:00Z", 1_709_208_000),
        ("2024-03-01T00:00:00Z", 1_709_251_200), ("2016-12-31T23:59:60Z", 1_483_228_800),
        ("2100-03-01T00:00:00Z", 4_107_542_400), ("1970-01-01T00:00:00Z", 0), ("9999-12-31T23:59:59Z", 253_402_300_799),
    ])
    func atIsThisSecond(_ text: String, _ seconds: Int64) throws {
        // The first second at which a token without leeway is not yet expired is the one before exp.
        for (expiry, status) in [(seconds + 1, Int32(0)), (seconds, 1)] {
            let issuer = try TestIssuer.rsa.get()
            let token = try issuer.token(["exp": .integer(expiry), "iat": .integer(0)])
            let folder = try TemporaryFolder()
            let keys = try folder.file(containing: Data(issuer.keySet.utf8))
            let options = ["--audience", TestIssuer.audience, "--no-nonce", "--leeway", "0", "--max-age", "none"]
            let answer = try Invocation.run(["verify", "--keys", keys.path, "--at", text] + options + [token])
            #expect(answer.status == status, "\(text) \(expiry): \(answer.text) \(answer.complaint)")
        }
    }

    @Test func nowIsTheSystemsTime() throws {
        let issuer = try TestIssuer.rsa.get()
        let now = Int64(Date().timeIntervalSince1970)
        let token = try issuer.token(["iat": .integer(now), "exp": .integer(now + 1000)])
        let folder = try TemporaryFolder()
        let keys = try folder.file(containing: Data(issuer.keySet.utf8))
        let options = ["--audience", TestIssuer.audience, "--no-nonce", "--keys", keys.path]
        #expect(try Invocation.run(["verify"] + options + [token]).status == 0)
    }
}
