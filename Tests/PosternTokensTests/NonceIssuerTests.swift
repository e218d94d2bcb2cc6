import PosternBase
import PosternTestSupport
import PosternTokens
import Synchronization
import Testing

/// A clock that a test turns.
private final class TurnableClock: Sendable {
    private let seconds: Atomic<Int64>

    init(_ seconds: Int64) { self.seconds = Atomic(seconds) }

    var source: TimeSource { TimeSource { self.seconds.load(ordering: .relaxed) } }

    func turn(to seconds: Int64) { self.seconds.store(seconds, ordering: .relaxed) }
}

@Suite struct NonceTests {
    @Test func randomNoncesAreLongAndDifferent() throws {
        let nonces = (0..<1000).map { _ in Nonce.random() }
        #expect(Set(nonces).count == 1000)
        #expect(try nonces.allSatisfy { try #require(Base64URL.decode($0)).count >= 16 })
    }

    @Test(arguments: [
        ("rawnonce-example", "6e12574f7f8cde71da22bb85912c7a36d73cf6f557de1831389163b2f787db68"),
        ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
    ])
    func hashes(_ raw: String, _ hash: String) {
        #expect(Nonce.sha256Hex(of: raw) == hash)
    }
}

@Suite struct IssuedNonceTests {
    private let now = TestToken.issuedAt

    private func verify(
        _ issued: IssuedNonces,
        _ nonce: String,
        audience: String = TestToken.clientID,
        claim: String? = nil,
        at time: Int64,
        consumes: Bool = true,
        configured: [Audience] = [Audience(TestToken.clientID, nonce: .issued)]
    ) async throws -> String {
        let verifier = try TokenVerifier.test(configured, issuedNonces: issued, at: time)
        let token = try TestToken()
            .with("nonce", .string(claim ?? Nonce.sha256Hex(of: nonce)))
            .with("aud", .string(audience))
            .signed()
        let verdict = try await verifier.check(token, nonce: nonce, consumesNonce: consumes)
        return verdict.refusal?.code.rawValue ?? "accepted"
    }

    private func issuer(lifetime: Int64 = 600, clock: TimeSource? = nil) throws -> IssuedNonces {
        try IssuedNonces(lifetime: lifetime, time: clock ?? .fixed(now))
    }

    @Test func goodOnce() async throws {
        let issued = try issuer()
        let nonce = try #require(try issued.issue(audience: TestToken.clientID))
        #expect(nonce.sha256Hex == Nonce.sha256Hex(of: nonce.nonce))
        #expect(nonce.expiresAt == now + 600)
        #expect(try await verify(issued, nonce.nonce, at: now + 1, consumes: false) == "accepted")
        #expect(try await verify(issued, nonce.nonce, at: now + 1) == "accepted")
        #expect(try await verify(issued, nonce.nonce, at: now + 1) == "nonce_used")
        #expect(try await verify(issued, nonce.nonce, at: now + 1, consumes: false) == "nonce_used")
    }

    @Test func expiresOnTheSecond() async throws {
        let issued = try issuer(lifetime: 100)
        let nonce = try #require(try issued.issue(audience: TestToken.clientID))
        #expect(try await verify(issued, nonce.nonce, at: now + 100) == "nonce_expired")
        #expect(try await verify(issued, nonce.nonce, at: now + 99) == "accepted")
    }

    @Test func foreignNoncesAreUnknown() async throws {
        let issued = try issuer()
        let nonce = try #require(try issued.issue(audience: TestToken.clientID)).nonce
        let restarted = try issuer()
        #expect(try await verify(restarted, nonce, at: now + 1) == "nonce_unknown")
        #expect(try await verify(issued, "never issued", at: now + 1) == "nonce_unknown")
        #expect(try await verify(issued, nonce + "A", at: now + 1) == "nonce_unknown")
        #expect(try await verify(issued, String(nonce.dropLast()), at: now + 1) == "nonce_unknown")
        #expect(try await verify(issued, "", at: now + 1) == "nonce_missing")
        var bytes = try #require(Base64URL.decode(nonce))
        for place in bytes.indices {
            bytes[place] ^= 0x01
            #expect(try await verify(issued, Base64URL.encode(bytes), at: now + 1) == "nonce_unknown")
            bytes[place] ^= 0x01
        }
        #expect(try await verify(issued, nonce, at: now + 1) == "accepted")
    }

    @Test func belongsToItsAudience() async throws {
        let issued = try issuer()
        let both = [Audience(TestToken.clientID, nonce: .issued), Audience("com.example.other", nonce: .issued)]
        let nonce = try #require(try issued.issue(audience: TestToken.clientID)).nonce
        let other = try await verify(issued, nonce, audience: "com.example.other", at: now + 1, configured: both)
        #expect(other == "nonce_unknown")
        #expect(try await verify(issued, nonce, at: now + 1, configured: both) == "accepted")
    }

    @Test func aRefusedTokenUsesNothing() async throws {
        let issued = try issuer()
        let nonce = try #require(try issued.issue(audience: TestToken.clientID)).nonce
        #expect(try await verify(issued, nonce, claim: "another", at: now + 1) == "nonce_mismatch")
        #expect(try await verify(issued, nonce, claim: nonce, at: now + 1) == "nonce_mismatch")
        #expect(try await verify(issued, nonce, audience: "com.example.other", at: now + 1) == "audience_mismatch")
        #expect(try await verify(issued, nonce, at: now + 1) == "accepted")
    }

    @Test func clockStepsReviveNothing() async throws {
        let clock = TurnableClock(now)
        let issued = try issuer(clock: clock.source)
        let nonce = try #require(try issued.issue(audience: TestToken.clientID)).nonce
        #expect(try await verify(issued, nonce, at: now + 1) == "accepted")
        clock.turn(to: now + 7200)
        // Asking for another nonce forgets the expired one.
        _ = try issued.issue(audience: TestToken.clientID)
        clock.turn(to: now)
        #expect(try await verify(issued, nonce, at: now + 1) == "nonce_expired")
    }

    /// No more are issued than can be used, and each that was issued can be, until the moment it expires.
    @Test func noNewNoncesWhenFull() async throws {
        let clock = TurnableClock(now)
        let issued = try IssuedNonces(lifetime: 600, capacity: 3, time: clock.source)
        let nonces = try (0..<3).map { _ in try #require(try issued.issue(audience: TestToken.clientID)).nonce }
        #expect(try issued.issue(audience: TestToken.clientID) == nil)
        for nonce in nonces.reversed() {
            #expect(try await verify(issued, nonce, claim: "another", at: now + 1) == "nonce_mismatch")
            #expect(try await verify(issued, nonce, at: now + 599) == "accepted")
            #expect(try issued.issue(audience: TestToken.clientID) == nil)
        }
        clock.turn(to: now + 606)
        let next = try #require(try issued.issue(audience: TestToken.clientID)).nonce
        #expect(try await verify(issued, next, at: now + 607) == "accepted")
        for nonce in nonces { #expect(try await verify(issued, nonce, at: now + 1) != "accepted") }
    }

    @Test func settingsAreChecked() {
        #expect(throws: ConfigurationError.self) { try IssuedNonces(lifetime: 9) }
        #expect(throws: ConfigurationError.self) { try IssuedNonces(lifetime: 86_401) }
        #expect(throws: ConfigurationError.self) { try IssuedNonces(capacity: 0) }
        #expect(throws: ConfigurationError.self) { try NonceIssuer(keys: []) }
        #expect(throws: ConfigurationError.self) {
            try NonceIssuer.Key(id: 1, secret: [UInt8](repeating: 1, count: 31))
        }
        #expect(throws: ConfigurationError.self) {
            try TokenVerifier.test([Audience(TestToken.clientID, nonce: .issued)])
        }
    }

    /// Keys rotate: the first signs, the others are still known.
    @Test func olderKeysAreRecognised() throws {
        let old = try NonceIssuer.Key(id: 1, secret: [UInt8](repeating: 1, count: 32))
        let new = try NonceIssuer.Key(id: 2, secret: [UInt8](repeating: 2, count: 32))
        let before = try NonceIssuer(keys: [old])
        let nonce = try before.issue(audience: "a", now: now)
        #expect(try NonceIssuer(keys: [new, old]).recognises(nonce.nonce, audience: "a", now: now))
        #expect(try !NonceIssuer(keys: [new]).recognises(nonce.nonce, audience: "a", now: now))
        #expect(throws: ConfigurationError.self) { try NonceIssuer(keys: [old, old]) }
    }
}
