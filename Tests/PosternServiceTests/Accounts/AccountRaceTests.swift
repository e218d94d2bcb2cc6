import Foundation
import PosternAccounts
import PosternService
import PosternTestSupport
import Testing

/// Many requests at once: whatever the order, the outcome is one that some order has.
@Suite struct AccountRaceTests {
    private static let rounds =
        (ProcessInfo.processInfo.environment["POSTERN_RACE_ROUNDS"].flatMap { Int($0) } ?? 20) / 4

    private func atOnce(_ count: Int, _ call: @escaping @Sendable (Int) async throws -> TestReply) async throws
        -> [TestReply]
    {
        try await withThrowingTaskGroup(of: TestReply.self) { group in
            for number in 0..<count { group.addTask { try await call(number) } }
            return try await group.reduce(into: []) { $0.append($1) }
        }
    }

    @Test func oneTokenIsOneSession() async throws {
        for _ in 0..<Self.rounds {
            let service = try await AccountService()
            let replies = try await atOnce(50) { _ in try await service.signInWithApple() }
            #expect(replies.allSatisfy { $0.status == 201 })
            #expect(Set(replies.map(\.sessionID)).count == 1)
            #expect(Set(replies.map { $0.text("refresh_token") }).count == 1)
            #expect(replies.allSatisfy { $0.json["is_new_account"] as? Bool == true })
            #expect(try await service.send("GET", "/v1/accounts").list("accounts").count == 1)
        }
    }

    @Test func oneAddressIsOneAccount() async throws {
        for _ in 0..<Self.rounds {
            let service = try await AccountService()
            let replies = try await atOnce(50) { _ in
                try await service.send(
                    "POST", "/v1/accounts", ["email": AccountService.email, "password": AccountService.password])
            }
            #expect(replies.count { $0.status == 201 } == 1)
            #expect(replies.count { $0.code == "email_taken" } == 49)
        }
    }

    @Test func oneRefreshTokenHasOneSuccessor() async throws {
        for _ in 0..<Self.rounds {
            let service = try await AccountService()
            let token = try await service.signInWithApple().text("refresh_token")
            let replies = try await atOnce(20) { _ in try await service.refresh(token) }
            #expect(replies.allSatisfy { $0.status == 200 })
            #expect(Set(replies.map { $0.text("refresh_token") }).count == 1)
        }
    }

    /// Whoever comes after the end of a session gets nothing, and nothing brings it back.
    @Test func endsAgainstRefreshes() async throws {
        for _ in 0..<Self.rounds {
            let service = try await AccountService()
            let session = try await service.signInWithApple()
            let replies = try await atOnce(20) { number in
                number == 10
                    ? try await service.send("DELETE", "/v1/sessions/\(session.sessionID)")
                    : try await service.refresh(session.text("refresh_token"))
            }
            #expect(replies.allSatisfy { [200, 204].contains($0.status) || $0.code == "session_ended" })
            #expect(replies.count { $0.status == 204 } == 1)
            let left = try await service.send("GET", "/v1/sessions", query: "user=\(session.accountID)")
            #expect(left.list("sessions").isEmpty)
        }
    }

    /// Links against unlinks: there is always a way in.
    @Test func aLastWayInIsLeft() async throws {
        for _ in 0..<Self.rounds {
            let service = try await AccountService()
            let first = try await service.signInWithApple("one", nonce: "one")
            let link = first.text("access_token") ?? ""
            _ = try await service.signInWithApple("two", nonce: "two", with: ["link_to": link])
            let path = "/v1/accounts/\(first.accountID)"
            let names = try await service.send("GET", path).list("identities").compactMap { $0["id"] as? String }
            let replies = try await atOnce(10) { number in
                try await service.send("DELETE", "\(path)/identities/\(names[number % 2])")
            }
            #expect(replies.count { $0.status == 200 } == 1)
            #expect(try await service.send("GET", path).list("identities").count == 1)
        }
    }
}
