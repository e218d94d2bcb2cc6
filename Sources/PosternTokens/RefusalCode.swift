/// The stable word for why a token was refused; `Docs/Errors.md` says what to do about each.
public struct RefusalCode: Sendable, Hashable, CustomStringConvertible {
    /// The word itself, such as `audience_mismatch`.
    public let rawValue: String

    private init(_ rawValue: String) { self.rawValue = rawValue }

    public var description: String { rawValue }

    public static let tokenTooLarge = RefusalCode("token_too_large")
    public static let tokenMalformed = RefusalCode("token_malformed")
    public static let headerInvalid = RefusalCode("header_invalid")
    public static let algorithmNotAllowed = RefusalCode("algorithm_not_allowed")
    public static let criticalHeaderUnsupported = RefusalCode("critical_header_unsupported")
    public static let claimsMalformed = RefusalCode("claims_malformed")
    public static let issuerMismatch = RefusalCode("issuer_mismatch")
    public static let keyNotFound = RefusalCode("key_not_found")
    public static let keyAmbiguous = RefusalCode("key_ambiguous")
    public static let keyUnusable = RefusalCode("key_unusable")
    public static let signatureInvalid = RefusalCode("signature_invalid")
    public static let notAnIdentityToken = RefusalCode("not_an_identity_token")
    public static let notANotification = RefusalCode("not_a_notification")
    public static let audienceMismatch = RefusalCode("audience_mismatch")
    public static let authorizedPartyMismatch = RefusalCode("authorized_party_mismatch")
    public static let subjectMissing = RefusalCode("subject_missing")
    public static let tokenExpired = RefusalCode("token_expired")
    public static let tokenNotYetValid = RefusalCode("token_not_yet_valid")
    public static let issuedInFuture = RefusalCode("issued_in_future")
    public static let tokenTooOld = RefusalCode("token_too_old")
    public static let hashMismatch = RefusalCode("hash_mismatch")
    public static let nonceMissing = RefusalCode("nonce_missing")
    public static let nonceMismatch = RefusalCode("nonce_mismatch")
    public static let nonceUnknown = RefusalCode("nonce_unknown")
    public static let nonceExpired = RefusalCode("nonce_expired")
    public static let nonceUsed = RefusalCode("nonce_used")

    /// Every code that this version can give.
    public static let all: [RefusalCode] = [
        .tokenTooLarge, .tokenMalformed, .headerInvalid, .algorithmNotAllowed, .criticalHeaderUnsupported,
        .claimsMalformed, .issuerMismatch, .keyNotFound, .keyAmbiguous, .keyUnusable, .signatureInvalid,
        .notAnIdentityToken, .notANotification, .audienceMismatch, .authorizedPartyMismatch, .subjectMissing,
        .tokenExpired, .tokenNotYetValid, .issuedInFuture, .tokenTooOld, .hashMismatch, .nonceMissing, .nonceMismatch,
        .nonceUnknown, .nonceExpired, .nonceUsed,
    ]
}
