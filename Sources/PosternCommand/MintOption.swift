/// The options of `postern mint`. Those that `postern verify` has too are called the same, so that a command line for one
/// tells how to write the other.
enum MintOption {
    static let provider = Option(
        "provider",
        takes: "NAME",
        "whose tokens it is to look like: apple (the default), google, microsoft, facebook, firebase or oidc"
    )
    static let issuer = Option("issuer", takes: "ISS", "the issuer, instead of the provider's own")
    static let tenant = Option("tenant", takes: "T", "the tenant's GUID; with --provider microsoft, and only there")
    static let audience = Option(
        "audience",
        takes: "AUD",
        isRepeatable: true,
        "the client ID that the token is for, com.example.app unless said; several make an array"
    )
    static let subject = Option("subject", takes: "SUB", "whom the token is about, instead of a made-up person")
    static let nonceHashed = Option("nonce", takes: "RAW", "put the SHA-256 of this nonce into the token, in hex")
    static let noncePlain = Option("nonce-plain", takes: "VALUE", "put this nonce into the token as it is")
    static let code = Option("code", takes: "CODE", "bind this authorization code to the token by c_hash")
    static let accessToken = Option("access-token", takes: "T", "bind this access token to the token by at_hash")
    static let at = Option(
        "at", takes: "UNIX|RFC3339",
        "when it is issued, instead of now: seconds since 1970, or RFC 3339 with its offset")
    static let expiresIn = Option(
        "expires-in", takes: "SECONDS",
        "how long from then until it expires; unless said 86400 for apple, 3600 for others")
    static let notification = Option(
        "notification",
        takes: "TYPE",
        "make a server notification of Apple instead: \(notificationTypes.joined(separator: ", "))"
    )
    static let notificationTypes = ["consent-revoked", "account-delete", "email-disabled", "email-enabled"]
    static let claim = Option(
        "claim", takes: "NAME=JSON", isRepeatable: true, "set a claim to any JSON value, whatever it was")
    static let header = Option(
        "header", takes: "NAME=JSON", isRepeatable: true,
        "set a member of the header, without regard to how it is signed")
    static let without = Option(
        "without", takes: "NAME", isRepeatable: true, "leave out a claim, or else a member of the header")
    static let algorithm = Option(
        "algorithm", takes: "ALG", "what to sign with, unless said RS256, or what fits the key of --key")
    static let keyID = Option(
        "kid", takes: "ID", "the name of the key, its thumbprint unless said; an empty one for none")
    static let key = Option(
        "key", takes: "FILE", "the private key (PKCS#8 PEM); when there is no such file a new key is written there")
    static let keysOut = Option("keys-out", takes: "FILE", "write the JWK Set with the public key there")

    static let all: [Option] = [
        provider, issuer, tenant, audience, subject, nonceHashed, noncePlain, code, accessToken, at, expiresIn,
        notification, claim, header, without, algorithm, keyID, key, keysOut,
    ]
}
