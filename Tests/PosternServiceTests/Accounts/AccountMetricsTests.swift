import Foundation
import PosternAccounts
import PosternBase
import PosternHTTP
import PosternService
import PosternTestSupport
import PosternTokens
import Testing

/// What is counted and told of sign-ins, and what is not.
@Suite struct AccountMetricsTests {
    private static func page(_ service: AccountService) async throws -> Exposition {
        try Exposition(try await service.send("GET", "/metrics").body)
    }

    @Test func signInsAndRefreshesAreCounted() async throws {
        let service = try await AccountService()
        let before = try await Self.page(service)
        #expect(before.samples("postern_sessions_opened_total").count == 2)
        _ = try await service.signUp()
        _ = try await service.signIn()
        _ = try await service.signIn(AccountService.email, "another password")
        let session = try await service.signInWithApple()
        _ = try await service.signInWithApple("a", nonce: "b", with: ["nonce": "c"])
        _ = try await service.refresh(session.text("refresh_token"))
        _ = try await service.refresh("nonsense")
        service.store.fail(.full)
        _ = try await service.refresh(session.text("refresh_token"))
        let page = try await Self.page(service)
        func sum(_ name: String, _ labels: [String: String]) -> Double { page.sum("postern_\(name)", labels) }
        #expect(sum("sessions_opened_total", ["method": "password"]) == 1)
        #expect(sum("sessions_opened_total", ["method": "id_token"]) == 1)
        #expect(sum("sign_ins_refused_total", ["code": "invalid_credentials"]) == 1)
        #expect(sum("sign_ins_refused_total", ["code": "token_refused"]) == 1)
        #expect(sum("sign_ins_refused_total", [:]) == 2)
        #expect(sum("session_refreshes_total", ["result": "refreshed"]) == 1)
        #expect(sum("session_refreshes_total", ["result": "refresh_token_unknown"]) == 1)
        #expect(sum("session_refreshes_total", ["result": "other"]) == 1)
        #expect(sum("verdicts_total", ["provider": "apple", "verdict": "accepted"]) == 1)
        #expect(sum("verdicts_total", ["provider": "apple", "code": "nonce_mismatch"]) == 1)
        #expect(sum("http_problems_total", ["code": "store_full"]) == 1)
        #expect(sum("password_hashing_threads", [:]) > 0)
        #expect(sum("http_requests_total", ["route": "/v1/sessions", "method": "POST", "status": "201"]) == 2)
        #expect(page.series.count < 1_100)
    }

    /// `Docs/Metrics.md` lists what accounts add to the page, word for word.
    @Test func theListIsWhole() async throws {
        let with = try await Self.page(AccountService()).families
        let without = try Exposition(try await TestService().send("GET", "/metrics").body).families.map(\.name)
        let added = with.filter { !without.contains($0.name) }.map { family in
            let labels = family.samples.first?.labels.map(\.name).joined(separator: "` `") ?? ""
            return "| `\(family.name)` | \(family.type) | \(labels.isEmpty ? "" : "`\(labels)`") | \(family.help) |"
        }
        let text = try String(contentsOf: TestPaths.package.appending(path: "Docs/Metrics.md"), encoding: .utf8)
        let section = try #require(text.components(separatedBy: "\n## ").first { $0.hasPrefix("Sessions\n") })
        #expect(section.components(separatedBy: "\n").filter { $0.hasPrefix("| `") } == added)
        #expect(added.count == 5)
    }

    /// Templates are labels, names are not.
    @Test func labelsAreBounded() async throws {
        let service = try await AccountService()
        func round(_ id: String) async throws {
            for method in ["GET", "DELETE"] { _ = try await service.send(method, "/v1/accounts/\(id)") }
            _ = try await service.send("GET", "/v1/sessions", query: "user=\(id)")
            _ = try await service.send("GET", "/v1/accounts", query: "\(id)=\(id)")
            _ = try await service.signIn("\(id)@example.org")
            _ = try await service.refresh(id)
        }
        try await round("0199c2f0-7d1a-7b3e-9a54-3f2f0c9b6d11")
        _ = try await Self.page(service)
        let before = try await Self.page(service)
        for number in 10..<60 { try await round("0199c2f0-7d1a-7b3e-9a54-3f2f0c9b6d\(number)") }
        let after = try await Self.page(service)
        #expect(after.series == before.series)
        #expect(after.sum("postern_http_requests_total", ["route": "/v1/accounts/{id}", "status": "404"]) == 102)
    }

    /// What a store keeps has no numbers here; the others stand.
    @Test(arguments: [false, true])
    func noncesOfAStore(areStored: Bool) async throws {
        let page = try await Self.page(AccountService.with { $0.storesNonces = areStored })
        #expect(page.samples("postern_nonces_issued_total").count == 1)
        #expect(page.samples("postern_nonces_redeemed_total").count == (areStored ? 0 : 1))
        #expect(page.samples("postern_nonces_outstanding").count == (areStored ? 0 : 1))
        #expect(page.samples("postern_nonces_capacity").count == (areStored ? 0 : 1))
    }

    @Test func withoutAccountsNothingIsSaidOfThem() async throws {
        let page = try Exposition(try await TestService().send("GET", "/metrics").body)
        #expect(page.samples("postern_sessions_opened_total").isEmpty)
        #expect(
            page.samples("postern_http_request_duration_seconds_count").allSatisfy {
                !$0.labels.contains { $0.value.contains("accounts") }
            })
        #expect(page.sum("postern_http_problems_total", ["code": "email_taken"]) == 0)
    }

    /// A store that cannot remember a nonce is no verdict, and 503.
    @Test func noncesThatCannotBeWrittenDown() async throws {
        let service = try await AccountService.with { $0.storesNonces = true }
        let nonce = try await service.http.nonce(TestService.issued)
        let order: [String: Any] = ["token": try TestToken.issued(nonce), "nonce": nonce]
        service.store.fail(.locked)
        let reply = try await service.http.verify(order)
        #expect(reply.status == 503)
        #expect(reply.code == "store_unavailable")
        #expect(reply.field("Retry-After") == "10")
        let list = try await service.http.verify(["tokens": [order]])
        #expect(list.list("verdicts").first?["code"] as? String == "store_unavailable")
        service.store.fail(nil)
        #expect(try await service.http.verify(order).verdict == "accepted")
        #expect(try await service.http.verify(order).code == "nonce_used")
        let page = try await Self.page(service)
        #expect(page.sum("postern_verdicts_total", ["verdict": "fault", "code": "store_unavailable"]) == 2)
    }

    // MARK: - Secrets

    /// Neither log nor problems hold what only the person and their client may know, nor an address.
    @Test func secretsStayWhereTheyAre() async throws {
        let lines = Lock<[String]>([])
        let trail = Lock<[AuditEntry]>([])
        let log = RequestLog(.all) { event, members in lines.withLock { $0.append(event.line(time: "t", members)) } }
        let service = try await AccountService.with {
            $0.log = log
            $0.tell = { entry in trail.withLock { $0.append(entry) } }
        }
        let email = "secret-mailbox@example.org"
        let password = "secret password of mine"
        let account = try await service.signUp(email, password)
        let session = try await service.signIn(email, password)
        var replies = [
            try await service.signIn(email, "secret wrong one"), try await service.signIn("secret mailbox", password),
            try await service.send("POST", "/v1/accounts", ["email": email, "password": password]),
            try await service.send("GET", "/v1/accounts", query: "email=secret%20mailbox"),
            try await service.send("PUT", "/v1/accounts/\(account)/password", ["new_password": "secret"]),
            try await service.send("POST", "/v1/accounts", ["email": email, "password": "secret"]),
            try await service.send("POST", "/v1/sessions", ["email": email, "secret-member-that-is-long": 1]),
            try await service.refresh("secret-token"),
            try await service.signInWithApple(nonce: "secret-nonce", with: ["link_to": "secret-link"]),
            try await service.signInWithApple(nonce: "secret-nonce", with: ["nonce": "secret-other"]),
            try await service.form("/v1/introspect", "token=secret-token&token=secret-token"),
        ]
        service.store.fail(.damaged)
        replies.append(try await service.signIn(email, password))
        let told = lines.withLock { $0.joined(separator: "\n") }
        #expect(told.split(separator: "\n").count == 14)
        for secret in ["secret", session.text("access_token") ?? "-", session.text("refresh_token") ?? "-"] {
            #expect(!told.contains(secret))
        }
        // A word that may be a secret gone astray is cut.
        for reply in replies {
            #expect(reply.status >= 400)
            #expect(!reply.body.replacing("secret-member-th", with: "").contains("secret"), "\(reply.body)")
        }
        #expect(trail.withLock { !$0.isEmpty && $0.allSatisfy { $0.detail?.contains("secret") != true } })
    }

    @Test func whatIsToldOfASignIn() async throws {
        let lines = Lock<[String]>([])
        let log = RequestLog(.all) { event, members in lines.withLock { $0.append(event.line(time: "t", members)) } }
        let service = try await AccountService.with { $0.log = log }
        _ = try await service.signInWithApple(with: ["nonce": "other"])
        _ = try await service.refresh("nonsense")
        let told = lines.withLock { $0 }
        #expect(told[0].contains(#""status":403"#) && told[0].contains(#""code":"nonce_mismatch""#))
        #expect(told[0].contains(#""route":"/v1/sessions""#) && told[0].contains(#""provider":"apple""#))
        #expect(told[1].contains(#""code":"refresh_token_unknown""#))
    }
}
