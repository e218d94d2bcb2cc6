import PosternBase
import PosternJOSE
import PosternTestSupport
import PosternTokens
import Testing

/// A token at hand as bytes: judged at once while its key is at hand.
@Suite struct AtOnceTests {
    private struct Keys: KeySource {
        let keys: KeySet?
        func current() -> KeySet? { keys }
        func keySet(missing keyID: String?) async throws(VerificationFault) -> KeySet { throw .keysUnavailable("none") }
    }

    private static let issued = [Audience(TestToken.clientID, nonce: .issued)]

    private func judge(
        _ verifier: TokenVerifier, _ token: String, _ request: borrowing VerificationRequest
    ) throws(VerificationError) -> VerifiedIdentity? {
        try Array(token.utf8).withUnsafeBufferPointer { bytes throws(VerificationError) in
            try verifier.identityAtOnce(bytes, request)
        }
    }

    @Test func aGoodTokenIsAccepted() throws {
        let request = VerificationRequest(nonce: TestToken.rawNonce)
        let identity = try judge(.test(), TestToken().signed(), request)
        #expect(identity?.audience == TestToken.clientID)
        #expect(throws: VerificationError.self) {
            try judge(.test(), TestToken().signed(), VerificationRequest(nonce: "x"))
        }
    }

    /// Nothing has happened when it has to be waited for: the nonce is good afterwards.
    @Test(arguments: [nil, KeySet(keys: [])])
    func aMissingKeyChangesNothing(keys: KeySet?) throws {
        let now = TestToken.issuedAt + 1
        let nonces = try IssuedNonces(time: .fixed(now))
        let nonce = try #require(try nonces.issue(audience: TestToken.clientID))
        let token = try TestToken().with("nonce", .string(nonce.sha256Hex)).signed()
        let request = VerificationRequest(nonce: nonce.nonce)
        #expect(try judge(.test(Self.issued, keys: Keys(keys: keys), issuedNonces: nonces), token, request) == nil)
        let verifier = try TokenVerifier.test(Self.issued, issuedNonces: nonces)
        #expect(try judge(verifier, token, VerificationRequest(nonce: nonce.nonce, consumesNonce: false)) != nil)
        #expect(try judge(verifier, token, request) != nil)
        let again = #expect(throws: VerificationError.self) { try judge(verifier, token, request) }
        guard case .refused(let refusal) = again else { return #expect(Bool(false)) }
        #expect(refusal.code == .nonceUsed)
    }

    @Test func whatNeedsNoKeyIsRefusedAtOnce() throws {
        let verifier = try TokenVerifier.test(keys: Keys(keys: nil))
        #expect(throws: VerificationError.self) { try judge(verifier, "x", VerificationRequest(nonce: "n")) }
    }
}
