internal import PosternAccounts
internal import PosternBase

// What everybody may know, and keep for a while.

extension Service {
    /// Our public keys (RFC 7517 §5).
    func keySet(_ accounts: Accounts) throws(Problem) -> Reply {
        guard accounts.keys.isReady else {
            throw Problem(
                .signingKeysUnavailable, "There are no keys to sign access tokens with yet.",
                field: ("Retry-After", "1"))
        }
        return Self.published(accounts.keys.keySet, accounts)
    }

    /// Where the keys are (OpenID Connect Discovery §4), for who verifies access tokens. There is nothing here to be sent to for a
    /// sign-in, so no such members.
    func discovery(_ accounts: Accounts) -> Reply {
        let issuer = accounts.accessTokens.issuer
        let base = issuer.utf8.last == UInt8(ascii: "/") ? String(issuer.dropLast()) : issuer
        var writer = JSONWriter(capacity: 256)
        writer.object { writer in
            writer.member("issuer", issuer)
            writer.member("jwks_uri", "\(base)/.well-known/jwks.json")
            writer.member("subject_types_supported", .strings(["public"]))
            writer.member("id_token_signing_alg_values_supported", .strings(["ES256"]))
        }
        return Self.published(writer.finish(), accounts)
    }

    private static func published(_ body: [UInt8], _ accounts: Accounts) -> Reply {
        Reply(
            form: .published, body: body, field: ("Cache-Control", "public, max-age=\(accounts.keys.maximumAge)"))
    }
}
