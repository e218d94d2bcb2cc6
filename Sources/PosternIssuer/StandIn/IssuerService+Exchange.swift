internal import PosternBase
internal import PosternCrypto
internal import PosternHTTP

/// `POST /auth/token` (RFC 6749 §4.1.3, §6). Whatever an app sends as its secret is taken.
extension IssuerService {
    /// RFC 6749 §5.2; like Apple with status 400 for all.
    private struct ExchangeError: Error {
        let code: String
        let description: String

        init(_ code: String, _ description: String) {
            self.code = code
            self.description = description
        }

        var response: HTTP.Response {
            .json(.object([("error", .string(code)), ("error_description", .string(description))]), status: 400)
        }
    }

    private static let names = [
        "grant_type", "code", "redirect_uri", "client_id", "client_secret", "code_verifier", "refresh_token",
    ]

    func token(_ request: ReceivedRequest, _ url: String) throws(IssuerProblem) -> HTTP.Response {
        let grant: Grant
        do throws(ExchangeError) {
            let fields = try Self.fields(request)
            switch fields["grant_type"] {
            case "authorization_code": grant = try redeem(fields)
            case "refresh_token": grant = try refresh(fields)
            case nil: throw ExchangeError("invalid_request", "grant_type is missing")
            default:
                throw ExchangeError(
                    "unsupported_grant_type", "grant_type must be authorization_code or refresh_token")
            }
        } catch {
            return error.response
        }
        let accessToken = newName()
        let token = try makeToken(grant.user, audiences: [grant.clientID], email: grant.hasEmail, url: url) { order in
            order.nonce = grant.nonce.map { .plain($0) }
            order.accessToken = accessToken
            order.set(claim: "auth_time", .integer(grant.time))
        }
        var members: [(String, JSONOutput)] = [
            ("access_token", .string(accessToken)), ("token_type", .string("Bearer")), ("expires_in", .integer(3600)),
            ("id_token", .string(token)),
        ]
        if let refreshToken = grant.refreshToken { members.append(("refresh_token", .string(refreshToken))) }
        return .json(.object(members))
    }

    private static func fields(_ request: ReceivedRequest) throws(ExchangeError) -> FormFields {
        let type = request.fields.single("Content-Type") ?? ""
        guard MediaType.is(type, "application/x-www-form-urlencoded"), let fields = FormFields(request.body) else {
            throw ExchangeError("invalid_request", "the body must be application/x-www-form-urlencoded")
        }
        if let name = fields.repeated(among: names) {
            throw ExchangeError("invalid_request", "\(name) is given twice")
        }
        return fields
    }

    private func client(_ fields: FormFields) throws(ExchangeError) -> String {
        guard let id = fields["client_id"] else { throw ExchangeError("invalid_request", "client_id is missing") }
        guard clients.contains(where: { $0.id.isSameBytes(as: id) }) else {
            throw ExchangeError("invalid_client", "client_id is not registered")
        }
        return id
    }

    // MARK: - Codes

    private func redeem(_ fields: FormFields) throws(ExchangeError) -> Grant {
        let client = try client(fields)
        guard let code = fields["code"] else { throw ExchangeError("invalid_request", "code is missing") }
        let found = state.withLock { $0.codes.value(code, at: time.now()) }
        guard let found, found.clientID.isSameBytes(as: client) else {
            throw ExchangeError("invalid_grant", "the code is unknown, expired or of another client")
        }
        guard let uri = fields["redirect_uri"], uri.isSameBytes(as: found.redirectURI) else {
            throw ExchangeError("invalid_grant", "redirect_uri is not that of the authorization request")
        }
        guard isVerified(found.challenge, by: fields["code_verifier"]) else {
            throw ExchangeError("invalid_grant", "code_verifier does not fit the code_challenge")
        }
        let refreshToken = newName()
        guard let grant = spend(code, refreshToken) else {
            throw ExchangeError("invalid_grant", "the code has already been used")
        }
        return grant
    }

    /// The grant when nobody has had it before, with its refresh token; looked at and marked in one step.
    private func spend(_ code: String, _ refreshToken: String) -> Grant? {
        let now = time.now()
        return state.withLock { state in
            guard var grant = state.codes.value(code, at: now) else { return nil }
            guard !grant.isSpent else {
                if let given = grant.refreshToken { _ = state.refreshTokens.take(given, at: now) }
                return nil
            }
            grant.refreshToken = refreshToken
            state.refreshTokens.put(grant, under: refreshToken, at: now)
            grant.isSpent = true
            state.codes.replace(code, with: grant)
            return grant
        }
    }

    /// RFC 7636 §4.6. A verifier to no challenge is as wrong as none to one.
    private func isVerified(_ challenge: String?, by verifier: String?) -> Bool {
        guard let challenge, let verifier else { return challenge == nil && verifier == nil }
        let digest = try? HashAlgorithm.sha256.digest(of: Array(verifier.utf8))
        return digest.map { Base64URL.encode($0).isSameBytes(as: challenge) } ?? false
    }

    // MARK: - Refresh tokens

    /// The refresh token stays the same, and none is sent again.
    private func refresh(_ fields: FormFields) throws(ExchangeError) -> Grant {
        let client = try client(fields)
        guard let name = fields["refresh_token"] else {
            throw ExchangeError("invalid_request", "refresh_token is missing")
        }
        guard var grant = state.withLock({ $0.refreshTokens.value(name, at: time.now()) }),
            grant.clientID.isSameBytes(as: client)
        else { throw ExchangeError("invalid_grant", "the refresh token is unknown, revoked or of another client") }
        grant.refreshToken = nil
        return grant
    }
}
