internal import PosternAccounts
internal import PosternBase

/// What is said of a token (RFC 7662 §2.2).
struct IntrospectionJSON {
    private let tokens: AccessTokens

    init(_ tokens: AccessTokens) { self.tokens = tokens }

    /// Nobody gets anything for a refresh token but a new one, so it is active only for who says that it is one: else a resource server
    /// that looks at `active` alone would take it for an access token (RFC 7662 §4).
    func reply(_ found: Accounts.Introspection, isRefreshTokenWanted: Bool) -> Reply {
        var writer = JSONWriter(capacity: 512)
        writer.object { writer in
            switch found {
            case .accessToken(let content, let session, let account):
                writer.member("active", true)
                writer.member("token_type", "Bearer")
                writer.member("token_use", "access_token")
                write(session, account, &writer)
                writer.member("iat", content.issuedAt)
                writer.member("exp", content.expiresAt)
            case .refreshToken(let session, let account) where isRefreshTokenWanted:
                writer.member("active", true)
                writer.member("token_use", "refresh_token")
                write(session, account, &writer)
                writer.member("iat", session.rotatedAt)
                writer.member("exp", session.expiresAt)
            case .refreshToken, .inactive: writer.member("active", false)
            }
        }
        return Reply(body: writer.finish())
    }

    private func write(_ session: Session, _ account: Account, _ writer: inout JSONWriter) {
        writer.member("iss", tokens.issuer)
        writer.member("aud", tokens.audience)
        writer.member("sub", "\(account.id)")
        writer.member("sid", "\(session.id)")
        writer.member("auth_time", session.createdAt)
        if let email = account.email {
            writer.member("email", email.text)
            writer.member("email_verified", account.emailProvenAt != nil)
        }
    }
}
