import PosternAccounts
import PosternBase
import PosternService
import PosternTestSupport
import PosternTokens
import Testing

@Suite struct SignInTests {
    @Test func passwordsOpenSessions() async throws {
        let service = try await AccountService()
        let account = try await service.signUp()
        let client: [String: Any] = ["user_agent": "Shop/2.1", "address": "203.0.113.9"]
        let body: [String: Any] = ["email": "ANA@Example.org", "password": AccountService.password, "client": client]
        let reply = try await service.send("POST", "/v1/sessions", body)
        #expect(reply.status == 201)
        #expect(reply.text("token_type") == "Bearer")
        #expect(reply.json["expires_in"] as? Int == 3_600)
        #expect(reply.json["expires_at"] as? Int64 == TestService.now + 3_600)
        #expect(reply.json["is_new_account"] as? Bool == false)
        #expect(reply.accountID == account)
        #expect(reply.object("account")["email"] as? String == AccountService.email)
        #expect(reply.object("session")["method"] as? String == "password")
        #expect(reply.object("session")["user_agent"] as? String == "Shop/2.1")
        #expect(reply.object("session")["address"] as? String == "203.0.113.0/24")
        #expect(reply.field("Cache-Control") == "no-store")
        let introspected = try await service.form("/v1/introspect", "token=\(reply.text("access_token") ?? "")")
        #expect(introspected.text("sid") == reply.sessionID)
    }

    /// An unknown address, a wrong password, and an account without a password.
    @Test func wrongCredentialsAreAllTheSame() async throws {
        let service = try await AccountService()
        _ = try await service.signUp()
        let wrong = try await service.signIn(AccountService.email, "another password")
        let unknown = try await service.signIn("bo@example.org", AccountService.password)
        for reply in [wrong, unknown] {
            #expect(reply.status == 403)
            #expect(reply.code == "invalid_credentials")
            #expect(reply.field("WWW-Authenticate") == nil)
            #expect(reply.text("detail") == wrong.text("detail"))
        }
    }

    @Test func tokensOpenSessionsOnce() async throws {
        let service = try await AccountService()
        let first = try await service.signInWithApple()
        #expect(first.status == 201)
        #expect(first.json["is_new_account"] as? Bool == true)
        #expect(first.object("session")["method"] as? String == "id_token")
        #expect(first.object("session")["provider"] as? String == "apple")
        // A lost answer is given once more.
        let again = try await service.signInWithApple()
        #expect(again.sessionID == first.sessionID)
        #expect(again.text("refresh_token") == first.text("refresh_token"))
        #expect(again.json["is_new_account"] as? Bool == true)
        service.clock.advance(30)
        let late = try await service.signInWithApple()
        #expect(late.status == 403)
        #expect(late.code == "token_used")
        #expect(try await service.signInWithApple(nonce: "another").json["is_new_account"] as? Bool == false)
    }

    /// Where a session is asked for a refused token is a problem with the code of the refusal.
    @Test func refusedTokensAreProblems() async throws {
        let service = try await AccountService()
        let good = try AccountService.apple()
        let cases: [([String: Any], String)] = [
            (["nonce": "other"], "nonce_mismatch"), (["token": "a.b"], "token_malformed"),
            (["token": ""], "token_malformed"),
            (["audience": TestService.issued], "audience_mismatch"), (["provider": "staff"], "issuer_mismatch"),
        ]
        for (change, code) in cases {
            let reply = try await service.send("POST", "/v1/sessions", good.merging(change) { $1 })
            #expect(reply.status == 403)
            #expect(reply.code == code)
            #expect(reply.field("Content-Type") == "application/problem+json")
            #expect(reply.text("request_id") == reply.field("X-Request-Id"))
        }
        for (change, code) in [(["provider": "x"], "provider_unknown"), (["audience": "x"], "audience_unknown")] {
            let reply = try await service.send("POST", "/v1/sessions", good.merging(change) { $1 })
            #expect(reply.status == 400)
            #expect(reply.code == code)
        }
        // Nothing of all this has used the token up.
        #expect(try await service.signInWithApple().status == 201)
    }

    /// Whoever has not named a provider is told all issuers that there are.
    @Test func nobodysTokenNamesTheIssuers() async throws {
        let service = try await AccountService()
        let token = try TestToken().with("iss", .string("https://nobody.example.org")).signed()
        let reply = try await service.send("POST", "/v1/sessions", ["token": token, "nonce": "a"])
        #expect(reply.code == "issuer_mismatch")
        #expect(reply.text("detail")?.contains("https://staff.example.org") == true)
    }

    @Test(arguments: [false, true])
    func issuedNoncesAreUsedUp(areStored: Bool) async throws {
        let service = try await AccountService.with { $0.storesNonces = areStored }
        let nonce = try await service.http.nonce(TestService.issued)
        let token = try TestToken.issued(nonce)
        let body: [String: Any] = ["token": token, "nonce": nonce]
        let reply = try await service.send("POST", "/v1/sessions", body)
        #expect(reply.status == 201)
        let other = try TestToken().with("aud", .string(TestService.issued)).with("sub", .string("another"))
            .with("nonce", .string(Nonce.sha256Hex(of: nonce))).signed()
        let second = try await service.send("POST", "/v1/sessions", ["token": other, "nonce": nonce])
        #expect(second.code == "nonce_used")
        // What a sign-in has used is used for a verdict as well, where a store remembers it.
        if areStored { #expect(try await service.http.verify(["token": other, "nonce": nonce]).code == "nonce_used") }
    }

    @Test func identitiesAreLinked() async throws {
        let service = try await AccountService()
        let account = try await service.signUp()
        let session = try await service.signIn()
        let accessToken = session.text("access_token") ?? ""
        let linked = try await service.signInWithApple(with: ["link_to": accessToken])
        #expect(linked.status == 201)
        #expect(linked.accountID == account)
        #expect(try await service.send("GET", "/v1/accounts/\(account)").list("identities").count == 1)
        // The identity of somebody else stays with them.
        _ = try await service.signInWithApple("other")
        let taken = try await service.signInWithApple("other", nonce: "another", with: ["link_to": accessToken])
        #expect(taken.status == 409)
        #expect(taken.code == "identity_taken")
        _ = try await service.send("DELETE", "/v1/sessions/\(session.sessionID)")
        let over = try await service.signInWithApple("third", nonce: "third", with: ["link_to": accessToken])
        #expect(over.status == 403)
        #expect(over.code == "session_ended")
    }

    /// What is no access token at all is a mistake of the backend's, and one that has expired is not.
    @Test func whatCannotBeLinkedTo() async throws {
        let service = try await AccountService()
        let session = try await service.signInWithApple()
        let identityToken = try AccountService.apple()["token"] as? String ?? ""
        let others = [
            session.text("refresh_token") ?? "", session.sessionID, session.accountID, identityToken, "nonsense",
        ]
        for token in others {
            let reply = try await service.signInWithApple("other", nonce: "a", with: ["link_to": token])
            #expect(reply.status == 400)
            #expect(reply.code == "member_invalid")
            #expect(reply.text("detail")?.hasPrefix("link_to must be the access_token of a session") == true)
            #expect(!reply.body.contains(token))
        }
        let link = ["link_to": session.text("access_token") ?? ""]
        service.clock.advance(3_600)
        let expired = try await service.signInWithApple("other", nonce: "a", with: link)
        #expect(expired.code == "session_ended")
        #expect(expired.text("detail")?.contains("refresh it") == true)
    }

    /// An access token buys no session, and no verdict either; it is said what it is.
    @Test func ourOwnAccessTokenIsNoIdentityToken() async throws {
        let service = try await AccountService()
        let token = try await service.signInWithApple().text("access_token") ?? ""
        let hint = "It is an access token of this server: POST /v1/introspect says what it is worth."
        func replies(_ token: String) async throws -> [TestReply] {
            [
                try await service.send("POST", "/v1/sessions", ["token": token, "nonce": "a"]),
                try await service.http.verify(["token": token]),
                try await service.http.verify(["token": token, "provider": "apple"]),
                try await service.http.verify(["token": token, "provider": "staff", "explain": true]),
            ]
        }
        let parts = token.split(separator: ".")
        let forged = "\(parts[0]).\(parts[1]).\(Base64URL.encode([UInt8](repeating: 1, count: 64)))"
        for (mine, other) in zip(try await replies(token), try await replies(forged)) {
            #expect(mine.code == other.code && mine.status == other.status)
            let (told, untold) = (
                mine.text("message") ?? mine.text("detail"), other.text("message") ?? other.text("detail")
            )
            #expect(told?.hasSuffix(hint) == true && untold?.contains("introspect") == false, "\(mine.body)")
        }
        let list = try await service.http.verify(["tokens": [["token": token], ["token": "x"]]]).list("verdicts")
        #expect(list.map { ($0["message"] as? String)?.hasSuffix(hint) } == [true, false])
        service.clock.advance(3_600)
        #expect(try await service.http.verify(["token": token]).text("message")?.hasSuffix(hint) == true)
    }

    @Test func triesAreCounted() async throws {
        let service = try await AccountService.with { $0.attempts = AttemptRule(burst: 2, refill: 60) }
        for _ in 0..<2 { #expect(try await service.signIn().code == "invalid_credentials") }
        let reply = try await service.signIn()
        #expect(reply.status == 429)
        #expect(reply.code == "too_many_attempts")
        #expect(reply.field("Retry-After") == "60")
        service.clock.advance(60)
        #expect(try await service.signIn().code == "invalid_credentials")
    }

    /// A fault of the store comes before anything is written, and the same request works afterwards.
    @Test func faultsChangeNothing() async throws {
        let service = try await AccountService()
        service.store.fail(.full)
        let reply = try await service.signInWithApple()
        #expect(reply.status == 503)
        #expect(reply.code == "store_full")
        service.store.fail(nil)
        #expect(try await service.send("GET", "/v1/accounts").list("accounts").isEmpty)
        #expect(try await service.signInWithApple().status == 201)
    }
}
