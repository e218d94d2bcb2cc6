import PosternAccounts
import PosternService
import PosternTestSupport
import Testing

/// What is wrong with a body is said before anything is done.
@Suite struct AccountBodyTests {
    private static let id = "0199c2f0-7d1a-7b3e-9a54-3f2f0c9b6d11"
    private static let account = "/v1/accounts/\(id)"

    @Test(arguments: [
        ("POST", "/v1/sessions", "", "body_malformed"), ("POST", "/v1/sessions", "[]", "body_malformed"),
        ("POST", "/v1/sessions", "{}", "member_missing"),
        ("POST", "/v1/sessions", #"{"email":"a@b.example"}"#, "member_missing"),
        ("POST", "/v1/sessions", #"{"password":"a"}"#, "member_missing"),
        ("POST", "/v1/sessions", #"{"email":1,"password":"a"}"#, "member_invalid"),
        ("POST", "/v1/sessions", #"{"email":"a@b.example","password":null}"#, "member_invalid"),
        ("POST", "/v1/sessions", #"{"token":"a","email":"a@b.example"}"#, "member_unknown"),
        ("POST", "/v1/sessions", #"{"email":"a@b.example","password":"a","nonce":"b"}"#, "member_unknown"),
        ("POST", "/v1/sessions", #"{"token":"a","consume":false}"#, "member_unknown"),
        ("POST", "/v1/sessions", #"{"token":1}"#, "member_invalid"),
        ("POST", "/v1/sessions", #"{"token":"a","link_to":1}"#, "member_invalid"),
        ("POST", "/v1/sessions", #"{"token":"a","link_to":""}"#, "member_invalid"),
        ("POST", "/v1/sessions", #"{"token":"a","link_to":"\#(id)"}"#, "member_invalid"),
        ("POST", "/v1/sessions", #"{"token":"a","link_to":"eyJhbGciOiJFUzI1NiJ9.e30.AA"}"#, "member_invalid"),
        ("POST", "/v1/sessions", #"{"token":"a","token":"b"}"#, "body_malformed"),
        ("POST", "/v1/sessions", #"{"token":"a","client":"b"}"#, "member_invalid"),
        ("POST", "/v1/sessions", #"{"token":"a","client":{"ip":"b"}}"#, "member_unknown"),
        ("POST", "/v1/sessions", #"{"token":"a","client":{"address":"b"}}"#, "member_invalid"),
        ("POST", "/v1/sessions", #"{"token":"a","client":{"address":"192.0.2.1:80"}}"#, "member_invalid"),
        ("POST", "/v1/sessions", #"{"token":"a","client":{"address":"fe80::1%eth0"}}"#, "member_invalid"),
        ("POST", "/v1/sessions", #"{"token":"a","client":{"user_agent":1}}"#, "member_invalid"),
        (
            "POST", "/v1/sessions", #"{"email":"a@b.example","password":"\#(String(repeating: "a", count: 4_097))"}"#,
            "password_unacceptable"
        ),
        ("POST", "/v1/sessions/refresh", "{}", "member_missing"),
        ("POST", "/v1/sessions/refresh", #"{"refresh_token":1}"#, "member_invalid"),
        ("POST", "/v1/sessions/refresh", #"{"refresh_token":"a","scope":"b"}"#, "member_unknown"),
        ("POST", "/v1/accounts", #"{"email":"a@b.example"}"#, "member_missing"),
        ("POST", "/v1/accounts", #"{"email":"a@b.example","password":"a","admin":true}"#, "member_unknown"),
        ("POST", "/v1/accounts", #"{"email":"a@b.example","password":"a","backend_data":{}}"#, "member_unknown"),
        ("POST", "/v1/accounts", #"{"email":"a@b.example","password":"a","user_data":[]}"#, "member_invalid"),
        ("POST", "/v1/accounts", #"{"email":"a@b.example","password":"a","user_data":{"a":1e999}}"#, "member_invalid"),
        ("PATCH", account, #"{"backend_data":{"a":-1e999}}"#, "member_invalid"),
        (
            "POST", "/v1/accounts",
            #"{"email":"a@b.example","password":"a","user_data":{"a":"\#(String(repeating: "a", count: 4_089))"}}"#,
            "member_invalid"
        ),
        ("PATCH", account, "{}", "member_missing"), ("PATCH", account, #"{"id":"a"}"#, "member_unknown"),
        ("PATCH", account, #"{"email_proven":true}"#, "member_missing"),
        ("PATCH", account, #"{"email":null}"#, "member_invalid"),
        ("PATCH", account, #"{"email":"a@b.example","email_proven":"yes"}"#, "member_invalid"),
        ("PATCH", account, #"{"backend_data":null}"#, "member_invalid"),
        ("PATCH", account, #"{"banned_until":1}"#, "member_missing"),
        ("PATCH", account, #"{"banned":false,"banned_until":1}"#, "member_invalid"),
        ("PATCH", account, #"{"banned":true,"banned_until":-1}"#, "member_invalid"),
        ("PATCH", account, #"{"banned":true,"banned_until":253402300800}"#, "member_invalid"),
        ("PATCH", account, #"{"banned":true,"banned_until":1}"#, "member_invalid"),
        ("PATCH", account, #"{"banned":true,"banned_until":\#(TestService.now)}"#, "member_invalid"),
        ("PATCH", account, #"{"banned":false,"banned_until":\#(TestService.now + 1)}"#, "member_invalid"),
        ("PATCH", account, #"{"banned_until":\#(TestService.now + 1)}"#, "member_missing"),
        ("PATCH", account, #"{"banned":true,"banned_until":1.5}"#, "member_invalid"),
        ("PATCH", account, #"{"banned":true,"banned_until":null}"#, "member_invalid"),
        ("PATCH", account, #"{"banned":1}"#, "member_invalid"),
        ("PUT", account + "/password", "{}", "member_missing"),
        ("PUT", account + "/password", #"{"password":"a"}"#, "member_unknown"),
        ("PUT", account + "/password", #"{"new_password":"four words","keep_session":"a"}"#, "member_invalid"),
        ("PUT", account + "/password", #"{"new_password":"four words","old_password":null}"#, "member_invalid"),
        ("POST", "/v1/sign-ups/\(id)/confirm", #"{"a":1}"#, "member_unknown"),
        ("POST", "/v1/sign-ups/\(id)/confirm", "null", "body_malformed"),
    ])
    func mistakes(method: String, path: String, body: String, code: String) async throws {
        let service = try await AccountService()
        service.store.fail(.unavailable)
        let reply = try await service.http.send(method, path, body)
        #expect(reply.code == code, "\(reply.body)")
        #expect(reply.status == (code == "password_unacceptable" ? 422 : 400))
    }

    /// Which form was meant is not known where neither is there.
    @Test func theMembersOfBothFormsAreNamed() async throws {
        let reply = try await AccountService().http.send("POST", "/v1/sessions", #"{"id_token":"a"}"#)
        #expect(reply.code == "member_unknown")
        #expect(
            reply.text("detail")
                == #"There is no member "id_token" here; those known are email, password, client, token, nonce, audience, "#
                + "provider, link_to.", "\(reply.body)")
    }

    @Test func whereNothingIsKnown() async throws {
        let reply = try await AccountService().http.send("POST", "/v1/sign-ups/\(Self.id)/confirm", #"{"x":1}"#)
        #expect(reply.text("detail") == #"There is no member "x" here; none is known."#)
    }

    /// What is just within the bounds.
    @Test(arguments: [
        ("PATCH", account, #"{"banned":true,"banned_until":253402300799}"#),
        ("PATCH", account, #"{"banned":true,"banned_until":\#(TestService.now + 1)}"#),
        ("PATCH", account, #"{"user_data":{"a":"\#(String(repeating: "a", count: 4_088))"}}"#),
        ("POST", "/v1/sessions", #"{"email":"a@b.example","password":"\#(String(repeating: "a", count: 4_096))"}"#),
        ("POST", "/v1/sessions", #"{"email":"a@b.example","password":"","client":{}}"#),
        (
            "POST", "/v1/sessions",
            #"{"email":"a@b.example","password":"a","client":{"address":"::ffff:192.0.2.1","user_agent":"\u0000"}}"#
        ),
        ("POST", "/v1/sign-ups/\(id)/confirm", ""),
    ])
    func noMistakes(method: String, path: String, body: String) async throws {
        let reply = try await AccountService().http.send(method, path, body)
        #expect([403, 404].contains(reply.status), "\(reply.body)")
    }
}
