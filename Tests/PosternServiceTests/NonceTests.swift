import Foundation
import PosternBase
import PosternTestSupport
import PosternTokens
import Testing

@Suite struct NonceTests {
    @Test func aNonceComesWithItsHash() async throws {
        let reply = try await TestService().send("POST", "/v1/nonces", "{}")
        #expect(reply.status == 201)
        let nonce = try #require(reply.text("nonce"))
        #expect(nonce.utf8.count == 82)
        #expect(reply.text("nonce_sha256") == Nonce.sha256Hex(of: nonce))
        #expect(reply.json["expires_in"] as? Int == 600)
        #expect(reply.json["expires_at"] as? Int64 == TestService.now + 600)
        #expect(reply.field("Cache-Control") == "no-store")
    }

    @Test func aNonceIsGoodOnce() async throws {
        let service = try TestService()
        let nonce = try await service.nonce()
        let request: [String: Any] = try ["token": TestToken.issued(nonce), "nonce": nonce]
        #expect(try await service.verify(request).verdict == "accepted")
        let again = try await service.verify(request)
        #expect(again.code == "nonce_used")
        #expect(try await service.verify(request.merging(["explain": true]) { $1 }).code == "nonce_used")
    }

    @Test(arguments: [false, true])
    func lookingConsumesNothing(explain: Bool) async throws {
        let service = try TestService()
        let nonce = try await service.nonce()
        let request: [String: Any] = try ["token": TestToken.issued(nonce), "nonce": nonce, "explain": explain]
        let look = request.merging(["consume": false]) { $1 }
        for _ in 0..<3 { #expect(try await service.verify(look).verdict == "accepted") }
        #expect(try await service.verify(request).verdict == "accepted")
        #expect(try await service.verify(look).code == "nonce_used")
    }

    /// Refused for any other reason, a token leaves the nonce good.
    @Test func aRefusalConsumesNothing() async throws {
        let service = try TestService()
        let nonce = try await service.nonce()
        let token = TestToken().with("aud", .string(TestService.issued))
            .with("nonce", .string(Nonce.sha256Hex(of: nonce)))
        let bent = try [
            token.with("exp", .integer(TestToken.issuedAt)).with("iat", .integer(TestToken.issuedAt - 9000)).signed(),
            token.with("aud", .string("other")).signed(), token.with("sub", nil).signed(),
            token.with("nonce", .string("x")).signed(), token.signed() + "A", String(token.signed().dropLast(8)),
        ]
        for bad in bent { #expect(try await service.verify(["token": bad, "nonce": nonce]).verdict == "refused") }
        #expect(try await service.verify(["token": token.signed(), "nonce": nonce]).verdict == "accepted")
    }

    @Test func nobodyElsesNonceIsTaken() async throws {
        let service = try TestService()
        let foreign = try await TestService().nonce()
        let reply = try await service.verify(["token": TestToken.issued(foreign), "nonce": foreign])
        #expect(reply.code == "nonce_unknown")
        let none = try await service.verify(["token": TestToken.issued("x")])
        #expect(none.code == "nonce_missing")
    }

    /// Of many that come at once with one nonce one is let in.
    @Test func aRaceHasOneWinner() async throws {
        let service = try TestService()
        for _ in 0..<20 {
            let nonce = try await service.nonce()
            let token = try TestToken.issued(nonce)
            let codes = try await withThrowingTaskGroup(of: String.self) { group in
                for _ in 0..<50 {
                    group.addTask {
                        let reply = try await service.verify(["token": token, "nonce": nonce])
                        return reply.code ?? reply.verdict ?? ""
                    }
                }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            #expect(codes.filter { $0 == "accepted" }.count == 1)
            #expect(codes.filter { $0 == "nonce_used" }.count == 49)
        }
    }

    // MARK: - Audiences

    @Test func theAudienceMustTakeIssuedNonces() async throws {
        let service = try TestService()
        #expect(try await service.send("POST", "/v1/nonces", #"{"audience":"com.example.issued"}"#).status == 201)
        for name in [TestService.hashed, "nobody", ""] {
            let reply = try await service.send("POST", "/v1/nonces", #"{"audience":"\#(name)"}"#)
            #expect(reply.status == 400)
            #expect(reply.code == "audience_unknown")
        }
    }

    @Test func severalAudiencesNeedOneNamed() async throws {
        let service = try TestService({
            [try TestService.apple(nonces: $0), try TestService.oidc("https://a.example", name: "a", nonces: $0)]
        })
        let reply = try await service.send("POST", "/v1/nonces", "{}")
        #expect(reply.status == 400)
        #expect(reply.code == "audience_needed")
        let nonce = try await service.nonce(TestService.issued)
        #expect(try await service.verify(["token": TestToken.issued(nonce), "nonce": nonce]).verdict == "accepted")
        // A nonce is for one audience.
        let other = try await service.nonce("web-issued")
        #expect(try await service.verify(["token": TestToken.issued(other), "nonce": other]).code == "nonce_unknown")
    }

    @Test func withoutAnIssuedAudienceThereAreNoNonces() async throws {
        let service = try TestService({
            [try TestService.apple([Audience(TestService.hashed, nonce: .hashed)], nonces: $0)]
        })
        #expect(try await service.send("POST", "/v1/nonces", "{}").code == "audience_unknown")
    }

    @Test(arguments: [
        (#"{"audience":1}"#, "member_invalid"), (#"{"x":1}"#, "member_unknown"), ("[]", "body_malformed"),
    ])
    func mistakesAreNamed(body: String, code: String) async throws {
        let reply = try await TestService().send("POST", "/v1/nonces", body)
        #expect(reply.status == 400)
        #expect(reply.code == code)
    }

    @Test func whenFullNoneAreIssued() async throws {
        let service = try TestService(capacity: 1)
        let nonce = try await service.nonce()
        for _ in 0..<2 {
            let reply = try await service.send("POST", "/v1/nonces", "{}")
            #expect(reply.status == 503)
            #expect(reply.code == "nonces_full")
            #expect(reply.field("Retry-After") == "10")
            // The one that was issued stays good.
            let look: [String: Any] = try ["token": TestToken.issued(nonce), "nonce": nonce, "consume": false]
            #expect(try await service.verify(look).verdict == "accepted")
        }
        #expect(try await service.verify(["token": TestToken.issued(nonce), "nonce": nonce]).verdict == "accepted")
        #expect(try await service.send("POST", "/v1/nonces", "{}").status == 503)
    }
}
