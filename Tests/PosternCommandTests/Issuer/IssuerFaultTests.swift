import Foundation
import PosternTestSupport
import Testing

/// What the daemon, which fetches its keys from the issuer, answers under each fault: the codes of `Docs/Errors.md`.
@Suite(.onAThreadOfItsOwn) struct IssuerFaultTests {
    /// What it says about a token that has come by the fault.
    private static let tokens: [(fault: String?, order: String, word: String)] = [
        (nil, "", "accepted"), ("string_booleans", "", "accepted"), ("no_email", "", "accepted"),
        ("day_tokens", "", "accepted"), ("wrong_issuer", "", "issuer_mismatch"), ("future_iat", "", "issued_in_future"),
        // Two hours old: past its end, or not and still too old to sign in with.
        (nil, #","issued_at":AGO"#, "token_expired"), ("day_tokens", #","issued_at":AGO"#, "token_too_old"),
        // Last: the fetch for it takes the one that there is for unknown keys in half a minute.
        ("rotated_key", "", "key_not_found"),
    ]

    @Test func tokens() throws {
        let issuer = try IssuerProcess()
        let daemon = try issuer.daemon()
        let client = try daemon.connect()
        try daemon.wait(for: "keys_replaced")
        for (fault, order, word) in Self.tokens {
            try issuer.set(fault.map { [$0] } ?? [])
            let nonce = try client.nonce()
            let ago = Int(Date().timeIntervalSince1970) - 7200
            let more = order.replacingOccurrences(of: "AGO", with: "\(ago)")
            let token = try issuer.mint(#"{"nonce":"\#(nonce)"\#(more)}"#)
            let reply = try client.verify(token, nonce)
            #expect(reply.status == 200)
            #expect(reply.word == word, "\(fault ?? "none")")
            guard word == "accepted" else { continue }
            let identity = reply.json["identity"] as? [String: Any]
            #expect(identity?["email_verified"] as? Bool == (fault != "no_email"))
            #expect(identity?["email"] as? String == (fault == "no_email" ? nil : "test.person@example.com"))
        }
    }

    /// While it gives no keys there is no verdict, and the log says why.
    @Test(arguments: [
        ("server_error", "bad_status"), ("empty_set", "no_usable_key"), ("wrong_discovery", "bad_discovery"),
        ("slow", "timed_out"),
    ])
    func keys(fault: String, reason: String) throws {
        let issuer = try IssuerProcess(["--fault", fault, "--slow-seconds", "60"])
        let daemon = try issuer.daemon()
        let client = try daemon.connect()
        #expect(try daemon.wait(for: "keys_failed")["code"] as? String == reason)
        let nonce = try client.nonce()
        let token = try issuer.mint(#"{"nonce":"\#(nonce)"}"#)
        let reply = try client.verify(token, nonce)
        #expect(reply.status == 503)
        #expect(reply.word == "keys_unavailable")
        #expect(reply.text("detail")?.contains("(\(reason))") == true)
        // The command asks anew, and it has no other keys.
        try issuer.set([])
        let verified = try Invocation.run([
            "verify", "--provider", "oidc", "--issuer", issuer.url, "--insecure-loopback", "--audience",
            TestIssuer.audience, "--nonce", nonce, token,
        ])
        #expect(verified.status == 0, "\(verified.complaint)\(verified.text)")
    }

    /// A key that was not there when the daemon fetched the set is fetched when the first token needs it.
    @Test func rotation() throws {
        let issuer = try IssuerProcess()
        let daemon = try issuer.daemon()
        let client = try daemon.connect()
        try daemon.wait(for: "keys_replaced")
        let words = try [false, true].map { isRotated in
            if isRotated { _ = try issuer.ask("POST", "/control/rotate", "{}") }
            let nonce = try client.nonce()
            return try client.verify(issuer.mint(#"{"nonce":"\#(nonce)"}"#), nonce).word
        }
        #expect(words == ["accepted", "accepted"])
        try daemon.wait(for: "keys_replaced", count: 2)
    }
}
