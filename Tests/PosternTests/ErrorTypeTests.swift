import Postern
import PosternTestSupport
import Testing

/// One typed error for each call: these lines compile only while it is so.
@Suite struct ErrorTypeTests {
    typealias Verify = (TokenVerifier, String) async throws(VerificationError) -> VerifiedIdentity
    typealias Check = (TokenVerifier, String) async throws(VerificationFault) -> Verdict
    typealias SetUp = (Provider) throws(ConfigurationError) -> TokenVerifier

    private let verify: Verify = { (verifier, token) async throws(VerificationError) in
        try await verifier.verify(token, nonce: TestToken.rawNonce)
    }
    private let check: Check = { (verifier, token) async throws(VerificationFault) in
        try await verifier.check(token, nonce: TestToken.rawNonce)
    }
    private let setUp: SetUp = { (provider) throws(ConfigurationError) in try TokenVerifier(provider) }

    /// A `switch` without `default`: there are these two ways to fail.
    private func word(_ verifier: TokenVerifier, _ token: String) async -> String {
        do throws(VerificationError) {
            return try await verify(verifier, token).audience
        } catch {
            switch error {
            case .refused(let refusal): return refusal.code.rawValue
            case .fault(let fault): return fault.code.rawValue
            }
        }
    }

    @Test func eachOutcomeHasItsPlace() async throws {
        let token = try TestToken().signed()
        #expect(await word(try .test(), token) == TestToken.clientID)
        #expect(await word(try .test(at: TestToken.issuedAt + 3600), token) == "token_too_old")
        #expect(
            await word(try .test(keys: StaticKeySource(KeySet(Array(#"{"keys":[]}"#.utf8)))), token)
                == "keys_unavailable")
    }

    @Test func aRefusalIsAValueAndAFaultIsThrown() async throws {
        let token = try TestToken().signed()
        #expect(try await check(.test(), token).identity != nil)
        #expect(try await check(.test(at: 0), token).refusal?.code == .issuedInFuture)
        let empty = try TokenVerifier.test(keys: StaticKeySource(KeySet(Array(#"{"keys":[]}"#.utf8))))
        await #expect(throws: VerificationFault.self) { try await check(empty, token) }
    }

    @Test func aSetUpThatCannotBeSafeIsRefused() throws {
        let provider = try Provider.apple(audiences: [.app("id", nonce: .issued)])
        #expect(throws: ConfigurationError.self) { try setUp(provider) }
        let nonces = try IssuedNonces()
        #expect(try TokenVerifier(provider, issuedNonces: nonces).provider.name == "apple")
    }
}
