internal import PosternBase
internal import PosternHTTP

/// The stable words for what can be wrong with a request (`Docs/Errors.md`).
package enum ProblemCode: String, Sendable, CaseIterable, LogWord {
    case bodyMalformed = "body_malformed"
    case memberUnknown = "member_unknown"
    case memberMissing = "member_missing"
    case memberInvalid = "member_invalid"
    case queryUnexpected = "query_unexpected"
    case queryInvalid = "query_invalid"
    case providerUnknown = "provider_unknown"
    case audienceUnknown = "audience_unknown"
    case audienceNeeded = "audience_needed"
    case apiKeyMissing = "api_key_missing"
    case apiKeyUnknown = "api_key_unknown"
    case peerNotAllowed = "peer_not_allowed"
    case pathUnknown = "path_unknown"
    case methodNotAllowed = "method_not_allowed"
    case tooManyTokens = "too_many_tokens"
    case mediaTypeUnsupported = "media_type_unsupported"
    case tooManyRequests = "too_many_requests"
    case keysUnavailable = "keys_unavailable"
    case noncesFull = "nonces_full"

    // About accounts; a refused identity token has the code of its refusal, which is none of these.
    case accountsOff = "accounts_off"
    case emailInvalid = "email_invalid"
    case accountBanned = "account_banned"
    case accountUnknown = "account_unknown"
    case emailMissing = "email_missing"
    case emailTaken = "email_taken"
    case emailUnproven = "email_unproven"
    case identityTaken = "identity_taken"
    case identityUnknown = "identity_unknown"
    case invalidCredentials = "invalid_credentials"
    case lastSignInMethod = "last_sign_in_method"
    case passwordsOff = "passwords_off"
    case passwordWrong = "password_wrong"
    case passwordUnacceptable = "password_unacceptable"
    case refreshTokenReused = "refresh_token_reused"
    case refreshTokenUnknown = "refresh_token_unknown"
    case sessionEnded = "session_ended"
    case sessionUnknown = "session_unknown"
    case signUpUnknown = "sign_up_unknown"
    case tokenUsed = "token_used"
    case tooManyAttempts = "too_many_attempts"
    case hashingBusy = "hashing_busy"
    case hashingFailed = "hashing_failed"
    case signingKeysUnavailable = "signing_keys_unavailable"
    case storeBusy = "store_busy"
    case storeFull = "store_full"
    case storeReadOnly = "store_read_only"
    case storeLocked = "store_locked"
    case storeDamaged = "store_damaged"
    case storeUnavailable = "store_unavailable"

    /// Whether a service without accounts never says so.
    var isAboutAccounts: Bool { place > Self.accountsOff.place && self != .storeUnavailable }

    /// Its place among all.
    var place: Int { Self.places[self] ?? 0 }
    private static let places = Dictionary(uniqueKeysWithValues: allCases.enumerated().map { ($1, $0) })

    /// The status (RFC 9110 §15) and its own words, which are the title of a problem without a type of its own (RFC 9457 §4.2.1).
    package var status: (code: Int, title: String) {
        switch self {
        case .bodyMalformed, .memberUnknown, .memberMissing, .memberInvalid, .queryUnexpected, .queryInvalid,
            .providerUnknown, .audienceUnknown, .audienceNeeded, .passwordsOff:
            (400, "Bad Request")
        case .apiKeyMissing, .apiKeyUnknown: (401, "Unauthorized")
        // 401 is about the caller's own key; this is about the person on whose behalf it calls.
        case .peerNotAllowed, .accountBanned, .invalidCredentials, .passwordWrong, .refreshTokenReused,
            .refreshTokenUnknown, .sessionEnded, .tokenUsed:
            (403, "Forbidden")
        case .pathUnknown, .accountsOff, .accountUnknown, .identityUnknown, .sessionUnknown, .signUpUnknown:
            (404, "Not Found")
        case .methodNotAllowed: (405, "Method Not Allowed")
        case .emailMissing, .emailTaken, .emailUnproven, .identityTaken, .lastSignInMethod: (409, "Conflict")
        case .tooManyTokens: (413, "Content Too Large")
        case .mediaTypeUnsupported: (415, "Unsupported Media Type")
        case .emailInvalid, .passwordUnacceptable: (422, "Unprocessable Content")
        case .tooManyRequests, .tooManyAttempts, .hashingBusy, .storeBusy: (429, "Too Many Requests")
        case .keysUnavailable, .noncesFull, .hashingFailed, .signingKeysUnavailable, .storeFull, .storeReadOnly,
            .storeLocked, .storeDamaged, .storeUnavailable:
            (503, "Service Unavailable")
        }
    }
}

/// Why a request gets no answer of its own (RFC 9457).
struct Problem: Error, Sendable {
    let code: ProblemCode
    /// What is wrong and what to do, in English; never holds a token, a nonce or a key.
    let detail: String
    /// A header field that belongs to the status.
    var field: (name: String, value: String)?

    init(_ code: ProblemCode, _ detail: String, field: (name: String, value: String)? = nil) {
        self.code = code
        self.detail = detail
        self.field = field
    }

    func reply(_ requestID: RequestID) -> Reply {
        let (status, title) = code.status
        let problem = HTTPNotice.Refused(status: status, title: title, code: code.rawValue, detail: detail)
        return Reply(status: status, form: .problem, body: problem.body(requestID: requestID.text), field: field)
    }
}

extension HTTPNotice.Refused {
    /// In the form of all problems.
    func reply(_ requestID: RequestID) -> Reply {
        let field = retryAfter.map { (name: "Retry-After", value: "\($0)") }
        return Reply(status: status, form: .problem, body: body(requestID: requestID.text), field: field)
    }
}
