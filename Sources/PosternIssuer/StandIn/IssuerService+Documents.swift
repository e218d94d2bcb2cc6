internal import PosternBase
internal import PosternCrypto
internal import PosternHTTP
internal import PosternJOSE

/// What servers fetch.
extension IssuerService {
    /// OpenID Connect Discovery 1.0 §3.
    func discovery(_ url: String) -> HTTP.Response {
        let isWrong = state.withLock { $0.faults.contains(.wrongDiscovery) }
        return .json(
            .object([
                ("issuer", .string(isWrong ? Self.wrongIssuer : url)),
                ("authorization_endpoint", .string(url + IssuerRoute.authorizePath)),
                ("token_endpoint", .string(url + IssuerRoute.tokenPath)),
                ("jwks_uri", .string(url + IssuerRoute.keysPath)),
                ("response_types_supported", .strings(["code", "code id_token"])),
                ("response_modes_supported", .strings(["query", "fragment", "form_post"])),
                ("grant_types_supported", .strings(["authorization_code", "refresh_token"])),
                ("subject_types_supported", .strings(["pairwise"])),
                ("id_token_signing_alg_values_supported", .strings([signingAlgorithm])),
                ("scopes_supported", .strings(["openid", "email", "name"])),
                ("token_endpoint_auth_methods_supported", .strings(["client_secret_post", "none"])),
                ("code_challenge_methods_supported", .strings(["S256"])),
                (
                    "claims_supported",
                    .strings([
                        "aud", "email", "email_verified", "exp", "iat", "is_private_email", "iss", "nonce",
                        "nonce_supported", "real_user_status", "sub",
                    ])
                ),
            ])
        )
    }

    /// Whom tokens and documents name while they are to name the wrong one; nobody has it (RFC 2606 §2).
    static let wrongIssuer = "https://wrong-issuer.example"

    private var signingAlgorithm: String { state.withLock { $0.keys.current.algorithm.name } }

    /// The key set, or nothing new for who has it (RFC 9110 §13.1.2).
    func keys(_ request: ReceivedRequest) throws(IssuerProblem) -> HTTP.Response {
        let (keys, isEmpty) = state.withLock { ($0.keys, $0.faults.contains(.emptySet)) }
        do throws(CryptoError) {
            let body = isEmpty ? KeyRing.emptyDocument : try keys.document()
            let tag = "\"\(Hex.encode(Array(try HashAlgorithm.sha256.digest(of: body).prefix(16))))\""
            let isKnown = request.fields.single("If-None-Match")?.isSameBytes(as: tag) ?? false
            return .make(
                isKnown ? [] : body, status: isKnown ? 304 : 200, type: "application/json", cache: "max-age=300",
                fields: [("ETag", tag)])
        } catch {
            throw Self.failure(error)
        }
    }

    static func failure(_ error: CryptoError) -> IssuerProblem {
        IssuerProblem(.serverError, "OpenSSL failed: \(error.reason.rawValue).")
    }
}
