import Foundation
import PosternBase
import PosternService
import PosternTestSupport
import PosternTokens
import Testing

@Suite struct VerifyingTests {
    @Test func aGoodTokenIsAccepted() async throws {
        let reply = try await TestService().verify(["token": TestToken().signed(), "nonce": TestToken.rawNonce])
        #expect(reply.status == 200)
        #expect(reply.field("Content-Type") == "application/json")
        #expect(reply.field("Cache-Control") == "no-store")
        #expect(reply.verdict == "accepted")
        #expect(reply.identity["subject"] as? String == "001234.0123456789abcdef0123456789abcdef.0123")
        #expect(reply.identity["provider"] as? String == "apple")
        #expect(reply.json["checks"] == nil)
    }

    @Test func aRefusalIsAnAnswer() async throws {
        let reply = try await TestService().verify(["token": TestToken().signed(), "nonce": "another"])
        #expect(reply.status == 200)
        #expect(reply.verdict == "refused")
        #expect(reply.code == "nonce_mismatch")
        #expect(reply.text("message")?.isEmpty == false)
        #expect(reply.json["checks"] == nil)
    }

    /// The same members as the command writes, and the same as the library's verdict says.
    @Test func explanationsAreTheVerdicts() async throws {
        let token = try TestToken().signed()
        for nonce in [TestToken.rawNonce, "another"] {
            let reply = try await TestService().verify(["token": token, "nonce": nonce, "explain": true])
            let nonces = try IssuedNonces(time: .fixed(TestService.now))
            let verdict = try await TestService.apple(nonces: nonces).verifier.check(token, nonce: nonce)
            #expect(reply.body == verdict.json.text())
            #expect((reply.json["checks"] as? [Any])?.count == Check.Name.all.count)
            // Without checks it says the same.
            var plain = try await TestService().verify(["token": token, "nonce": nonce]).json
            plain["checks"] = reply.json["checks"]
            #expect(plain as NSDictionary == reply.json as NSDictionary)
        }
    }

    @Test(arguments: [
        ("", "token_malformed"), ("a", "token_malformed"), ("a.b.c", "token_malformed"),
        (String(repeating: "a", count: 20_000), "token_too_large"), ("e30.e30.e30", "header_invalid"),
        ("\u{e9}.\u{0}.x", "token_malformed"),
    ])
    func garbageIsRefused(token: String, code: String) async throws {
        for explain in [false, true] {
            let reply = try await TestService().verify(["token": token, "nonce": "n", "explain": explain])
            #expect(reply.status == 200)
            #expect(reply.verdict == "refused")
            #expect(reply.code == code)
        }
    }

    @Test func theAudienceNarrows() async throws {
        let service = try TestService()
        let token = try TestToken().signed()
        let request: [String: Any] = ["token": token, "nonce": TestToken.rawNonce]
        #expect(
            try await service.verify(request.merging(["audience": TestService.hashed]) { $1 }).verdict == "accepted")
        let other = try await service.verify(request.merging(["audience": TestService.issued]) { $1 })
        #expect(other.verdict == "refused")
        #expect(other.code == "audience_mismatch")
    }

    // MARK: - Keys

    @Test func aMissingKeyIsWaitedFor() async throws {
        let set = try TestKeys.rs256().keys
        let service = try TestService({ [try TestService.apple(keys: ScriptedKeys(keys: nil, late: set), nonces: $0)] })
        for explain in [false, true] {
            let reply = try await service.verify([
                "token": TestToken().signed(), "nonce": TestToken.rawNonce, "explain": explain,
            ])
            #expect(reply.verdict == "accepted")
        }
    }

    @Test func withoutKeysThereIsAFault() async throws {
        let service = try TestService({ [try TestService.apple(keys: ScriptedKeys(), nonces: $0)] })
        for explain in [false, true] {
            let reply = try await service.verify([
                "token": TestToken().signed(), "nonce": TestToken.rawNonce, "explain": explain,
            ])
            #expect(reply.status == 503)
            #expect(reply.code == "keys_unavailable")
            #expect(reply.field("Retry-After") == "30")
        }
        // What can be said without keys is said.
        #expect(try await service.verify(["token": "x", "nonce": "n"]).code == "token_malformed")
    }

    // MARK: - Whose token

    private static func two() throws -> TestService {
        try TestService({
            [
                try TestService.apple(nonces: $0), try TestService.oidc("https://a.example", name: "a", nonces: $0),
                try TestService.oidc("https://b.example", name: "b", nonces: $0),
            ]
        })
    }

    private static func token(_ issuer: JSONOutput?) throws -> String {
        try TestToken().with("iss", issuer).with("aud", .string("web")).with("nonce", .string("plain")).signed()
    }

    @Test func theIssuerChooses() async throws {
        let service = try Self.two()
        for name in ["a", "b"] {
            let token = try Self.token(.string("https://\(name).example"))
            let reply = try await service.verify(["token": token, "nonce": "plain"])
            #expect(reply.identity["provider"] as? String == name)
            let named = try await service.verify(["token": token, "nonce": "plain", "provider": name])
            #expect(named.verdict == "accepted")
            let other = try await service.verify([
                "token": token, "nonce": "plain", "provider": name == "a" ? "b" : "a",
            ])
            #expect(other.code == "issuer_mismatch")
        }
        let apple = try await service.verify(["token": TestToken().signed(), "nonce": TestToken.rawNonce])
        #expect(apple.identity["provider"] as? String == "apple")
    }

    /// A token of nobody is refused like any other: who sent it decides nothing about the request.
    @Test(arguments: [JSONOutput.string("https://c.example"), .integer(1), nil, .string("https://a.example/")])
    func aTokenOfNobodyIsRefused(issuer: JSONOutput?) async throws {
        let reply = try await Self.two().verify(["token": Self.token(issuer), "nonce": "plain"])
        #expect(reply.status == 200)
        #expect(["issuer_mismatch", "claims_malformed"].contains(reply.code))
        guard reply.code == "issuer_mismatch" else { return }
        // Whose it might have been is told in full, also where checks are.
        let token = try Self.token(issuer)
        let explained = try await Self.two().verify(["token": token, "nonce": "plain", "explain": true])
        for message in [reply.text("message"), explained.text("message")] {
            for name in ["https://appleid.apple.com", "https://a.example", "https://b.example"] {
                #expect(message?.contains(name) == true)
            }
        }
        let named = try await Self.two().verify(["token": token, "nonce": "plain", "provider": "a"])
        #expect(named.text("message")?.contains("https://b.example") == false)
    }

    /// Two providers may have one issuer and clients of their own: each is asked about its own.
    @Test func oneIssuerOfTwoProviders() async throws {
        let service = try TestService({
            [
                try TestService.oidc("https://a.example", name: "one", "web", nonces: $0),
                try TestService.oidc("https://a.example", name: "two", "app", nonces: $0),
            ]
        })
        func token(_ audience: JSONOutput) throws -> String {
            try TestToken().with("iss", .string("https://a.example")).with("aud", audience)
                .with("nonce", .string("plain")).signed()
        }
        for (audience, name) in [("web", "one"), ("app", "two")] {
            for aud in [JSONOutput.string(audience), .strings([audience])] {
                let request: [String: Any] = ["token": try token(aud), "nonce": "plain"]
                let reply = try await service.verify(request)
                #expect(reply.identity["provider"] as? String == name)
                let asked = try await service.verify(request.merging(["audience": audience]) { $1 })
                #expect(asked.identity["provider"] as? String == name)
                // What is asked for narrows, whatever the token says.
                let other = audience == "web" ? "app" : "web"
                let wrong = try await service.verify(request.merging(["audience": other]) { $1 })
                #expect(wrong.code == "audience_mismatch")
            }
        }
        let nobody = try await service.verify(["token": token(.string("other")), "nonce": "plain"])
        #expect(nobody.code == "audience_mismatch")
    }

    @Test(arguments: ["", ".", "..", "...", "a.b", ".e30.", "e30.eyJpc3MiOiJodHRwczovL2EuZXhhbXBsZSJ9.x"])
    func garbageOfNobodyIsRefused(token: String) async throws {
        let reply = try await Self.two().verify(["token": token, "nonce": "plain"])
        #expect(reply.status == 200)
        #expect(reply.verdict == "refused")
    }

    /// An audience that is nobody's is the caller's mistake; one that another provider has is a refusal.
    @Test func audiencesOfOtherProviders() async throws {
        let service = try Self.two()
        let token = try TestToken().signed()
        let other = try await service.verify(["token": token, "nonce": TestToken.rawNonce, "audience": "web"])
        #expect(other.code == "audience_mismatch")
        let named = try await service.verify(
            ["token": token, "nonce": TestToken.rawNonce, "audience": "web", "provider": "apple"])
        #expect(named.status == 400)
        #expect(named.code == "audience_unknown")
    }

    // MARK: - Many

    @Test func verdictsComeInOrder() async throws {
        let good = try TestToken().signed()
        let tokens: [[String: Any]] = (0..<40).map { place in
            place % 3 == 0
                ? ["token": good, "nonce": TestToken.rawNonce]
                : place % 3 == 1 ? ["token": good, "nonce": "\(place)"] : ["token": "x", "explain": true]
        }
        let reply = try await TestService().verify(["tokens": tokens])
        let verdicts = try #require(reply.json["verdicts"] as? [[String: Any]])
        #expect(verdicts.count == 40)
        for (place, verdict) in verdicts.enumerated() {
            let expected = [nil, "nonce_mismatch", "token_malformed"][place % 3]
            #expect(verdict["code"] as? String == expected)
            #expect((verdict["checks"] != nil) == (place % 3 == 2))
        }
    }

    @Test func aFaultTakesThePlaceOfItsVerdict() async throws {
        let service = try TestService({ [try TestService.apple(keys: ScriptedKeys(), nonces: $0)] })
        let reply = try await service.verify(["tokens": [["token": TestToken().signed()], ["token": "x"]]])
        #expect(reply.status == 200)
        let verdicts = try #require(reply.json["verdicts"] as? [[String: Any]])
        #expect(verdicts.map { $0["verdict"] as? String } == ["fault", "refused"])
        #expect(verdicts[0]["code"] as? String == "keys_unavailable")
    }

    /// A mistake in one token of many is found before the first is verified: no nonce is gone.
    @Test func aMistakeChangesNothing() async throws {
        let service = try TestService()
        let nonce = try await service.nonce()
        let good: [String: Any] = try ["token": TestToken.issued(nonce), "nonce": nonce]
        for bad in [["token": 1], ["token": "x", "provider": "x"], [:]] as [[String: Any]] {
            #expect(try await service.verify(["tokens": [good, bad]]).status == 400)
        }
        #expect(try await service.verify(good).verdict == "accepted")
    }

    /// The length from which another thread reads a body changes no answer and loses no nonce.
    @Test(arguments: [131_071, 131_072, 131_073, 600_000])
    func longBodiesAreAnsweredAlike(length: Int) async throws {
        func padded(_ members: [String: Any]) throws -> String {
            let json = String(decoding: try JSONSerialization.data(withJSONObject: members), as: UTF8.self)
            return json + String(repeating: " ", count: length - json.utf8.count)
        }
        let service = try TestService()
        let nonce = try await service.nonce()
        let good: [String: Any] = try ["token": TestToken.issued(nonce), "nonce": nonce]
        let cases: [([String: Any], Int, String?)] = [
            (["tokens": [good, ["token": "x", "provider": "x"]]], 400, "provider_unknown"),
            (["tokens": []], 400, "member_invalid"), (["token": 1], 400, "member_invalid"),
            (good.merging(["more": 1]) { $1 }, 400, "member_unknown"), (good, 200, nil), (good, 200, "nonce_used"),
        ]
        for (members, status, code) in cases {
            let reply = try await service.send("POST", "/v1/verify", padded(members))
            #expect(reply.status == status)
            #expect(reply.code == code)
        }
        #expect(try await service.send("POST", "/v1/verify", padded([:]) + "x").code == "body_malformed")
        let list = try await service.send("POST", "/v1/verify", padded(["tokens": [good, ["token": "x"]]]))
        let verdicts = try #require(list.json["verdicts"] as? [[String: Any]])
        #expect(verdicts.map { $0["code"] as? String } == ["nonce_used", "token_malformed"])
    }
}
