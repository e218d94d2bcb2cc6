/// The rules that the verifier enforces, so that a test can leave out one at a time and see that a vector notices.
package enum VerifierRule: UInt64, CaseIterable, Sendable {
    case size, segments, header, algorithm, critical, claims, issuer
    case keyIDRequired, keyID, keyAmbiguity, keyIssuer, signature
    case type, eventsInIdentityToken, eventsInNotification, nonceInNotification, notifier
    case audience, everyAudience, audienceOfRequest, authorizedParty, subject
    case expiry, notBefore, issuedAt, authenticationTime, timeOrder, age
    case accessTokenHash, codeHash, nonce
}

/// A set of rules that costs one comparison to ask.
struct VerifierRules: Sendable {
    private let bits: UInt64

    init(_ rules: [VerifierRule]) { bits = rules.reduce(0) { $0 | 1 << $1.rawValue } }

    @inline(__always)
    func contains(_ rule: VerifierRule) -> Bool { bits & (1 << rule.rawValue) != 0 }
}
