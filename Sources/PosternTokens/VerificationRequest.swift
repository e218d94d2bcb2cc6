internal import PosternBase

/// What comes with a token, and narrows what is accepted.
package struct VerificationRequest: Sendable {
    /// The nonce of the request; nil when it was left out on purpose.
    var nonce: String?
    /// The only audience that is accepted, of those configured.
    var audience: String?
    /// The authorization code that came with the token: `c_hash` must vouch for it.
    var code: String?
    /// The access token that came with the token: `at_hash` must vouch for it.
    var accessToken: String?
    /// Whether an issued nonce is used up by success.
    var consumesNonce = true
    var isNotification = false

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

    /// Whether the request leaves this audience standing.
    func accepts(_ configured: Audience) -> Bool {
        audience.map { configured.clientID.isSameBytes(as: $0) } ?? true
    }

    /// The client IDs that the request leaves standing.
    func accepted(_ configured: [Audience]) -> [String] { configured.filter(accepts).map(\.clientID) }
}

/// The nonce of a request, left out on purpose.
public enum OmittedNonce: Sendable {
    /// The audience's rule is `.unchecked`, and the caller knows it: the token may be a replay.
    case unchecked
}
