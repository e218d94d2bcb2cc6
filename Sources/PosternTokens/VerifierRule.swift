/// The rules that the verifier enforces, so that a test can leave out one at a time and see that a vector notices.
package struct VerifierRule: OptionSet, Sendable {
    package let rawValue: UInt32
    package init(rawValue: UInt32) { self.rawValue = rawValue }

    private init(bit: UInt32) { rawValue = 1 << bit }

    package static let size = VerifierRule(bit: 0)
    package static let segments = VerifierRule(bit: 1)
    package static let header = VerifierRule(bit: 2)
    package static let algorithm = VerifierRule(bit: 3)
    package static let critical = VerifierRule(bit: 4)
    package static let claims = VerifierRule(bit: 5)
    package static let issuer = VerifierRule(bit: 6)
    package static let keyIDRequired = VerifierRule(bit: 7)
    package static let keyIssuer = VerifierRule(bit: 8)
    package static let signature = VerifierRule(bit: 9)
    package static let type = VerifierRule(bit: 10)
    package static let events = VerifierRule(bit: 11)
    package static let audience = VerifierRule(bit: 12)
    package static let everyAudience = VerifierRule(bit: 13)
    package static let authorizedParty = VerifierRule(bit: 14)
    package static let subject = VerifierRule(bit: 15)
    package static let expiry = VerifierRule(bit: 16)
    package static let notBefore = VerifierRule(bit: 17)
    package static let issuedAt = VerifierRule(bit: 18)
    package static let authenticationTime = VerifierRule(bit: 19)
    package static let timeOrder = VerifierRule(bit: 20)
    package static let age = VerifierRule(bit: 21)
    package static let accessTokenHash = VerifierRule(bit: 22)
    package static let codeHash = VerifierRule(bit: 23)
    package static let nonce = VerifierRule(bit: 24)

    /// All of them with their names.
    package static let named: [(name: String, rule: VerifierRule)] = [
        ("size", .size), ("segments", .segments), ("header", .header), ("algorithm", .algorithm),
        ("critical", .critical), ("claims", .claims), ("issuer", .issuer), ("keyIDRequired", .keyIDRequired),
        ("keyIssuer", .keyIssuer), ("signature", .signature), ("type", .type), ("events", .events),
        ("audience", .audience), ("everyAudience", .everyAudience), ("authorizedParty", .authorizedParty),
        ("subject", .subject), ("expiry", .expiry), ("notBefore", .notBefore), ("issuedAt", .issuedAt),
        ("authenticationTime", .authenticationTime), ("timeOrder", .timeOrder), ("age", .age),
        ("accessTokenHash", .accessTokenHash), ("codeHash", .codeHash), ("nonce", .nonce),
    ]
}
