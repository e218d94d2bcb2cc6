import PosternBase
import PosternHTTP
import PosternTokens
import Testing

@testable import PosternIssuer

/// `POST /auth/token`
@Suite struct ExchangeTests {
    private func code(_ standIn: StandIn, _ changes: [String: String?] = [:]) async throws -> String {
        try #require(await standIn.signIn("person", changes).input("code"))
    }

    @Test func aCodeBuysTokensOnce() async throws {
        let standIn = try StandIn()
        let code = try await code(standIn)
        let first = await standIn.exchange(["code": code, "client_secret": "whatever"])
        #expect(first.status == 200)
        #expect(first.fields.single("Cache-Control") == "no-store")
        let json = try #require(first.json)
        #expect(json.members.map(\.name) == ["access_token", "token_type", "expires_in", "id_token", "refresh_token"])
        let identity = try await FaultTests.verifier(standIn, nonce: .plain).verify(
            json["id_token"]?.string ?? "", nonce: "the nonce", accessToken: json["access_token"]?.string)
        #expect(identity.subject.description == TestUser.builtIn[0].subject)
        let again = await standIn.exchange(["code": code])
        #expect(again.status == 400)
        #expect(again.code == "invalid_grant")
        #expect(again.text.contains("already been used"))
        // Whoever had it first may have stolen it.
        let refresh = json["refresh_token"]?.string
        let refreshed = await standIn.exchange(["grant_type": "refresh_token", "refresh_token": refresh])
        #expect(refreshed.code == "invalid_grant")
    }

    @Test(
        arguments: [
            (["code": "x"], "invalid_grant"), (["code": nil], "invalid_request"),
            (["grant_type": nil], "invalid_request"),
            (["grant_type": "password"], "unsupported_grant_type"), (["client_id": nil], "invalid_request"),
            (["client_id": "nobody"], "invalid_client"), (["client_id": "other"], "invalid_grant"),
            (["redirect_uri": nil], "invalid_grant"),
            (["redirect_uri": "https://app.example/callback/"], "invalid_grant"),
            (["redirect_uri": "https://app.example/other?a=1"], "invalid_grant"),
            (["code_verifier": "x"], "invalid_grant"),
            (["grant_type": "refresh_token"], "invalid_request"),
            (["grant_type": "refresh_token", "refresh_token": "x"], "invalid_grant"),
        ] as [([String: String?], String)])
    func whatIsWrong(changes: [String: String?], error: String) async throws {
        let standIn = try StandIn()
        let good = try await code(standIn)
        let response = await standIn.exchange(["code": good].merging(changes) { $1 })
        #expect(response.status == 400)
        #expect(response.code == error)
        #expect(response.json?["error_description"]?.string?.isEmpty == false)
        // A mistake uses nothing up.
        #expect(await standIn.exchange(["code": good]).status == 200)
    }

    @Test func theFormMustBeOne() async throws {
        let standIn = try StandIn()
        let code = try await code(standIn)
        let twice = [
            ("grant_type", "authorization_code"), ("code", code), ("code", code), ("client_id", StandIn.clientID),
        ]
        #expect(await standIn.post(form: twice, "/auth/token").code == "invalid_request")
        let body = Array("grant_type=authorization_code&code=%".utf8)
        let form = [("Content-Type", "application/x-www-form-urlencoded; charset=UTF-8")]
        #expect(await standIn.ask("POST", "/auth/token", form, body).code == "invalid_request")
        #expect(await standIn.post(json: "{}", "/auth/token").code == "invalid_request")
        #expect(
            await standIn.ask("POST", "/auth/token", form, []).json?["error_description"]?.string
                == "grant_type is missing")
    }

    @Test(arguments: [(299, 200), (300, 400)])
    func aCodeLivesFiveMinutes(seconds: Int64, status: Int) async throws {
        let standIn = try StandIn()
        let code = try await code(standIn)
        standIn.now.withLock { $0 += seconds }
        #expect(await standIn.exchange(["code": code]).status == status)
    }

    /// RFC 7636 appendix B.
    @Test(
        arguments: [
            ("dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk", 200), ("dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXK", 400),
            ("", 400), (nil, 400),
        ] as [(String?, Int)])
    func proofKeys(verifier: String?, status: Int) async throws {
        let standIn = try StandIn()
        let challenge = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM"
        let code = try await code(standIn, ["code_challenge": challenge, "code_challenge_method": "S256"])
        #expect(await standIn.exchange(["code": code, "code_verifier": verifier]).status == status)
    }

    @Test func refreshing() async throws {
        let standIn = try StandIn()
        let first = try await standIn.exchange(["code": code(standIn)])
        let token = try #require(first.json?["refresh_token"]?.string)
        for _ in 0..<2 {
            standIn.now.withLock { $0 += 3600 }
            let response = await standIn.exchange(["grant_type": "refresh_token", "refresh_token": token])
            #expect(response.status == 200)
            #expect(response.json?["refresh_token"] == nil)
            let identity = try await FaultTests.verifier(standIn, nonce: .plain).verify(
                response.json?["id_token"]?.string ?? "", nonce: "the nonce")
            #expect(identity.issuedAt == standIn.now.withLock { $0 })
            #expect(identity.authenticationTime == StandIn.start)
        }
        let stranger = await standIn.exchange([
            "grant_type": "refresh_token", "refresh_token": token, "client_id": "other",
        ])
        #expect(stranger.code == "invalid_grant")
    }

    /// Of many that show one code at once, one gets something.
    @Test func aRace() async throws {
        let standIn = try StandIn()
        for _ in 0..<20 {
            let code = try await code(standIn)
            let answers = await withTaskGroup(of: Int.self) { group in
                for _ in 0..<16 { group.addTask { await standIn.exchange(["code": code]).status } }
                return await group.reduce(into: [Int]()) { $0.append($1) }
            }
            #expect(answers.filter { $0 == 200 }.count == 1)
        }
    }
}
