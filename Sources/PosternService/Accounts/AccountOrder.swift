internal import PosternAccounts
internal import PosternBase
internal import PosternHTTP
internal import PosternPasswords

/// What a request about accounts or sessions asks for, read and found to be in order.
enum AccountOrder: Sendable {
    case exchange(ExchangeOrder)
    case signIn(EmailAddress, Password, Visitor)
    case refresh(Secret<String>, Visitor)
    case sessions(AccountID)
    case endSession(SessionID)
    case endSessions(AccountID, except: SessionID?)
    case signUp(SignUpOrder)
    case confirm(SignUpID)
    case accounts(after: AccountID?, limit: Int)
    case accountWith(EmailAddress)
    case account(AccountID)
    case change(AccountID, AccountChange)
    case delete(AccountID)
    case changePassword(PasswordOrder)
    case unlink(String, AccountID)
    case auditTrail(AccountID, before: Int64?, limit: Int)
    case introspect(Secret<String>, isRefreshToken: Bool)
    case revoke(Secret<String>)
    /// A form that is none.
    case mistake(OAuthError)

    /// How many entries a page has: unless said, and at most.
    static let pageLimit = (standard: 50, maximum: 200)

    /// `caller` is what the audit trail is to call whoever asks.
    init(_ found: FoundRoute, _ request: ReceivedRequest, caller: String?, now: Int64) throws(Problem) {
        switch found.route.action {
        case .openSession: self = try SignInBody.order(request, caller)
        case .refreshSession: self = try SignInBody.refresh(request, caller)
        case .signUp: self = .signUp(try SignUpOrder(request, caller))
        case .changeAccount:
            self = .change(try found.identifier(0), try AccountChangeBody.change(request, now: now))
        case .changePassword:
            self = .changePassword(try PasswordOrder(request, of: found.identifier(0), caller))
        case .confirmSignUp:
            try MemberReader(RequestBody.object(request, mayBeEmpty: true), known: []).finish()
            self = .confirm(try found.identifier(0))
        case .introspect, .revoke: self = Self.ofToken(found.route.action, request)
        default: self = try AccountOrder(withoutBody: found)
        }
    }

    private init(withoutBody found: FoundRoute) throws(Problem) {
        let query = found.query
        switch found.route.action {
        case .listSessions: self = .sessions(try Self.user(query))
        case .endSessions: self = .endSessions(try Self.user(query), except: try query.identifier("except"))
        case .endSession: self = .endSession(try found.identifier(0))
        case .listAccounts: self = try Self.list(query)
        case .showAccount: self = .account(try found.identifier(0))
        case .deleteAccount: self = .delete(try found.identifier(0))
        case .unlinkIdentity: self = .unlink(try found.text(1), try found.identifier(0))
        case .auditTrail:
            self = .auditTrail(
                try found.identifier(0), before: try query.number("before", 0...Self.greatestNumber),
                limit: try Self.limit(query))
        default: throw Route.unknown
        }
    }

    /// Beyond any line of an audit trail, and still exact where numbers are those of JavaScript.
    private static let greatestNumber: Int64 = 1 << 53 - 1

    private static func user(_ query: RequestQuery) throws(Problem) -> AccountID {
        guard let user: AccountID = try query.identifier("user") else { throw query.missing("user") }
        return user
    }

    private static func limit(_ query: RequestQuery) throws(Problem) -> Int {
        Int(clamping: try query.number("limit", 1...Int64(pageLimit.maximum)) ?? Int64(pageLimit.standard))
    }

    private static func list(_ query: RequestQuery) throws(Problem) -> AccountOrder {
        guard let email = query.text("email") else {
            return .accounts(after: try query.identifier("after"), limit: try limit(query))
        }
        guard query.text("after") == nil, query.text("limit") == nil else {
            throw Problem(.queryUnexpected, "Of one address there is one account at most: leave after and limit out.")
        }
        return .accountWith(try EmailAddress(member: email, "email", isOfQuery: true))
    }

    private static func ofToken(_ action: Route.Action, _ request: ReceivedRequest) -> AccountOrder {
        switch FormBody.token(request.body) {
        case .failure(let mistake): .mistake(mistake)
        case .success(let (token, hint)):
            action == .revoke
                ? .revoke(Secret(token))
                : .introspect(Secret(token), isRefreshToken: hint?.isSameBytes(as: "refresh_token") ?? false)
        }
    }
}

/// A route with what the path has in place of its braces, and what stands behind the question mark.
struct FoundRoute {
    let route: Route
    let parameters: [String]
    let query: RequestQuery

    func text(_ place: Int) throws(Problem) -> String {
        guard parameters.indices.contains(place) else { throw Route.unknown }
        return parameters[place]
    }

    func identifier<Kind>(_ place: Int) throws(Problem) -> Identifier<Kind> {
        guard let id = Identifier<Kind>(try text(place)) else { throw Route.unknown }
        return id
    }
}

extension EmailAddress {
    /// Reads what stands in the member or query of that name.
    init(member text: String, _ name: String, isOfQuery: Bool = false) throws(Problem) {
        do throws(Mistake) {
            try self.init(text)
        } catch {
            let hint =
                isOfQuery && text.utf8.contains(UInt8(ascii: " "))
                ? " It has a space, as which a plus sign is read behind a question mark: write that as %2B." : ""
            throw Problem(.emailInvalid, "\(name) is no address: \(error.rawValue).\(hint)")
        }
    }
}
