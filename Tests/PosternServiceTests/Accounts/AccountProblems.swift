import Foundation
import PosternAccounts
import PosternPasswords
import PosternService
import PosternTestSupport

/// How to get each problem that is about accounts.
enum AccountProblems {
    typealias Call = @Sendable () async throws -> TestReply

    static func calls() -> [ProblemCode: Call] {
        signIns.merging(accounts) { $1 }.merging(faults) { $1 }
    }

    private static let nobody = "0199c2f0-7d1a-7b3e-9a54-3f2f0c9b6d11"

    private static let signIns: [ProblemCode: Call] = [
        .queryInvalid: { try await AccountService().send("GET", "/v1/accounts", query: "limit=0") },
        .accountsOff: { try await TestService().send("GET", "/v1/accounts") },
        .emailInvalid: { try await AccountService().signIn("ana") },
        .invalidCredentials: { try await AccountService().signIn() },
        .passwordsOff: { try await AccountService.with { $0.hasPasswords = false }.signIn() },
        .accountBanned: {
            let service = try await AccountService()
            _ = try await service.send("PATCH", "/v1/accounts/\(try await service.signUp())", ["banned": true])
            return try await service.signIn()
        },
        .identityTaken: {
            let service = try await AccountService()
            _ = try await service.signUp()
            _ = try await service.signInWithApple()
            let link = try await service.signIn().text("access_token") ?? ""
            return try await service.signInWithApple(nonce: "another", with: ["link_to": link])
        },
        .tokenUsed: {
            let service = try await AccountService()
            _ = try await service.signInWithApple()
            service.clock.advance(30)
            return try await service.signInWithApple()
        },
        .tooManyAttempts: {
            let service = try await AccountService.with { $0.attempts = AttemptRule(burst: 1, refill: 60) }
            _ = try await service.signIn()
            return try await service.signIn()
        },
        .refreshTokenUnknown: { try await AccountService().refresh("nonsense") },
        .refreshTokenReused: {
            let service = try await AccountService()
            let first = try await service.signInWithApple().text("refresh_token")
            let second = try await service.refresh(first).text("refresh_token")
            _ = try await service.refresh(second)
            service.clock.advance(10)
            return try await service.refresh(first)
        },
        .sessionEnded: {
            let service = try await AccountService()
            let session = try await service.signInWithApple()
            _ = try await service.send("DELETE", "/v1/sessions/\(session.sessionID)")
            return try await service.refresh(session.text("refresh_token"))
        },
    ]

    private static let accounts: [ProblemCode: Call] = [
        .accountUnknown: { try await AccountService().send("GET", "/v1/accounts/\(nobody)") },
        .sessionUnknown: { try await AccountService().send("DELETE", "/v1/sessions/\(nobody)") },
        .signUpUnknown: { try await AccountService().send("POST", "/v1/sign-ups/\(nobody)/confirm") },
        .emailMissing: {
            let service = try await AccountService()
            let path = "/v1/accounts/\(try await service.signInWithApple().accountID)/password"
            return try await service.send("PUT", path, ["new_password": "four other words"])
        },
        .emailTaken: {
            let service = try await AccountService()
            _ = try await service.signUp()
            return try await service.send(
                "POST", "/v1/accounts", ["email": AccountService.email, "password": AccountService.password])
        },
        .emailUnproven: {
            let service = try await AccountService()
            let path = "/v1/accounts/\(try await service.signUp())"
            _ = try await service.send("PATCH", path, ["email": "ana@example.net", "email_proven": true])
            return try await service.send("PATCH", path, ["email": "ana@example.com"])
        },
        .identityUnknown: {
            let service = try await AccountService()
            let account = try await service.signUp()
            let identity = String(repeating: "0", count: 32)
            return try await service.send("DELETE", "/v1/accounts/\(account)/identities/\(identity)")
        },
        .lastSignInMethod: {
            let service = try await AccountService()
            let account = try await service.signInWithApple().accountID
            let identity = try await service.send("GET", "/v1/accounts/\(account)").list("identities")[0]["id"]
            return try await service.send("DELETE", "/v1/accounts/\(account)/identities/\(identity as? String ?? "")")
        },
        .passwordWrong: {
            let service = try await AccountService()
            let path = "/v1/accounts/\(try await service.signUp())/password"
            return try await service.send("PUT", path, ["new_password": "four other words"])
        },
        .passwordUnacceptable: {
            try await AccountService().send(
                "POST", "/v1/accounts", ["email": AccountService.email, "password": "short"])
        },
    ]

    private static let faults: [ProblemCode: Call] = [
        .hashingBusy: {
            let pool = HashingPool(try PasswordCheck(CheapHasher()), threads: 1, queue: 1)
            pool.close()
            return try await AccountService.with { $0.pool = pool }.signIn()
        },
        .hashingFailed: {
            let pool = HashingPool(try PasswordCheck(BrokenHasher()), threads: 1, queue: 1)
            return try await AccountService.with { $0.pool = pool }.signIn()
        },
        .signingKeysUnavailable: { try await AccountService.with { $0.hasKeys = false }.signInWithApple() },
        .storeBusy: { try await fault(.busy) }, .storeFull: { try await fault(.full) },
        .storeReadOnly: { try await fault(.readOnly) }, .storeLocked: { try await fault(.locked) },
        .storeDamaged: { try await fault(.damaged) }, .storeUnavailable: { try await fault(.unavailable) },
    ]

    private static func fault(_ reason: StoreFault.Reason) async throws -> TestReply {
        let service = try await AccountService()
        service.store.fail(reason)
        return try await service.send("POST", "/v1/sessions", AccountService.apple())
    }
}

/// Makes one hash and compares none.
private struct BrokenHasher: PasswordHasher {
    private let hasher = CheapHasher()

    func hash(_ password: NormalizedPassword) throws(PasswordFault) -> StoredPasswordHash { try hasher.hash(password) }

    func verify(_ password: Password, against hash: StoredPasswordHash) throws(PasswordFault) -> Bool {
        throw PasswordFault(.memory, "none left")
    }

    func needsRehash(_ hash: StoredPasswordHash) -> Bool { false }
}
