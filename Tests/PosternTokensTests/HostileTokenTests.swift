import PosternBase
import PosternCrypto
import PosternJOSE
import PosternTestSupport
import PosternTokens
import Testing

/// Tokens that are signed well and say nonsense: refused, and the next good token is served.
@Suite struct HostileTokenTests {
    private static let good = #""iss":"https://appleid.apple.com","aud":"com.example.app","sub":"someone""#

    private func outcome(header: String, payload: String) async throws -> String? {
        let (signer, _) = try TestKeys.rs256()
        let token = try signer.sign(header: Array(header.utf8), payload: Array(payload.utf8))
        return try await outcome(token)
    }

    private func outcome(_ token: String) async throws -> String? {
        let verifier = try TokenVerifier.test([Audience(TestToken.clientID, nonce: .unchecked)])
        let verdict = try await verifier.check(token, nonce: .unchecked)
        let next = try await verifier.check(TestToken().signed(), nonce: .unchecked)
        #expect(next.identity != nil, "the next good token is served")
        return verdict.refusal?.code.rawValue
    }

    private static let header = #"{"alg":"RS256","kid":"test-key"}"#

    @Test(arguments: [
        ("1e300", "claims_malformed"), ("1e309", "claims_malformed"), ("\"9999999999\"", "claims_malformed"),
        ("true", "claims_malformed"), ("null", "claims_malformed"), ("[]", "claims_malformed"),
        ("{}", "claims_malformed"), (String(repeating: "9", count: 50), "claims_malformed"), ("0", "token_expired"),
        ("-1", "claims_malformed"), ("1099511627776", "claims_malformed"), ("1099511627775", nil),
        ("1790000600.9", nil), ("1.7900006e9", nil), ("01", "claims_malformed"), ("NaN", "claims_malformed"),
        ("1e999999999999999999999", "claims_malformed"), ("1e-999999999999999999999", "token_expired"),
        ("0e999999999999999999999", "token_expired"),
    ])
    func expiry(_ number: String, _ code: String?) async throws {
        let payload = "{\(Self.good),\"iat\":1790000000,\"exp\":\(number)}"
        #expect(try await outcome(header: Self.header, payload: payload) == code)
    }

    @Test(arguments: [
        (#"{"alg":"RS256","\u0061lg":"RS256","kid":"test-key"}"#, "header_invalid"),
        (#"{"alg":"RS256","alg":"none","kid":"test-key"}"#, "header_invalid"),
        (#"{"alg":"RS256","kid":"test-key",}"#, "header_invalid"),
        ("\u{FEFF}{\"alg\":\"RS256\",\"kid\":\"test-key\"}", "header_invalid"),
        (#"{"\u0061lg":"RS256","kid":"test-key"}"#, nil),
    ])
    func headers(_ header: String, _ code: String?) async throws {
        let payload = "{\(Self.good),\"iat\":1790000000,\"exp\":1790000600}"
        #expect(try await outcome(header: header, payload: payload) == code)
    }

    @Test func utf16() async throws {
        let (signer, _) = try TestKeys.rs256()
        let units = Array("\(Self.header)".utf16)
        let bytes = units.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }
        #expect(try await outcome(signer.sign(header: [0xFF, 0xFE] + bytes, payload: [])) == "header_invalid")
        #expect(try await outcome(signer.sign(header: bytes, payload: [])) == "header_invalid")
        let payload = Array("{}".utf16).flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }
        #expect(try await outcome(signer.sign(header: Array(Self.header.utf8), payload: payload)) == "claims_malformed")
    }

    @Test func hugeTokens() async throws {
        #expect(try await outcome(String(repeating: "[", count: 100_000)) == "token_too_large")
        #expect(try await outcome(String(repeating: ".", count: 1_000_000)) == "token_too_large")
        #expect(try await outcome(String(repeating: ".", count: 16_384)) == "token_malformed")
        #expect(try await outcome("") == "token_malformed")
    }

    /// Two names of a person that differ only in Unicode normal form are two persons.
    @Test func normalFormsOfSubjects() async throws {
        let verifier = try TokenVerifier.test([Audience(TestToken.clientID, nonce: .unchecked)])
        let composed = try TestToken().with("sub", .string("caf\u{E9}")).signed()
        let decomposed = try TestToken().with("sub", .string("cafe\u{301}")).signed()
        let first = try await verifier.verify(composed, nonce: .unchecked).subject
        let second = try await verifier.verify(decomposed, nonce: .unchecked).subject
        #expect(first.description == second.description, "Swift calls the texts equal")
        #expect(first != second)
        #expect(Set([first, second]).count == 2)
    }

    @Test func audienceEqualOnlyUnderNormalisation() async throws {
        let verifier = try TokenVerifier.test([Audience("caf\u{E9}", nonce: .unchecked)])
        for aud in [JSONOutput.string("cafe\u{301}"), .array([.string("cafe\u{301}")])] {
            let token = try TestToken().with("aud", aud).signed()
            #expect(try await verifier.check(token, nonce: .unchecked).refusal?.code == .audienceMismatch)
        }
        let token = try TestToken().with("aud", .string("caf\u{E9}")).signed()
        #expect(try await verifier.check(token, nonce: .unchecked).identity != nil)
    }

    @Test func derEncodedES256() async throws {
        let key = try TestKeys.p256.get()
        let signer = try SigningKey(key, .es256, keyID: "ec")
        let keys = KeySet(keys: [try VerificationKey(key.publicKey, keyID: "ec", declaredAlgorithm: .es256)])
        let verifier = try TokenVerifier(
            .oidc(
                issuer: "https://id.example.com",
                audiences: [Audience(TestToken.clientID, nonce: .unchecked)],
                algorithms: [.es256]
            ),
            keys: StaticKeySource(keys),
            time: .fixed(TestToken.issuedAt)
        )
        let token = try TestToken().with("iss", .string("https://id.example.com")).signed(signer)
        #expect(try await verifier.check(token, nonce: .unchecked).identity != nil)

        let segments = token.split(separator: ".").map(String.init)
        let raw = try #require(Base64URL.decode(segments[2]))
        let der = derSignature(raw)
        let forged = "\(segments[0]).\(segments[1]).\(Base64URL.encode(der))"
        #expect(try await verifier.check(forged, nonce: .unchecked).refusal?.code == .signatureInvalid)
    }
}

/// The DER of an R ‖ S, as ASN.1 wants it: no needless zeros, and a zero before a top bit.
private func derSignature(_ raw: [UInt8]) -> [UInt8] {
    let integers = [raw[..<(raw.count / 2)], raw[(raw.count / 2)...]].map { half -> [UInt8] in
        let digits = Array(half.drop { $0 == 0 })
        let number = (digits.first ?? 0x80) >= 0x80 ? [0] + digits : digits
        return [0x02, UInt8(number.count)] + number
    }
    let content = integers[0] + integers[1]
    return [0x30, UInt8(content.count)] + content
}
