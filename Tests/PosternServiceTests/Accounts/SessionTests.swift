import PosternAccounts
import PosternHTTP
import PosternService
import PosternTestSupport
import Testing

/// How sessions go on, are listed and end.
@Suite struct SessionTests {
    @Test func refreshTokensRotate() async throws {
        let service = try await AccountService()
        let first = try await service.signInWithApple()
        service.clock.advance(100)
        let second = try await service.refresh(first.text("refresh_token"))
        #expect(second.status == 200)
        #expect(second.sessionID == first.sessionID)
        #expect(second.text("refresh_token") != first.text("refresh_token"))
        #expect(second.json["is_new_account"] == nil)
        #expect(second.object("session")["refreshed_at"] as? Int64 == TestService.now + 100)
        // Within ten seconds the former token gets what is there.
        let crossing = try await service.refresh(first.text("refresh_token"))
        #expect(crossing.text("refresh_token") == second.text("refresh_token"))
        // Whoever shows something of the new generation has got it.
        let introspected = try await service.form("/v1/introspect", "token=\(second.text("access_token") ?? "")")
        #expect(introspected.json["active"] as? Bool == true)
        service.clock.advance(10)
        let reused = try await service.refresh(first.text("refresh_token"))
        #expect(reused.status == 403)
        #expect(reused.code == "refresh_token_reused")
        #expect(try await service.refresh(second.text("refresh_token")).code == "session_ended")
    }

    @Test(arguments: ["", "nonsense", "AAAA", "eyJhbGciOiJFUzI1NiJ9.e30.AA"])
    func strangeRefreshTokensAreRefused(token: String) async throws {
        let reply = try await AccountService().refresh(token)
        #expect(reply.status == 403)
        #expect(reply.code == "refresh_token_unknown")
    }

    @Test func accessTokensRefreshNothing() async throws {
        let service = try await AccountService()
        let session = try await service.signInWithApple()
        func complaint(_ token: String?) async throws -> String? {
            let reply = try await service.refresh(token)
            #expect(reply.code == "refresh_token_unknown")
            return reply.text("detail")
        }
        let token = session.text("access_token")
        #expect(try await complaint(token)?.hasPrefix("This is an access token") == true)
        // Most come when it has expired.
        service.clock.advance(3_600)
        #expect(try await complaint(token)?.hasPrefix("This is an access token") == true)
        for other in [token?.dropLast().description, "nonsense", try AccountService.apple()["token"] as? String] {
            #expect(try await complaint(other)?.hasPrefix("This is no refresh token") == true)
        }
    }

    @Test func sessionsAreListedAndEnded() async throws {
        let service = try await AccountService()
        let account = try await service.signUp()
        var ids: [String] = []
        for _ in 0..<4 {
            ids.append(try await service.signIn().sessionID)
            // Names of one second have no order.
            service.clock.advance(1)
        }
        let list = try await service.send("GET", "/v1/sessions", query: "user=\(account)")
        #expect(list.status == 200)
        #expect(list.list("sessions").compactMap { $0["id"] as? String } == ids)
        #expect(list.list("sessions").allSatisfy { $0["account"] as? String == account })

        let ended = try await service.send("DELETE", "/v1/sessions/\(ids[0])")
        #expect(ended.status == 204)
        #expect(ended.response.body.isEmpty)
        let again = try await service.send("DELETE", "/v1/sessions/\(ids[0])")
        #expect(again.status == 404)
        #expect(again.code == "session_unknown")

        let others = try await service.send("DELETE", "/v1/sessions", query: "user=\(account)&except=\(ids[3])")
        #expect(others.json["ended"] as? Int == 2)
        let left = try await service.send("GET", "/v1/sessions", query: "user=\(account)")
        #expect(left.list("sessions").compactMap { $0["id"] as? String } == [ids[3]])
        let all = try await service.send("DELETE", "/v1/sessions", query: "user=\(account)")
        #expect(all.json["ended"] as? Int == 1)
        #expect(try await service.send("GET", "/v1/sessions", query: "user=\(account)").list("sessions").isEmpty)
    }

    @Test(arguments: ["GET", "DELETE"])
    func unknownAccountsHaveNone(method: String) async throws {
        let nobody = "0199c2f0-7d1a-7b3e-9a54-3f2f0c9b6d11"
        let reply = try await AccountService().send(method, "/v1/sessions", query: "user=\(nobody)")
        #expect(reply.status == 404)
        #expect(reply.code == "account_unknown")
    }

    /// Sessions end at the second that they say.
    @Test func sessionsExpire() async throws {
        let service = try await AccountService.with { $0.sessions = SessionPolicy(timeBox: 100) }
        let session = try await service.signInWithApple()
        #expect(session.json["expires_in"] as? Int == 100)
        service.clock.advance(99)
        let last = try await service.refresh(session.text("refresh_token"))
        #expect(last.json["expires_in"] as? Int == 1)
        service.clock.advance(1)
        #expect(try await service.refresh(last.text("refresh_token")).code == "session_ended")
    }
}
