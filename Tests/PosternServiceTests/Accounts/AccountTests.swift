import Foundation
import PosternAccounts
import PosternService
import PosternTestSupport
import Testing

@Suite struct AccountTests {
    @Test func signUpWithoutConfirmation() async throws {
        let service = try await AccountService()
        let data: [String: Any] = Dictionary(uniqueKeysWithValues: (0..<40).map { ("name\($0)", ["a": $0]) })
        let reply = try await service.send(
            "POST", "/v1/accounts",
            ["email": "Ana@EXAMPLE.org", "password": AccountService.password, "user_data": data])
        #expect(reply.status == 201)
        #expect(reply.text("email") == "Ana@example.org")
        #expect(reply.json["email_proven"] as? Bool == false)
        #expect(reply.json["has_password"] as? Bool == true)
        #expect(reply.object("user_data").count == 40)
        #expect(reply.object("backend_data").isEmpty)
        #expect(reply.json["banned"] as? Bool == false)
        let id = try #require(reply.text("id"))
        let shown = try await service.send("GET", "/v1/accounts/\(id)")
        #expect(NSDictionary(dictionary: shown.json) == NSDictionary(dictionary: reply.json))
        let taken = try await service.send(
            "POST", "/v1/accounts", ["email": AccountService.email, "password": AccountService.password])
        #expect(taken.status == 409)
        #expect(taken.code == "email_taken")
    }

    /// The answer is the same whether anybody has the address.
    @Test func signUpWithConfirmation() async throws {
        let service = try await AccountService.with { $0.confirmation = .external }
        let body: [String: Any] = ["email": AccountService.email, "password": AccountService.password]
        let first = try await service.send("POST", "/v1/accounts", body)
        #expect(first.status == 202)
        #expect(first.json["expires_at"] as? Int64 == TestService.now + 86_400)
        #expect(try await service.signIn().code == "invalid_credentials")
        let id = try #require(first.text("sign_up"))
        let confirmed = try await service.send("POST", "/v1/sign-ups/\(id)/confirm")
        #expect(confirmed.status == 200)
        #expect(confirmed.json["email_proven"] as? Bool == true)
        #expect(try await service.signIn().status == 201)
        let second = try await service.send("POST", "/v1/accounts", body)
        #expect(second.status == 202)
        #expect(Set(second.json.keys) == Set(first.json.keys))
        let other = try await service.send("POST", "/v1/sign-ups/\(second.text("sign_up") ?? "")/confirm", [:])
        #expect(other.status == 409)
        let again = try await service.send("POST", "/v1/sign-ups/\(id)/confirm")
        #expect(again.status == 404)
        #expect(again.code == "sign_up_unknown")
    }

    @Test(arguments: [
        ("short", "password_unacceptable"), (String(repeating: "a", count: 5_000), "password_unacceptable"),
        ("ana@example.org", "password_unacceptable"),
    ])
    func poorPasswordsAreRefused(password: String, code: String) async throws {
        let reply = try await AccountService().send(
            "POST", "/v1/accounts", ["email": AccountService.email, "password": password])
        #expect(reply.status == 422)
        #expect(reply.code == code)
    }

    @Test(arguments: ["", "ana", "ana@", "@example.org", "a b@example.org", "ana@localhost", "ana@example.org\u{0}"])
    func whatIsNoAddressIsRefused(email: String) async throws {
        let service = try await AccountService()
        let id = try await service.signUp()
        for reply in [
            try await service.send("POST", "/v1/accounts", ["email": email, "password": AccountService.password]),
            try await service.signIn(email),
            try await service.send("PATCH", "/v1/accounts/\(id)", ["email": email]),
            try await service.send(
                "GET", "/v1/accounts",
                query: "email=\(email.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? "")"),
        ] {
            #expect(reply.status == 422)
            #expect(reply.code == "email_invalid")
            #expect(email.isEmpty || reply.text("detail")?.contains("\"") == false)
        }
    }

    // MARK: - Lists

    @Test func pages() async throws {
        let service = try await AccountService()
        var ids: [String] = []
        for number in 0..<5 {
            ids.append(try await service.signUp("a\(number)@example.org"))
            service.clock.advance(1)
        }
        var seen: [String] = []
        var query = "limit=2"
        var pages = 0
        while pages < 4 {
            let page = try await service.send("GET", "/v1/accounts", query: query)
            #expect(page.status == 200)
            seen += page.list("accounts").compactMap { $0["id"] as? String }
            pages += 1
            guard let next = page.text("next") else { break }
            query = "limit=2&after=\(next)"
        }
        #expect(seen == ids)
        #expect(pages == 3)
        // A page that is just full is the last.
        let exact = try await service.send("GET", "/v1/accounts", query: "limit=5")
        #expect(exact.list("accounts").count == 5)
        #expect(exact.json["next"] is NSNull)
        #expect(try await service.send("GET", "/v1/accounts").list("accounts").count == 5)
    }

    @Test func oneByItsAddress() async throws {
        let service = try await AccountService()
        let id = try await service.signUp("ana+shop@example.org")
        for query in ["email=ana%2Bshop%40example.org", "email=ANA%2bshop@Example.Org"] {
            let found = try await service.send("GET", "/v1/accounts", query: query)
            #expect(found.list("accounts").compactMap { $0["id"] as? String } == [id])
            #expect(found.json["next"] is NSNull)
        }
        let none = try await service.send("GET", "/v1/accounts", query: "email=bo@example.org")
        #expect(none.status == 200)
        #expect(none.list("accounts").isEmpty)
        // A plus sign is a space in a form.
        let spaced = try await service.send("GET", "/v1/accounts", query: "email=ana+shop@example.org")
        #expect(spaced.status == 422)
        #expect(spaced.text("detail")?.hasSuffix("write that as %2B.") == true)
        for query in ["email=ana%2B", "email=ana"] {
            let reply = try await service.send("GET", "/v1/accounts", query: query)
            #expect(reply.status == 422 && reply.text("detail")?.contains("%2B") == false)
        }
        let body = try await service.signIn("ana shop@example.org")
        #expect(body.status == 422 && body.text("detail")?.contains("%2B") == false)
    }

    // MARK: - Changes

    @Test func changes() async throws {
        let service = try await AccountService()
        let path = "/v1/accounts/\(try await service.signUp())"
        let proven = try await service.send(
            "PATCH", path, ["email": "ana@example.net", "email_proven": true, "user_data": ["a": [1, 2]]])
        #expect(proven.status == 200)
        #expect(proven.text("email") == "ana@example.net")
        #expect(proven.json["email_proven"] as? Bool == true)
        #expect(proven.object("user_data")["a"] as? [Int] == [1, 2])
        let backend = try await service.send("PATCH", path, ["backend_data": ["plan": "gold"]])
        #expect(backend.object("backend_data")["plan"] as? String == "gold")
        #expect(backend.object("user_data")["a"] as? [Int] == [1, 2])
        #expect(backend.json["email_proven"] as? Bool == true)
        _ = try await service.signUp("bo@example.org")
        let other = "/v1/accounts/\(try await service.signUp("cy@example.org"))"
        #expect(try await service.send("PATCH", other, ["email": "bo@example.org"]).code == "email_taken")
        let claim: [String: Any] = ["email": "ana@example.net", "email_proven": true]
        #expect(try await service.send("PATCH", other, claim).code == "email_taken")
    }

    @Test func bans() async throws {
        let service = try await AccountService()
        let path = "/v1/accounts/\(try await service.signUp())"
        let session = try await service.signIn()
        let until = TestService.now + 100
        let past: [String: Any] = ["banned": true, "banned_until": TestService.now]
        #expect(try await service.send("PATCH", path, past).code == "member_invalid")
        #expect(try await service.refresh(session.text("refresh_token")).status == 200)
        let banned = try await service.send("PATCH", path, ["banned": true, "banned_until": until])
        // A time that has come lifts no ban.
        #expect(try await service.send("PATCH", path, past).code == "member_invalid")
        #expect(banned.json["banned"] as? Bool == true)
        #expect(banned.json["banned_until"] as? Int64 == until)
        #expect(try await service.signIn().code == "account_banned")
        #expect(try await service.refresh(session.text("refresh_token")).status == 403)
        service.clock.advance(100)
        #expect(try await service.signIn().status == 201)
        #expect(try await service.send("GET", path).json["banned"] as? Bool == false)
        let forEver = try await service.send("PATCH", path, ["banned": true])
        #expect(forEver.json["banned"] as? Bool == true)
        #expect(forEver.json["banned_until"] is NSNull)
        service.clock.advance(1 << 40)
        #expect(try await service.send("GET", path).json["banned"] as? Bool == true)
        #expect(try await service.send("PATCH", path, ["banned": false]).json["banned"] as? Bool == false)
    }

    @Test func passwordsAreChangedWithTheOldOne() async throws {
        let service = try await AccountService()
        let path = "/v1/accounts/\(try await service.signUp())/password"
        let kept = try await service.signIn()
        let other = try await service.signIn()
        let new = "four other words"
        for body in [["new_password": new], ["new_password": new, "old_password": "wrong password"]] {
            let reply = try await service.send("PUT", path, body)
            #expect(reply.status == 403)
            #expect(reply.code == "password_wrong")
        }
        let body = ["new_password": new, "old_password": AccountService.password, "keep_session": kept.sessionID]
        #expect(try await service.send("PUT", path, body).status == 204)
        #expect(try await service.signIn().code == "invalid_credentials")
        #expect(try await service.signIn(AccountService.email, new).status == 201)
        #expect(try await service.refresh(kept.text("refresh_token")).status == 200)
        #expect(try await service.refresh(other.text("refresh_token")).code == "session_ended")
        // Who has none needs no old one, but an address.
        let apple = "/v1/accounts/\(try await service.signInWithApple().accountID)"
        #expect(try await service.send("PUT", apple + "/password", ["new_password": new]).code == "email_missing")
        #expect(try await service.send("GET", apple).json["has_password"] as? Bool == false)
        _ = try await service.send("PATCH", apple, ["email": "bo@example.org", "email_proven": true])
        #expect(try await service.send("PUT", apple + "/password", ["new_password": new]).status == 204)
        #expect(try await service.signIn("bo@example.org", new).status == 201)
    }

    @Test func identitiesAreUnlinked() async throws {
        let service = try await AccountService()
        let account = try await service.signUp()
        let accessToken = try await service.signIn().text("access_token") ?? ""
        _ = try await service.signInWithApple(with: ["link_to": accessToken])
        let identities = try await service.send("GET", "/v1/accounts/\(account)").list("identities")
        let identity = try #require(identities.first)
        #expect(identity["provider"] as? String == "apple")
        #expect(identity["issuer"] as? String == "https://appleid.apple.com")
        #expect(identity["subject"] as? String == AccountService.appleSubject)
        let path = "/v1/accounts/\(account)/identities/\(identity["id"] as? String ?? "")"
        let reply = try await service.send("DELETE", path)
        #expect(reply.status == 200)
        #expect(reply.list("identities").isEmpty)
        #expect(try await service.send("DELETE", path).code == "identity_unknown")
    }

    @Test func accountsAreDeleted() async throws {
        let service = try await AccountService()
        let session = try await service.signInWithApple()
        let path = "/v1/accounts/\(session.accountID)"
        #expect(try await service.send("DELETE", path).status == 204)
        for method in ["GET", "DELETE"] {
            let reply = try await service.send(method, path)
            #expect(reply.status == 404)
            #expect(reply.code == "account_unknown")
        }
        #expect(try await service.refresh(session.text("refresh_token")).code == "session_ended")
        // Its token buys no new one.
        #expect(try await service.signInWithApple().code == "token_used")
    }

    @Test func theAuditTrailIsPaged() async throws {
        let service = try await AccountService()
        let account = try await service.signUp()
        for _ in 0..<3 { _ = try await service.signIn() }
        let path = "/v1/accounts/\(account)/audit"
        let whole = try await service.send("GET", path)
        #expect(
            whole.list("entries").compactMap { $0["event"] as? String }
                == ["signed_in", "signed_in", "signed_in", "account_created"])
        #expect(whole.list("entries").allSatisfy { $0["caller"] as? String == "uid:1000" })
        let first = try await service.send("GET", path, query: "limit=3")
        let next = try #require(first.json["next"] as? Int)
        let second = try await service.send("GET", path, query: "limit=3&before=\(next)")
        #expect(second.list("entries").compactMap { $0["event"] as? String } == ["account_created"])
        #expect(second.json["next"] is NSNull)
        #expect(try await service.send("GET", path, query: "before=0").list("entries").isEmpty)
    }
}
