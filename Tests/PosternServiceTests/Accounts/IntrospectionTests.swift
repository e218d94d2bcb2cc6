import PosternService
import PosternTestSupport
import Testing

/// RFC 7662 and 7009, with forms and errors as RFC 6749 has them.
@Suite struct IntrospectionTests {
    @Test func accessTokens() async throws {
        let service = try await AccountService()
        let account = try await service.signUp()
        let session = try await service.signIn()
        let token = session.text("access_token") ?? ""
        let reply = try await service.form("/v1/introspect", "token_type_hint=anything&token=\(token)&other=1")
        #expect(reply.status == 200)
        #expect(reply.field("Content-Type") == "application/json")
        #expect(reply.field("Cache-Control") == "no-store")
        #expect(reply.json["active"] as? Bool == true)
        #expect(reply.text("token_type") == "Bearer")
        #expect(reply.text("token_use") == "access_token")
        #expect(reply.text("iss") == AccountService.issuer)
        #expect(reply.text("aud") == "shop")
        #expect(reply.text("sub") == account)
        #expect(reply.text("sid") == session.sessionID)
        #expect(reply.json["iat"] as? Int64 == TestService.now)
        #expect(reply.json["exp"] as? Int64 == TestService.now + 3_600)
        service.clock.advance(3_600)
        #expect(try await service.form("/v1/introspect", "token=\(token)").body == #"{"active":false}"#)
    }

    /// A resource server that looks at `active` alone takes no refresh token for an access token.
    @Test func refreshTokensAreActiveForWhoAsksForThem() async throws {
        let service = try await AccountService()
        let token = try await service.signInWithApple().text("refresh_token") ?? ""
        for hint in ["", "&token_type_hint=access_token", "&token_type_hint=REFRESH_TOKEN"] {
            let reply = try await service.form("/v1/introspect", "token=\(token)\(hint)")
            #expect(reply.body == #"{"active":false}"#)
        }
        let reply = try await service.form("/v1/introspect", "token=\(token)&token_type_hint=refresh_token")
        #expect(reply.json["active"] as? Bool == true)
        #expect(reply.text("token_use") == "refresh_token")
        #expect(reply.text("token_type") == nil)
        // Not so the one of before.
        service.clock.advance(20)
        _ = try await service.refresh(token)
        let former = try await service.form("/v1/introspect", "token=\(token)&token_type_hint=refresh_token")
        #expect(former.json["active"] as? Bool == false)
    }

    @Test(arguments: ["nonsense", "a.b.c", "%20", "eyJhbGciOiJub25lIn0.e30."])
    func strangeTokensAreInactive(token: String) async throws {
        let service = try await AccountService()
        #expect(try await service.form("/v1/introspect", "token=\(token)").body == #"{"active":false}"#)
        #expect(try await service.form("/v1/revoke", "token=\(token)").status == 200)
    }

    /// An identity token is none of ours, whoever signed it.
    @Test func identityTokensAreInactive() async throws {
        let service = try await AccountService()
        let reply = try await service.form("/v1/introspect", "token=\(try TestToken().signed())")
        #expect(reply.json["active"] as? Bool == false)
    }

    @Test(arguments: ["access_token", "refresh_token"])
    func revoking(kind: String) async throws {
        let service = try await AccountService()
        let session = try await service.signInWithApple()
        let body = "token=\(session.text(kind) ?? "")&token_type_hint=\(kind)"
        for _ in 0..<2 {
            let reply = try await service.form("/v1/revoke", body)
            #expect(reply.status == 200)
            #expect(reply.body == "{}")
        }
        let after = try await service.form("/v1/introspect", "token=\(session.text("access_token") ?? "")")
        #expect(after.json["active"] as? Bool == false)
        #expect(try await service.refresh(session.text("refresh_token")).code == "session_ended")
    }

    @Test func whatABanEndsIsInactive() async throws {
        let service = try await AccountService()
        let session = try await service.signInWithApple()
        _ = try await service.send("PATCH", "/v1/accounts/\(session.accountID)", ["banned": true])
        let reply = try await service.form("/v1/introspect", "token=\(session.text("access_token") ?? "")")
        #expect(reply.json["active"] as? Bool == false)
    }

    @Test(
        arguments: [
            "", "token", "token=", "tokn=a", "token=a&token=b", "token=a&x=1&x=2", "token=%", "token=%4", "token=%G0",
            "token=%FF", "token=%C0%80", String(repeating: "a&", count: 65) + "token=a",
        ], ["/v1/introspect", "/v1/revoke"])
    func poorFormsAreErrorsOfOAuth(form: String, path: String) async throws {
        let reply = try await AccountService().form(path, form)
        #expect(reply.status == 400)
        #expect(reply.text("error") == "invalid_request")
        #expect(reply.field("Content-Type") == "application/json")
        #expect(reply.field("Cache-Control") == "no-store")
        let description = reply.text("error_description") ?? ""
        #expect(!description.isEmpty && !description.contains("\"") && !description.contains("\\"))
    }

    @Test(arguments: [
        ("application/x-www-form-urlencoded", 200), ("Application/X-WWW-Form-Urlencoded; charset=UTF-8", 200),
        ("application/json", 415), ("application/x-www-form-urlencoded; a=b", 415), ("text/plain", 415),
    ])
    func theTypeIsThatOfForms(type: String, status: Int) async throws {
        let service = try await AccountService()
        let reply = try await service.http.send("POST", "/v1/introspect", "token=a", fields: [("Content-Type", type)])
        #expect(reply.status == status)
        let json = try await service.http.send(
            "POST", "/v1/sessions", "token=a", fields: [("Content-Type", "application/x-www-form-urlencoded")])
        #expect(json.status == 415)
    }
}
