import Foundation
import PosternBase
import Testing

/// What `postern verify` answers when the command line is right.
@Suite struct VerifyTests {
    private let issuer = Result { try TestIssuer.rsa.get() }
    private let audience = ["--audience", TestIssuer.audience]

    private func verify(
        _ arguments: [String],
        _ changes: [String: JSONOutput?] = [:],
        keys: String? = nil
    ) throws -> Invocation {
        try .verify(arguments + ["--format", "json"], keys: keys, token: try issuer.get().token(changes))
    }

    private func expect(
        _ answer: Invocation,
        _ code: String?,
        _ comment: Comment? = nil,
        location: SourceLocation = #_sourceLocation
    ) throws {
        #expect(answer.status == (code == nil ? 0 : 1), comment, sourceLocation: location)
        let json = try answer.json()
        #expect(json["verdict"] as? String == (code == nil ? "accepted" : "refused"), comment, sourceLocation: location)
        #expect(json["code"] as? String == code, comment, sourceLocation: location)
        #expect(answer.complaint.isEmpty, comment, sourceLocation: location)
    }

    @Test func acceptedAsJSON() throws {
        let answer = try verify(audience + ["--nonce", TestIssuer.nonce], ["email": .string("a@example.com")])
        try expect(answer, nil)
        let json = try answer.json()
        #expect(Set(json.keys) == ["verdict", "identity", "checks"])
        let identity = try #require(json["identity"] as? [String: Any])
        #expect(identity["subject"] as? String == "001234.abc")
        #expect(identity["issuer"] as? String == "https://appleid.apple.com")
        #expect(identity["audience"] as? String == TestIssuer.audience)
        #expect(identity["email"] as? String == "a@example.com")
        let checks = try #require(json["checks"] as? [[String: Any]])
        #expect(checks.count == 20)
        for check in checks { #expect(["passed", "skipped"].contains(check["result"] as? String)) }
        #expect(answer.text.hasSuffix("}\n") && answer.text.filter { $0 == "\n" }.count == 1)
    }

    @Test func refusedAsJSON() throws {
        let answer = try verify(["--audience", "com.example.other", "--nonce", TestIssuer.nonce])
        try expect(answer, "audience_mismatch")
        let json = try answer.json()
        #expect(Set(json.keys) == ["verdict", "code", "message", "checks"])
        let checks = try #require(json["checks"] as? [[String: Any]])
        let failed = try #require(checks.first { $0["check"] as? String == "audience" })
        #expect(failed["result"] as? String == "failed")
        #expect(failed["expected"] as? [String] == ["com.example.other"])
        #expect(failed["seen"] as? [String] == [TestIssuer.audience])
        let place = try #require(checks.firstIndex { $0["check"] as? String == "audience" })
        #expect(checks[(place + 1)...].allSatisfy { $0["result"] as? String == "skipped" })
    }

    @Test func acceptedAsText() throws {
        let token = try issuer.get().token(["email": .string("a@example.com"), "email_verified": .bool(true)])
        let answer = try Invocation.verify(audience + ["--nonce", TestIssuer.nonce], token: token)
        #expect(answer.status == 0)
        #expect(answer.text.hasPrefix("ACCEPTED apple identity token\n"))
        for part in [
            "001234.abc", "a@example.com (verified)", "2026-09-21T14:13:10Z", "ok    signature", "skip  code_hash",
        ] {
            #expect(answer.text.contains(part), "\(part)")
        }
        #expect(!answer.text.contains("\u{1B}"), "colours only on a terminal")
        #expect(!answer.text.contains(TestIssuer.nonce))
        #expect(!answer.text.contains(token))
    }

    @Test func refusedAsText() throws {
        let answer = try Invocation.verify(["--audience", "x", "--no-nonce"], token: try issuer.get().token())
        #expect(answer.status == 1)
        #expect(answer.text.hasPrefix("REFUSED audience_mismatch\n"))
        #expect(answer.text.contains("FAIL  audience"))
        #expect(answer.text.split(separator: "\n").count { $0.hasPrefix("  ") } == 20, "a line for each check")
    }

    @Test(arguments: [
        (["--nonce", TestIssuer.nonce], nil as String?),
        (["--nonce=" + TestIssuer.nonce], nil),
        (["--nonc", TestIssuer.nonce], "usage"),
        (["--nonce", "another"], "nonce_mismatch"),
        (["--nonce", "-x"], "nonce_mismatch"),
        (["--nonce-plain", TestIssuer.nonce], "nonce_mismatch"),
        (["--no-nonce"], nil),
        (["--no-n"], "usage"),
    ])
    func nonces(_ options: [String], _ code: String?) throws {
        let answer = try verify(audience + options)
        guard code != "usage" else { return #expect(answer.status == 2) }
        try expect(answer, code, "\(options)")
        #expect(!answer.text.contains(TestIssuer.nonce))
    }

    @Test func plainNonceAndMissingNonce() throws {
        try expect(verify(audience + ["--nonce-plain", "abc"], ["nonce": .string("abc")]), nil)
        try expect(verify(audience + ["--nonce", "abc"], ["nonce": nil]), "nonce_missing")
    }

    @Test func hashesOfCodeAndAccessToken() throws {
        let issuer = try issuer.get()
        let code = try issuer.hashClaim(TestIssuer.code)
        let accessToken = try issuer.hashClaim(TestIssuer.accessToken)
        let options = audience + ["--no-nonce"]
        try expect(verify(options + ["--code", TestIssuer.code], ["c_hash": code]), nil)
        try expect(verify(options + ["--code", "other"], ["c_hash": code]), "hash_mismatch")
        try expect(verify(options + ["--code", TestIssuer.code]), "hash_mismatch")
        try expect(verify(options + ["--access-token", TestIssuer.accessToken], ["at_hash": accessToken]), nil)
        try expect(verify(options + ["--access-token", "other"], ["at_hash": accessToken]), "hash_mismatch")
        try expect(verify(options + ["--access-token", TestIssuer.accessToken]), "hash_mismatch")
    }

    @Test func audiencesCanBeSeveral() throws {
        let options = ["--audience", "com.example.web", "--no-nonce"]
        try expect(verify(options), "audience_mismatch")
        try expect(verify(options + audience), nil)
    }

    @Test func ageAndLeeway() throws {
        let options = audience + ["--no-nonce"]
        let old: [String: JSONOutput?] = ["iat": .integer(TestIssuer.now - 661)]
        try expect(verify(options, old), "token_too_old")
        try expect(verify(options + ["--leeway", "61"], old), nil)
        try expect(verify(options + ["--leeway", "0", "--max-age", "661"], old), nil)
        try expect(verify(options + ["--leeway", "0", "--max-age", "660"], old), "token_too_old")
        try expect(verify(options + ["--max-age", "none"], old), nil)
        for (expiry, code) in [(TestIssuer.now - 299, nil as String?), (TestIssuer.now - 300, "token_expired")] {
            let claims: [String: JSONOutput?] = ["iat": .integer(TestIssuer.now - 600), "exp": .integer(expiry)]
            try expect(verify(options + ["--leeway=300"], claims), code)
        }
    }

    @Test func notifications() throws {
        let issuer = try issuer.get()
        let options = audience + ["--format", "json"]
        let notification = try issuer.notification()
        let answer = try Invocation.verify(options + ["--notification"], token: notification)
        try expect(answer, nil)
        let members = try #require(try answer.json()["notification"] as? [String: Any])
        #expect(members["type"] as? String == "consent-revoked")
        let identity = try Invocation.verify(options + ["--no-nonce"], token: notification)
        try expect(identity, "not_an_identity_token")
        let other = try Invocation.verify(options + ["--notification", "--max-age", "none"], token: issuer.token())
        try expect(other, "not_a_notification")
        let text = try Invocation.verify(audience + ["--notification"], token: notification)
        #expect(text.text.hasPrefix("ACCEPTED server notification\n"))
        #expect(text.text.contains("consent-revoked"))
    }

    // MARK: - Providers

    @Test(arguments: [
        (["--provider", "apple"], "https://appleid.apple.com"),
        (["--provider", "google"], "https://accounts.google.com"),
        (["--provider", "facebook"], "https://www.facebook.com"),
        (["--provider", "firebase"], "https://securetoken.google.com/com.example.app"),
        (["--provider", "oidc", "--issuer", "https://id.example.com"], "https://id.example.com"),
        (
            ["--provider", "microsoft", "--tenant", "11111111-2222-3333-4444-555555555555"],
            "https://login.microsoftonline.com/11111111-2222-3333-4444-555555555555/v2.0"
        ),
    ])
    func providers(_ options: [String], _ name: String) throws {
        let claims: [String: JSONOutput?] = [
            "iss": .string(name), "tid": .string("11111111-2222-3333-4444-555555555555"),
            "auth_time": .integer(TestIssuer.now - 20),
        ]
        let common = audience + ["--no-nonce"]
        let answer = try verify(options + common, claims)
        try expect(answer, nil, "\(options)")
        let identity = try #require(try answer.json()["identity"] as? [String: Any])
        #expect(identity["provider"] as? String == options[1])
        let foreign = claims.merging(["iss": .string("https://other.example.com")]) { $1 }
        try expect(verify(options + common, foreign), "issuer_mismatch")
    }

    @Test func presentersAndAlgorithms() throws {
        let ec = try TestIssuer.ec.get()
        let issuer = "https://id.example.com"
        let token = try ec.token(["iss": .string(issuer), "azp": .string("presenter")])
        let options = audience + ["--no-nonce", "--provider", "oidc", "--issuer", issuer, "--format=json"]
        func run(_ more: [String]) throws -> Invocation { try .verify(options + more, keys: ec.keySet, token: token) }
        try expect(run([]), "algorithm_not_allowed")
        try expect(run(["--algorithm", "PS256", "--algorithm", "ES256"]), "authorized_party_mismatch")
        try expect(run(["--algorithm", "ES256", "--presenter", "x", "--presenter", "presenter"]), nil)
    }

    // MARK: - Keys

    @Test(arguments: [#"{"keys":[]}"#, #"{"keys":[{"kty":"oct","k":"AAAA"}]}"#])
    func noUsableKey(_ keys: String) throws {
        let answer = try verify(audience + ["--no-nonce"], keys: keys)
        #expect(answer.status == 3)
        let json = try answer.json()
        #expect(Set(json.keys) == ["verdict", "code", "message"])
        #expect(json["verdict"] as? String == "fault")
        #expect(json["code"] as? String == "keys_unavailable")
        let text = try Invocation.verify(audience + ["--no-nonce"], keys: keys, token: issuer.get().token())
        #expect(text.status == 3)
        #expect(text.text.contains("keys_unavailable"))
    }

    @Test func nothingFromTheTokenSteersTheTerminal() throws {
        let evil = "\u{1B}]0;owned\u{7}\u{1B}[2J\u{202E}\u{9B}31m\r\n"
        let escaped = JSONOutput.string(evil).text()
        let issuer = try issuer.get()
        let tokens = [
            try issuer.token(header: #"{"alg":"RS256","kid":\#(escaped)}"#),
            try issuer.token(header: #"{"alg":\#(escaped),"kid":"KEY1"}"#),
            try issuer.token(header: #"{"alg":"RS256","kid":"KEY1","typ":\#(escaped)}"#),
            try issuer.token(["iss": .string(evil)]), try issuer.token(["aud": .string(evil)]),
            try issuer.token(["aud": .strings([evil, evil])]), try issuer.token(["sub": .string(evil)]),
            try issuer.token(["azp": .string(evil)]), try issuer.token(["email": .string(evil)]),
            try issuer.token(["nonce": .string(evil)]), try issuer.token([evil: .string(evil)]),
        ]
        for (index, token) in tokens.enumerated() {
            for format in ["text", "json"] {
                let options = ["--nonce", TestIssuer.nonce, "--format", format]
                try expectHarmless(.verify(audience + options, token: token), format, "verify \(index)")
                try expectHarmless(.run(["inspect", "--format", format, token]), format, "inspect \(index)")
            }
        }
    }

    private func expectHarmless(_ answer: Invocation, _ format: String, _ what: String) {
        #expect([0, 1].contains(answer.status), "\(what)")
        for scalar in answer.text.unicodeScalars where scalar != "\n" {
            let category = scalar.properties.generalCategory
            #expect(category != .control, "\(what) \(format)")
            if format == "text" { #expect(category != .format, "\(what)") }
        }
    }
}
