internal import PosternBase
internal import PosternCrypto
internal import PosternHTTP

/// The page on which somebody signs in, and what comes of its buttons.
extension IssuerService {
    /// `GET /auth/authorize`
    func askWho(_ request: ReceivedRequest) -> HTTP.Response {
        guard let fields = FormFields(Array((request.query ?? "").utf8)) else {
            return IssuerPage.failure("What follows the question mark is not well-formed.").response(status: 400)
        }
        do throws(AuthorizationRequest.Refusal) {
            let asked = try AuthorizationRequest(fields, clients)
            let name = newName()
            state.withLock { $0.requests.put(asked, under: name, at: time.now()) }
            return IssuerPage.choice(asked, name, users, faults).response()
        } catch {
            switch error {
            case .shown(let text): return IssuerPage.failure(text).response(status: 400)
            case .sent(let back, let code, let description):
                return back.response([("error", code), ("error_description", description)])
            }
        }
    }

    /// `POST /auth/authorize`. The request itself was kept here, so a page of somebody else can change nothing in it.
    func decide(_ request: ReceivedRequest, _ url: String) throws(IssuerProblem) -> HTTP.Response {
        let fields = FormFields(request.body)
        let now = time.now()
        let asked = fields?["request"].flatMap { name in state.withLock { $0.requests.take(name, at: now) } }
        guard let fields, let asked else {
            return IssuerPage.failure(
                "This sign-in is over: a button was pressed already, or it was too long ago. Go back to the app and begin anew."
            ).response(status: 400)
        }
        guard let id = fields["user"] else {
            // Apple's word for it, and the only error that Apple sends.
            return asked.back.response([("error", "user_cancelled_authorize")])
        }
        guard let user = users.first(where: { $0.id.isSameBytes(as: id) }) else {
            throw IssuerProblem(.userUnknown, "There is no such user.")
        }
        return asked.back.response(try answer(asked, user, url))
    }

    private func answer(
        _ asked: AuthorizationRequest,
        _ user: TestUser,
        _ url: String
    ) throws(IssuerProblem) -> [(name: String, value: String)] {
        let now = time.now()
        let code = newName()
        let grant = Grant(
            user: user, clientID: asked.clientID, redirectURI: asked.back.redirectURI, nonce: asked.nonce,
            hasEmail: asked.wantsEmail, challenge: asked.challenge, time: now)
        var fields: [(name: String, value: String)] = [("code", code)]
        if asked.hasToken {
            let token = try makeToken(user, audiences: [asked.clientID], email: grant.hasEmail, url: url) { order in
                order.nonce = grant.nonce.map { .plain($0) }
                order.code = code
            }
            fields.append(("id_token", token))
        }
        let isNew = state.withLock { state in
            state.codes.put(grant, under: code, at: now)
            return state.meets(user, asked.clientID)
        }
        if isNew, asked.wantsName { fields.append(("user", Self.introduction(of: user, email: grant.hasEmail))) }
        return fields
    }

    /// What Apple tells about somebody the first time, and never again.
    private static func introduction(of user: TestUser, email isTold: Bool) -> String {
        var members: [(String, JSONOutput)] = [
            ("name", .object([("firstName", .string(user.firstName)), ("lastName", .string(user.lastName))]))
        ]
        if isTold, let email = user.email { members.append(("email", .string(email))) }
        return JSONOutput.object(members).text()
    }
}
