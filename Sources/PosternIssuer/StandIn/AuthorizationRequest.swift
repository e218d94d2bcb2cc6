internal import PosternBase
internal import PosternHTTP

/// What an app asks for when it sends somebody here (RFC 6749 §4.1.1, OpenID Connect Core §3.3.2.1), as Apple takes it.
struct AuthorizationRequest: Sendable {
    let clientID: String
    let back: WayBack
    let hasToken: Bool
    let scopes: [String]
    let nonce: String?
    let challenge: String?

    /// Why there is nobody to choose from.
    enum Refusal: Error {
        /// Nobody knows where the app is, so the person is told.
        case shown(String)
        /// The app is told (RFC 6749 §4.1.2.1).
        case sent(WayBack, error: String, description: String)
    }

    private static let names = [
        "client_id", "redirect_uri", "response_type", "response_mode", "scope", "state", "nonce", "code_challenge",
        "code_challenge_method",
    ]
    private static let longestText = 2048
    private static let registering = "Register it: postern issuer --client ID=REDIRECT_URI"

    init(_ fields: FormFields, _ clients: [RegisteredClient]) throws(Refusal) {
        let client = try Self.client(fields, clients)
        let types = Set((fields["response_type"] ?? "").split(separator: " ").map(String.init))
        let hasToken = types == ["code", "id_token"]
        let state = try Self.state(fields)
        let mode = fields["response_mode"].map { WayBack.Mode(rawValue: $0) }
        let back = WayBack(
            redirectURI: fields["redirect_uri"] ?? "",
            mode: (mode ?? nil) ?? (hasToken ? .fragment : .query),
            state: state
        )
        func refuse(_ error: String, _ description: String) -> Refusal {
            .sent(back, error: error, description: description)
        }
        if let name = fields.repeated(among: Self.names) { throw refuse("invalid_request", "\(name) is given twice") }
        guard hasToken || types == ["code"] else {
            throw refuse("unsupported_response_type", "response_type must be code, or code id_token")
        }
        if let mode, mode == nil {
            throw refuse("invalid_request", "response_mode must be query, fragment or form_post")
        }
        guard !hasToken || back.mode != .query else {
            throw refuse("invalid_request", "a token must not come in a query: use form_post or fragment")
        }
        scopes = (fields["scope"] ?? "").split(separator: " ").map(String.init)
        guard scopes.allSatisfy(["openid", "email", "name"].containsBytes) else {
            throw refuse("invalid_scope", "scope may have openid, email and name")
        }
        guard back.mode == .formPost || scopes.allSatisfy({ $0 == "openid" }) else {
            throw refuse("invalid_request", "response_mode must be form_post when email or name is asked for")
        }
        nonce = fields["nonce"]
        guard nonce.map(Self.isEchoed) ?? true else {
            throw refuse("invalid_request", "nonce must be printable and have at most \(Self.longestText) bytes")
        }
        challenge = fields["code_challenge"]
        guard challenge == nil || fields["code_challenge_method"] == "S256" else {
            throw refuse("invalid_request", "code_challenge_method must be S256")
        }
        guard challenge.map(Self.isDigest) ?? true else {
            throw refuse("invalid_request", "code_challenge must be the base64url of a SHA-256")
        }
        clientID = client.id
        self.back = back
        self.hasToken = hasToken
    }

    var wantsEmail: Bool { scopes.containsBytes(of: "email") }
    var wantsName: Bool { scopes.containsBytes(of: "name") }

    // MARK: - Parts

    private static func client(
        _ fields: FormFields,
        _ clients: [RegisteredClient]
    ) throws(Refusal) -> RegisteredClient {
        if let name = fields.repeated(among: ["client_id", "redirect_uri", "state"]) {
            throw .shown("\(name) is given twice.")
        }
        guard let id = fields["client_id"] else { throw .shown("client_id is missing.") }
        guard let client = clients.first(where: { $0.id.isSameBytes(as: id) }) else {
            throw .shown("There is no client \(Excerpt.quote(id)). \(registering)")
        }
        guard let uri = fields["redirect_uri"] else { throw .shown("redirect_uri is missing.") }
        guard client.redirectURIs.containsBytes(of: uri) else {
            throw .shown(
                "The redirect URI \(Excerpt.quote(uri)) is not one of \(Excerpt.quote(id)), byte for byte. \(registering)"
            )
        }
        return client
    }

    /// RFC 6749 appendix A.5: visible ASCII and spaces. Anything else might not come back as it was.
    private static func state(_ fields: FormFields) throws(Refusal) -> String? {
        guard let state = fields["state"] else { return nil }
        guard state.utf8.count <= longestText, state.utf8.allSatisfy({ (0x20...0x7E).contains($0) }) else {
            throw .shown("state must be visible ASCII and have at most \(longestText) characters.")
        }
        return state
    }

    private static func isEchoed(_ text: String) -> Bool {
        text.utf8.count <= longestText && text.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F }
    }

    private static func isDigest(_ text: String) -> Bool { Base64URL.decode(text)?.count == 32 }
}

/// Where an answer goes, and how it gets there.
struct WayBack: Sendable {
    enum Mode: String {
        case query, fragment
        /// OAuth 2.0 Form Post Response Mode.
        case formPost = "form_post"
    }

    let redirectURI: String
    let mode: Mode
    let state: String?

    /// The fields with the state as it came.
    func fields(_ fields: [(name: String, value: String)]) -> [(name: String, value: String)] {
        fields + (state.map { [("state", $0)] } ?? [])
    }

    /// The answer that sends a browser there.
    func response(_ own: [(name: String, value: String)]) -> HTTP.Response {
        let fields = fields(own)
        guard mode != .formPost else { return IssuerPage.goingBack(redirectURI, fields).response() }
        let mark = mode == .fragment ? "#" : redirectURI.utf8.contains(UInt8(ascii: "?")) ? "&" : "?"
        let location = redirectURI + mark + FormFields.encode(fields)
        return .make([], status: 303, type: "text/plain", fields: [("Location", location)])
    }
}
