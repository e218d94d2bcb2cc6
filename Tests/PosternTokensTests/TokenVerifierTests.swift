import PosternBase
import PosternCrypto
import PosternJOSE
import PosternTestSupport
import PosternTokens
import Synchronization
import Testing

@Suite struct VerdictTests {
    private static let order = [
        "size", "form", "header", "algorithm", "critical", "claims", "issuer", "key", "signature", "kind", "audience",
        "authorized_party", "subject", "expiry", "not_before", "issued_at", "age", "access_token_hash", "code_hash",
        "nonce",
    ]

    @Test func acceptedListsEveryCheckInOrder() async throws {
        let verdict = try await TokenVerifier.test().check(TestToken().signed(), nonce: TestToken.rawNonce)
        #expect(verdict.identity != nil)
        #expect(verdict.checks.map(\.name.rawValue) == Self.order)
        let skipped = verdict.checks.filter { $0.result == .skipped }.map(\.name.rawValue)
        #expect(skipped == ["authorized_party", "not_before", "access_token_hash", "code_hash"])
        #expect(!verdict.checks.contains { $0.result == .failed })
    }

    /// One token for each check: it fails, all before it has passed or did not apply, all after it are skipped.
    @Test(
        arguments: [
            ("algorithm", "algorithm_not_allowed", #"{"alg":"none","kid":"test-key"}"#, [:]),
            ("critical", "critical_header_unsupported", #"{"alg":"RS256","kid":"test-key","crit":["exp"]}"#, [:]),
            ("claims", "claims_malformed", nil, ["exp": .null]),
            ("issuer", "issuer_mismatch", nil, ["iss": .string("https://appleid.apple.com/")]),
            ("key", "key_not_found", #"{"alg":"RS256","kid":"other-key"}"#, [:]),
            ("kind", "not_an_identity_token", nil, ["events": .string("{}")]),
            ("audience", "audience_mismatch", nil, ["aud": .string("com.example.app.evil")]),
            ("authorized_party", "authorized_party_mismatch", nil, ["azp": .string("com.example.other")]),
            ("subject", "subject_missing", nil, ["sub": .string("")]),
            ("expiry", "token_expired", nil, ["exp": .integer(TestToken.issuedAt - 100)]),
            ("not_before", "token_not_yet_valid", nil, ["nbf": .integer(TestToken.issuedAt + 100)]),
            ("issued_at", "issued_in_future", nil, ["iat": .integer(TestToken.issuedAt + 100)]),
            ("age", "token_too_old", nil, ["iat": .integer(TestToken.issuedAt - 1000)]),
            ("nonce", "nonce_mismatch", nil, ["nonce": .string("another")]),
        ] as [(String, String, String?, [String: JSONOutput])])
    func refusedStopsAtTheFailedCheck(
        _ check: String,
        _ code: String,
        _ header: String?,
        _ claims: [String: JSONOutput]
    ) async throws {
        let token = claims.reduce(TestToken()) { $0.with($1.key, $1.value) }
        let payload = Array(JSONOutput.object(token.claims).text().utf8)
        let signer = try TestKeys.rs256().signer
        let text = try header.map { try signer.sign(header: Array($0.utf8), payload: payload) } ?? token.signed()
        let verdict = try await TokenVerifier.test().check(text, nonce: TestToken.rawNonce)
        #expect(verdict.refusal?.code.rawValue == code)
        #expect(verdict.checks.map(\.name.rawValue) == Self.order)
        let place = try #require(Self.order.firstIndex(of: check))
        #expect(verdict.checks[place].result == .failed)
        #expect(!verdict.checks[..<place].contains { $0.result == .failed })
        #expect(verdict.checks[(place + 1)...].allSatisfy { $0.result == .skipped })
    }

    @Test func jsonShape() async throws {
        let accepted = try await TokenVerifier.test().check(TestToken().signed(), nonce: TestToken.rawNonce)
        let good = try JSONDocument(accepted.json.text()).root
        #expect(good.members.map(\.name) == ["verdict", "identity", "checks"])
        #expect(good["verdict"]?.string == "accepted")
        #expect(good["identity"]?["subject"]?.string == "001234.0123456789abcdef0123456789abcdef.0123")
        let refused = try await TokenVerifier.test().check(
            TestToken().with("aud", .string("x")).signed(),
            nonce: TestToken.rawNonce
        )
        let bad = try JSONDocument(refused.json.text()).root
        #expect(bad.members.map(\.name) == ["verdict", "code", "message", "checks"])
        #expect(bad["code"]?.string == "audience_mismatch")
        let audience = try #require(bad["checks"]?.elements?.first { $0["check"]?.string == "audience" })
        #expect(audience["result"]?.string == "failed")
        #expect(audience["expected"]?.elements?.map(\.string) == ["com.example.app"])
        #expect(audience["seen"]?.elements?.map(\.string) == ["x"])
    }

    /// Messages and explanations hold neither the token nor a nonce that could be used.
    @Test func nothingSecretIsSaid() async throws {
        let secret = "a-secret-raw-nonce-of-a-sign-in-attempt"
        for rule in [NonceRule.hashed, .plain] {
            let token = try TestToken().with("nonce", .string("another-nonce-that-the-token-holds")).signed()
            let verifier = try TokenVerifier.test([Audience(TestToken.clientID, nonce: rule)])
            let text = try await verifier.check(token, nonce: secret).json.text()
            #expect(!text.contains(secret))
            #expect(!text.contains("another-nonce-that-the-token-holds"))
            #expect(!text.contains(token.split(separator: ".")[2]))
        }
    }
}

@Suite struct IdentityTests {
    private func identity(_ claims: [String: JSONOutput]) async throws -> VerifiedIdentity {
        let token = claims.reduce(TestToken()) { $0.with($1.key, $1.value) }
        return try await TokenVerifier.test().verify(token.signed(), nonce: TestToken.rawNonce)
    }

    @Test func typedClaims() async throws {
        let identity = try await identity([
            "email": .string("someone@privaterelay.appleid.com"), "email_verified": .string("true"),
            "is_private_email": .bool(true), "real_user_status": .integer(2), "auth_time": .integer(1_789_999_999),
            "transfer_sub": .string("001234.old"), "org_id": .string("org"), "tid": .string("t"), "oid": .string("o"),
        ])
        #expect(identity.provider == "apple")
        #expect(identity.issuer == "https://appleid.apple.com")
        #expect(identity.audience == "com.example.app")
        #expect(identity.subject.description == "001234.0123456789abcdef0123456789abcdef.0123")
        #expect(identity.email == "someone@privaterelay.appleid.com")
        #expect(identity.isEmailVerified)
        #expect(identity.isPrivateRelay)
        #expect(identity.realUserStatus == 2)
        #expect(identity.authenticationTime == 1_789_999_999)
        #expect(identity.issuedAt == TestToken.issuedAt)
        #expect(identity.expiresAt == TestToken.issuedAt + 86_400)
        #expect(identity.transferSubject?.description == "001234.old")
        #expect(identity.organizationID == "org")
        #expect(identity.tenantID == "t")
        #expect(identity.objectID == "o")
        #expect(identity.claims["real_user_status"]?.integer == 2)
    }

    /// Only true and "true" say that an address is verified.
    @Test(
        arguments: [
            (.bool(true), true), (.string("true"), true), (.bool(false), false), (.string("false"), false),
            (.integer(1), false), (.string("1"), false), (.string("True"), false), (.string("yes"), false),
            (.null, false),
            (.array([.bool(true)]), false), (.object([]), false),
        ] as [(JSONOutput, Bool)])
    func emailVerified(_ value: JSONOutput, _ verified: Bool) async throws {
        let identity = try await identity(["email": .string("a@example.com"), "email_verified": value])
        #expect(identity.isEmailVerified == verified)
    }

    @Test(arguments: [JSONOutput.null, .string(""), .integer(1), .array([])])
    func emailThatIsNone(_ value: JSONOutput) async throws {
        let identity = try await identity(["email": value, "email_verified": .bool(true)])
        #expect(identity.email == nil)
        #expect(!identity.isEmailVerified)
    }
}

@Suite struct RequestTests {
    private let two = [Audience("com.example.app", nonce: .hashed), Audience("com.example.web", nonce: .plain)]

    @Test func narrowing() async throws {
        let verifier = try TokenVerifier.test(two)
        let app = try TestToken().signed()
        _ = try await verifier.verify(app, nonce: TestToken.rawNonce, audience: "com.example.app")
        for other in ["com.example.web", "com.example.unknown", ""] {
            let verdict = try await verifier.check(app, nonce: TestToken.rawNonce, audience: other)
            #expect(verdict.refusal?.code == .audienceMismatch)
        }
    }

    @Test func eachAudienceHasItsOwnNonceRule() async throws {
        let verifier = try TokenVerifier.test(two)
        let web = try TestToken().with("aud", .string("com.example.web")).with("nonce", .string("raw")).signed()
        _ = try await verifier.verify(web, nonce: "raw")
        let both = try TestToken().with("aud", .strings(["com.example.app", "com.example.web"])).signed()
        #expect(try await verifier.check(both, nonce: TestToken.rawNonce).refusal?.code == .audienceMismatch)
    }

    /// Advice to switch to the rule plain would hand the nonce to whoever holds the token.
    @Test func theHashGivenForTheRawNonceIsNamed() async throws {
        let hash = Nonce.sha256Hex(of: TestToken.rawNonce)
        let refusal = try await TokenVerifier.test().check(TestToken().signed(), nonce: hash).refusal
        #expect(refusal?.code == .nonceMismatch)
        #expect(refusal?.message.contains("in place of the raw nonce") == true)
        #expect(refusal?.message.contains("plain") == false)
    }

    @Test func aNonceIsNeverSkippedBecauseItIsMissing() async throws {
        let verifier = try TokenVerifier.test()
        #expect(try await verifier.check(TestToken().signed(), nonce: .unchecked).refusal?.code == .nonceMissing)
        #expect(try await verifier.check(TestToken().signed(), nonce: "").refusal?.code == .nonceMissing)
        let unchecked = try TokenVerifier.test([Audience(TestToken.clientID, nonce: .unchecked)])
        let verdict = try await unchecked.check(TestToken().signed(), nonce: TestToken.rawNonce)
        #expect(verdict.refusal?.code == .nonceMismatch)
    }

    @Test func verifyThrowsTheRefusal() async throws {
        let verifier = try TokenVerifier.test()
        await #expect(throws: VerificationError.self) {
            try await verifier.verify("no token", nonce: TestToken.rawNonce)
        }
    }
}

/// A source that has some keys at hand and gets others, counting how often.
private final class CountingSource: KeySource {
    private let atHand: KeySet?
    private let fetched: Result<KeySet, VerificationFault>
    private let asked = Mutex<[String?]>([])

    init(_ atHand: KeySet?, then fetched: Result<KeySet, VerificationFault>) {
        self.atHand = atHand
        self.fetched = fetched
    }

    var questions: [String?] { asked.withLock { $0 } }

    func current() -> KeySet? { atHand }

    func keySet(missing keyID: String?) async throws(VerificationFault) -> KeySet {
        asked.withLock { $0.append(keyID) }
        return try fetched.get()
    }
}

@Suite struct KeySourceTests {
    private let fault = Result<KeySet, VerificationFault>.failure(.keysUnavailable("down"))

    private func outcome(_ source: CountingSource, _ token: TestToken = TestToken()) async throws -> String {
        do {
            let verifier = try TokenVerifier.test(keys: source)
            let verdict = try await verifier.check(token.signed(), nonce: TestToken.rawNonce)
            return verdict.refusal?.code.rawValue ?? "accepted"
        } catch let fault as VerificationFault {
            return fault.code.rawValue
        }
    }

    @Test func aKeyAtHandAsksNobody() async throws {
        let source = CountingSource(try TestKeys.rs256().keys, then: fault)
        #expect(try await outcome(source) == "accepted")
        #expect(source.questions.isEmpty)
    }

    @Test func aMissingKeyIsAskedForOnce() async throws {
        let other = try TestKeys.rs256("other").keys
        let source = CountingSource(other, then: .success(try TestKeys.rs256().keys))
        #expect(try await outcome(source) == "accepted")
        #expect(source.questions == ["test-key"])
        let stillMissing = CountingSource(other, then: .success(other))
        #expect(try await outcome(stillMissing) == "key_not_found")
        #expect(stillMissing.questions.count == 1)
    }

    @Test func noKeysAtHand() async throws {
        let source = CountingSource(nil, then: .success(try TestKeys.rs256().keys))
        #expect(try await outcome(source) == "accepted")
        #expect(source.questions == ["test-key"])
        #expect(try await outcome(CountingSource(nil, then: fault)) == "keys_unavailable")
        let empty = KeySet(keys: [])
        #expect(try await outcome(CountingSource(nil, then: .success(empty))) == "keys_unavailable")
        #expect(try await outcome(CountingSource(empty, then: .success(empty))) == "keys_unavailable")
    }

    /// What is refused before the key costs no fetch: nobody can make us ask with a token that is bad anyway.
    @Test func aTokenThatIsBadAnywayAsksNobody() async throws {
        let source = CountingSource(nil, then: fault)
        #expect(try await outcome(source, TestToken().with("iss", .string("x"))) == "issuer_mismatch")
        #expect(try await outcome(source, TestToken().with("exp", .null)) == "claims_malformed")
        #expect(source.questions.isEmpty)
    }

    @Test func aBadSignatureUnderAKnownKeyAsksNobody() async throws {
        let keys = KeySet(keys: [
            try VerificationKey(TestKeys.otherRSA.get().publicKey, keyID: "test-key", declaredAlgorithm: .rs256)
        ])
        let source = CountingSource(keys, then: .success(try TestKeys.rs256().keys))
        #expect(try await outcome(source) == "signature_invalid")
        #expect(source.questions.isEmpty)
    }

    @Test func faultIsThrownByVerifyToo() async throws {
        let verifier = try TokenVerifier.test(keys: CountingSource(nil, then: fault))
        let token = try TestToken().signed()
        await #expect(throws: VerificationError.fault(.keysUnavailable("down"))) {
            try await verifier.verify(token, nonce: TestToken.rawNonce)
        }
    }
}
