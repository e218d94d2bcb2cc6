import PosternTestSupport
import PosternTokens

extension TokenVerifier {
    /// `accepted`, or the code of the refusal or fault, of a token with the nonce of the tests.
    func outcome(of token: String) async -> String {
        do throws(VerificationError) {
            _ = try await verify(token, nonce: TestToken.rawNonce)
            return "accepted"
        } catch {
            switch error {
            case .refused(let refusal): return refusal.code.rawValue
            case .fault(let fault): return fault.code.rawValue
            }
        }
    }
}
