import PosternHTTP
import Testing

@testable import PosternIssuer

/// Who is told what, and that nothing goes to an address that is not registered.
@Suite struct AuthorizationRequestTests {
    /// Where nobody knows whose request it is, no address in it is believed.
    @Test(
        arguments: [
            (["client_id": nil], "client_id is missing"), (["client_id": "com.example.web2"], "no client"),
            (["client_id": ""], "no client"), (["redirect_uri": nil], "redirect_uri is missing"),
            (["redirect_uri": "https://app.example/callback/"], "not one of"),
            (["redirect_uri": "https://app.example/callback?x"], "not one of"),
            (["redirect_uri": "https://app.example/Callback"], "not one of"),
            (["redirect_uri": "https://app.example:443/callback"], "not one of"),
            (["redirect_uri": "https://app.example/"], "not one of"),
            (["redirect_uri": "https://evil.example/callback"], "not one of"), (["redirect_uri": ""], "not one of"),
            // That of another client.
            (["redirect_uri": "http://[::1]:9/"], "not one of"), (["state": "a\r\nb"], "visible ASCII"),
            (["state": "é"], "visible ASCII"), (["state": String(repeating: "a", count: 2049)], "2048"),
        ] as [([String: String?], String)])
    func whatThePersonIsTold(changes: [String: String?], text: String) async throws {
        let response = try await StandIn().get("/auth/authorize", query: StandIn.request(changes))
        #expect(response.status == 400)
        #expect(response.text.contains(text), "\(response.text)")
        #expect(response.fields.single("Location") == nil)
        #expect(response.inputs.isEmpty)
    }

    @Test(arguments: ["client_id", "redirect_uri", "state"])
    func whatIsGivenTwice(_ name: String) async throws {
        let response = try await StandIn().get("/auth/authorize", query: StandIn.request + [(name, "x")])
        #expect(response.status == 400)
        #expect(response.text.contains("\(name) is given twice"))
    }

    @Test(
        arguments: [
            (["response_type": "token"], "unsupported_response_type"),
            (["response_type": nil], "unsupported_response_type"),
            (["response_type": "id_token"], "unsupported_response_type"),
            (["response_mode": "web_message"], "invalid_request"), (["response_mode": "query"], "invalid_request"),
            (["response_mode": nil, "response_type": "code"], "invalid_request"),
            (["response_mode": "fragment"], "invalid_request"), (["scope": "name email profile"], "invalid_scope"),
            (["nonce": "a\nb"], "invalid_request"), (["nonce": String(repeating: "a", count: 2049)], "invalid_request"),
            (["code_challenge": "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM"], "invalid_request"),
            (["code_challenge": "short", "code_challenge_method": "S256"], "invalid_request"),
            (
                ["code_challenge": "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM", "code_challenge_method": "plain"],
                "invalid_request"
            ),
        ] as [([String: String?], String)])
    func whatTheAppIsTold(changes: [String: String?], error: String) async throws {
        let response = try await StandIn().get("/auth/authorize", query: StandIn.request(changes))
        if response.status == 303 {
            let location = try #require(response.fields.single("Location"))
            #expect(location.hasPrefix(StandIn.callback + "?") || location.hasPrefix(StandIn.callback + "#"))
            #expect(location.contains("error=\(error)&"))
            #expect(location.hasSuffix("&state=the%20state"))
        } else {
            #expect(response.input("error") == error)
            #expect(response.input("state") == "the state")
            #expect(response.text.contains("action=\"\(StandIn.callback)\""))
        }
    }

    @Test func whatIsGivenTwiceOtherwise() async throws {
        let response = try await StandIn().get("/auth/authorize", query: StandIn.request + [("nonce", "x")])
        #expect(response.input("error") == "invalid_request")
    }

    @Test(
        arguments: [
            [:], ["response_type": "id_token code"], ["state": nil], ["nonce": nil],
            ["scope": nil, "response_mode": nil],
            ["response_type": "code", "response_mode": nil, "scope": "openid"],
            ["nonce": String(repeating: "a", count: 2048)],
            ["state": String(repeating: "a", count: 2048)], ["prompt": "login", "x": "y"],
            ["code_challenge": "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM", "code_challenge_method": "S256"],
        ] as [[String: String?]])
    func whatIsTaken(changes: [String: String?]) async throws {
        let response = try await StandIn().get("/auth/authorize", query: StandIn.request(changes))
        #expect(response.status == 200)
        #expect(response.input("request") != nil)
    }

    @Test func aBrokenQuery() async throws {
        let response = try await StandIn().ask("GET", "/auth/authorize", query: "client_id=%zz")
        #expect(response.status == 400)
        #expect(response.text.contains("not well-formed"))
    }
}
