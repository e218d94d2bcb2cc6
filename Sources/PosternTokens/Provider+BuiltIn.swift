internal import PosternBase
public import PosternJOSE

extension Provider {
    /// Sign in with Apple. Issuer, algorithm and keys are pinned and cannot be set: Apple's discovery document has
    /// announced another issuer than its tokens carry before.
    ///
    /// Identity tokens live a day, so `maximumAge` (seconds since `iat`) bounds their use for signing in.
    /// See Apple's "Verifying a user" and "Processing changes for Sign in with Apple accounts".
    public static func apple(
        audiences: [Audience],
        presenters: [String] = [],
        leeway: Int64 = defaultLeeway,
        maximumAge: Int64? = 600
    ) throws(ConfigurationError) -> Provider {
        try Provider(
            name: "apple",
            issuers: .exactly(["https://appleid.apple.com"]),
            audiences: audiences,
            presenters: presenters,
            leeway: leeway,
            maximumAge: maximumAge,
            keySetURL: "https://appleid.apple.com/auth/keys",
            traits: Traits(emailAuthority: .all, sendsNotifications: true)
        )
    }

    /// Google Accounts. A token for an Android or iOS app that asked for a server's client ID carries the app's own ID in
    /// `azp`: name it in `presenters`. See Google's "Verify the Google ID token on your server side".
    public static func google(
        audiences: [Audience],
        presenters: [String] = [],
        leeway: Int64 = defaultLeeway,
        maximumAge: Int64? = 3600
    ) throws(ConfigurationError) -> Provider {
        try Provider(
            name: "google",
            issuers: .exactly(["https://accounts.google.com", "accounts.google.com"]),
            audiences: audiences,
            presenters: presenters,
            leeway: leeway,
            maximumAge: maximumAge,
            keySetURL: "https://www.googleapis.com/oauth2/v3/certs",
            traits: Traits(emailAuthority: .google)
        )
    }

    /// Microsoft Entra ID and personal accounts, version 2.0 tokens. Their addresses are never taken as verified: tenants can
    /// set them at will. See Microsoft's "ID token claims reference".
    public static func microsoft(
        tenant: MicrosoftTenant,
        audiences: [Audience],
        presenters: [String] = [],
        leeway: Int64 = defaultLeeway,
        maximumAge: Int64? = 3600
    ) throws(ConfigurationError) -> Provider {
        try Provider(
            name: "microsoft",
            issuers: .microsoft(tenant),
            audiences: audiences,
            presenters: presenters,
            leeway: leeway,
            maximumAge: maximumAge,
            keySetURL: "https://login.microsoftonline.com/\(tenant.name)/discovery/v2.0/keys",
            traits: Traits(emailCanBeVerified: false)
        )
    }

    /// Facebook Limited Login. Its addresses are never taken as verified: the tokens do not say.
    /// See Facebook's "Validating the OIDC Token".
    public static func facebook(
        audiences: [Audience],
        presenters: [String] = [],
        leeway: Int64 = defaultLeeway,
        maximumAge: Int64? = 3600
    ) throws(ConfigurationError) -> Provider {
        try Provider(
            name: "facebook",
            issuers: .exactly(["https://www.facebook.com"]),
            audiences: audiences,
            presenters: presenters,
            leeway: leeway,
            maximumAge: maximumAge,
            // The keys moved to a host of their own in 2024; the issuer did not.
            keySetURL: "https://limited.facebook.com/.well-known/oauth/openid/jwks/",
            traits: Traits(emailCanBeVerified: false)
        )
    }

    /// Firebase Authentication ID tokens of one project (securetoken). They are renewed each hour and carry no nonce, so
    /// there is no greatest age. See Firebase's "Verify ID Tokens".
    public static func firebase(
        project: String,
        nonce: NonceRule = .unchecked,
        leeway: Int64 = defaultLeeway,
        maximumAge: Int64? = nil
    ) throws(ConfigurationError) -> Provider {
        guard !project.isEmpty else { throw ConfigurationError("The Firebase project ID is empty.") }
        return try Provider(
            name: "firebase",
            issuers: .exactly(["https://securetoken.google.com/\(project)"]),
            audiences: [Audience(project, nonce: nonce)],
            presenters: [],
            leeway: leeway,
            maximumAge: maximumAge,
            keySetURL:
                "https://www.googleapis.com/service_accounts/v1/jwk/securetoken@system.gserviceaccount.com",
            traits: Traits(subjectMaximumByteCount: 128, authenticationTimeRequired: true, hasNonces: false)
        )
    }

    /// Any other OpenID Connect issuer (OpenID Connect Core §3.1.3.7). The issuer is compared byte for byte and never learned
    /// from the issuer itself; allow just the algorithms that your client is registered with there.
    ///
    /// - Parameter keySetURL: where the issuer's JWK Set is; nil to learn it from the issuer's discovery document
    ///   (OpenID Connect Discovery 1.0 §4).
    public static func oidc(
        issuer: String,
        audiences: [Audience],
        algorithms: [Algorithm] = [.rs256],
        presenters: [String] = [],
        leeway: Int64 = defaultLeeway,
        maximumAge: Int64? = 3600,
        keySetURL: String? = nil
    ) throws(ConfigurationError) -> Provider {
        let isReserved =
            reserved.contains { issuer.utf8.elementsEqual($0.utf8) }
            || reservedPrefixes.contains { issuer.utf8.starts(with: $0.utf8) }
        guard !isReserved else {
            throw ConfigurationError("The issuer \(Excerpt.quote(issuer)) has a provider of its own here: use that.")
        }
        guard !issuer.utf8.reversed().starts(with: discoveryPath.utf8.reversed()) else {
            throw ConfigurationError(
                "The issuer \(Excerpt.quote(issuer)) is the address of a discovery document: give what stands before "
                    + "\(discoveryPath), byte for byte as the tokens have it in iss."
            )
        }
        return try Provider(
            name: "oidc",
            issuers: .exactly([issuer]),
            algorithms: algorithms,
            audiences: audiences,
            presenters: presenters,
            leeway: leeway,
            maximumAge: maximumAge,
            keySetURL: keySetURL,
            traits: Traits(keyIDRequired: false, isGeneric: true)
        )
    }

    private static let discoveryPath = "/.well-known/openid-configuration"

    /// Issuers with rules of their own, which the generic provider would leave out.
    private static let reserved = [
        "https://appleid.apple.com", "https://accounts.google.com", "accounts.google.com", "https://www.facebook.com",
    ]
    private static let reservedPrefixes = [
        "https://login.microsoftonline.com/", "https://securetoken.google.com/",
    ]
}
