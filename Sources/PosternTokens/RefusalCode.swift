package import PosternJOSE

/// The stable word for why a token was refused; `Docs/Errors.md` says what to do about each.
public struct RefusalCode: Sendable, Hashable, CustomStringConvertible {
    /// The word itself, such as `audience_mismatch`.
    public let rawValue: String

    /// Its place in `all`, for counting without looking anything up.
    package let place: Int

    private init(_ rawValue: String, _ place: Int) {
        self.rawValue = rawValue
        self.place = place
    }

    /// The word itself.
    public var description: String { rawValue }

    /// More bytes than a token may have.
    public static let tokenTooLarge = RefusalCode("token_too_large", 0)
    /// Not three segments of canonical base64url (RFC 7515 §7.1).
    public static let tokenMalformed = RefusalCode("token_malformed", 1)
    /// The header is no strict JSON object, or a parameter has a wrong form (RFC 7515 §4).
    public static let headerInvalid = RefusalCode("header_invalid", 2)
    /// `alg` is none that the provider may use (RFC 8725 §3.1).
    public static let algorithmNotAllowed = RefusalCode("algorithm_not_allowed", 3)
    /// `crit`, `b64` or `zip` is in the header (RFC 7515 §4.1.11, RFC 7797).
    public static let criticalHeaderUnsupported = RefusalCode("critical_header_unsupported", 4)
    /// The claims are no strict JSON object, or one has a wrong type (RFC 7519 §4).
    public static let claimsMalformed = RefusalCode("claims_malformed", 5)
    /// `iss` is not the provider's (OpenID Connect Core §3.1.3.7).
    public static let issuerMismatch = RefusalCode("issuer_mismatch", 6)
    /// The key set has no key of the name that the token gives.
    public static let keyNotFound = RefusalCode("key_not_found", 7)
    /// Several different keys fit.
    public static let keyAmbiguous = RefusalCode("key_ambiguous", 8)
    /// The named key is there, and must not be used for this.
    public static let keyUnusable = RefusalCode("key_unusable", 9)
    /// The signature is not one of the named key over these bytes (RFC 7515 §5.2).
    public static let signatureInvalid = RefusalCode("signature_invalid", 10)
    /// By its `typ` or `events` the token is of another kind (RFC 8725 §3.11).
    public static let notAnIdentityToken = RefusalCode("not_an_identity_token", 11)
    /// The token is no server notification, or the provider sends none.
    public static let notANotification = RefusalCode("not_a_notification", 12)
    /// `aud` is another client, or others as well (RFC 7519 §4.1.3).
    public static let audienceMismatch = RefusalCode("audience_mismatch", 13)
    /// `azp` is neither an audience nor a presenter (OpenID Connect Core §2).
    public static let authorizedPartyMismatch = RefusalCode("authorized_party_mismatch", 14)
    /// `sub` is missing or empty.
    public static let subjectMissing = RefusalCode("subject_missing", 15)
    /// `exp` plus leeway has passed (RFC 7519 §4.1.4).
    public static let tokenExpired = RefusalCode("token_expired", 16)
    /// `nbf` is still to come by more than the leeway (RFC 7519 §4.1.5).
    public static let tokenNotYetValid = RefusalCode("token_not_yet_valid", 17)
    /// `iat` or `auth_time` is still to come by more than the leeway (RFC 7519 §4.1.6).
    public static let issuedInFuture = RefusalCode("issued_in_future", 18)
    /// Issued longer ago than the greatest age plus leeway.
    public static let tokenTooOld = RefusalCode("token_too_old", 19)
    /// `at_hash` or `c_hash` is missing or belongs to another value (OpenID Connect Core §3.1.3.6).
    public static let hashMismatch = RefusalCode("hash_mismatch", 20)
    /// The rule demands a nonce, and the request or the token has none.
    public static let nonceMissing = RefusalCode("nonce_missing", 21)
    /// The nonce of the token is another one (OpenID Connect Core §3.1.3.7).
    public static let nonceMismatch = RefusalCode("nonce_mismatch", 22)
    /// The nonce was not issued here for this audience.
    public static let nonceUnknown = RefusalCode("nonce_unknown", 23)
    /// The issued nonce is too old.
    public static let nonceExpired = RefusalCode("nonce_expired", 24)
    /// The issued nonce was used before.
    public static let nonceUsed = RefusalCode("nonce_used", 25)

    /// Every code that this version can give.
    public static let all: [RefusalCode] = [
        .tokenTooLarge, .tokenMalformed, .headerInvalid, .algorithmNotAllowed, .criticalHeaderUnsupported,
        .claimsMalformed, .issuerMismatch, .keyNotFound, .keyAmbiguous, .keyUnusable, .signatureInvalid,
        .notAnIdentityToken, .notANotification, .audienceMismatch, .authorizedPartyMismatch, .subjectMissing,
        .tokenExpired, .tokenNotYetValid, .issuedInFuture, .tokenTooOld, .hashMismatch, .nonceMissing, .nonceMismatch,
        .nonceUnknown, .nonceExpired, .nonceUsed,
    ]
}

extension RefusalCode {
    /// The code for bytes that are no compact JWS.
    package init(_ fault: JWSFault) {
        switch fault.stage {
        case .size: self = .tokenTooLarge
        case .form: self = .tokenMalformed
        case .header: self = .headerInvalid
        }
    }
}
