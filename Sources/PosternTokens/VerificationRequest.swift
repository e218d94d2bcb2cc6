internal import PosternBase

/// What comes with a token, and narrows what is accepted.
///
/// Lent and never copied: a copy would count every text once more, for every token.
package struct VerificationRequest: ~Copyable, Sendable {
    /// The nonce of the request; nil when it was left out on purpose.
    let nonce: String?
    /// The only audience that is accepted, of those configured.
    let audience: String?
    /// The authorization code that came with the token: `c_hash` must vouch for it.
    let code: String?
    /// The access token that came with the token: `at_hash` must vouch for it.
    let accessToken: String?
    /// Whether an issued nonce is used up by success.
    let consumesNonce: Bool
    let isNotification: Bool

    package init(
        nonce: String? = nil,
        audience: String? = nil,
        code: String? = nil,
        accessToken: String? = nil,
        consumesNonce: Bool = true,
        isNotification: Bool = false
    ) {
        self.nonce = nonce
        self.audience = audience
        self.code = code
        self.accessToken = accessToken
        self.consumesNonce = consumesNonce
        self.isNotification = isNotification
    }
}

/// The nonce of a request, left out on purpose.
public enum OmittedNonce: Sendable {
    /// The audience's rule is `.unchecked`, and the caller knows it: the token may be a replay.
    case unchecked
}
