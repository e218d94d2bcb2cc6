internal import PosternAccounts
internal import PosternBase
internal import PosternHTTP
internal import PosternPasswords

/// An identity token that is to buy a session.
struct ExchangeOrder: Sendable {
    let token: VerifyOrder
    let nonce: String?
    /// An access token of ours, to whose account the identity is to be linked.
    let linkTo: Secret<String>?
    let visitor: Visitor
}

/// The bodies by which sessions begin and go on.
enum SignInBody {
    private static let ofToken = ["token", "nonce", "audience", "provider", "link_to", "client"]
    private static let ofPassword = ["email", "password", "client"]

    static func order(_ request: ReceivedRequest, _ caller: String?) throws(Problem) -> AccountOrder {
        let object = try RequestBody.object(request)
        guard object.member("token") == nil else { return .exchange(try exchange(object, caller)) }
        guard object.member("email") != nil || object.member("password") != nil else {
            // Which form is meant is not known, so all names are told.
            throw MemberReader(object, known: ofPassword + ofToken.filter { $0 != "client" })
                .missing("token, or email and password,")
        }
        var members = MemberReader(object, known: ofPassword)
        let email = try members.requiredText("email")
        let password = try members.password("password")
        let visitor = try members.visitor(caller)
        try members.finish()
        return .signIn(try EmailAddress(member: email, "email"), password, visitor)
    }

    private static func exchange(_ object: JSONValue, _ caller: String?) throws(Problem) -> ExchangeOrder {
        var members = MemberReader(object, known: ofToken)
        let token = try VerifyOrder(exchanging: &members)
        let nonce = try members.text("nonce")
        let linkTo = try members.text("link_to")
        let visitor = try members.visitor(caller)
        try members.finish()
        guard linkTo.map(AccessTokens.hasForm) ?? true else {
            throw Problem(
                .memberInvalid,
                "link_to must be the access_token of a session, not its refresh token or id nor a token of somebody else's."
            )
        }
        return ExchangeOrder(token: token, nonce: nonce, linkTo: linkTo.map { Secret($0) }, visitor: visitor)
    }

    static func refresh(_ request: ReceivedRequest, _ caller: String?) throws(Problem) -> AccountOrder {
        var members = MemberReader(try RequestBody.object(request), known: ["refresh_token", "client"])
        let token = try members.requiredText("refresh_token")
        let visitor = try members.visitor(caller)
        try members.finish()
        return .refresh(Secret(token), visitor)
    }
}

// It holds a nonce.
extension ExchangeOrder: Masked {}

extension MemberReader {
    /// The person's own client, as far as the caller tells of it.
    mutating func visitor(_ caller: String?) throws(Problem) -> Visitor {
        guard let value = take("client") else { return Visitor(caller: caller) }
        guard value.kind == .object else { throw misfit("client", value, "an object") }
        var members = MemberReader(value, known: ["user_agent", "address"], place: .client)
        let userAgent = try members.text("user_agent")
        let text = try members.text("address")
        try members.finish()
        guard let text else { return Visitor(caller: caller, userAgent: userAgent) }
        guard let address = NetworkAddress(text) else {
            throw Problem(.memberInvalid, "client.address must be an address of IPv4 or IPv6 without port or zone.")
        }
        return Visitor(caller: caller, userAgent: userAgent, address: address)
    }

    /// A password that must be there.
    mutating func password(_ name: StaticString) throws(Problem) -> Password {
        try Self.password(try requiredText(name), name)
    }

    /// A password that may be there.
    mutating func passwordIfThere(_ name: StaticString) throws(Problem) -> Password? {
        guard let text = try text(name) else { return nil }
        return try Self.password(text, name)
    }

    private static func password(_ text: String, _ name: StaticString) throws(Problem) -> Password {
        guard let password = Password(text) else {
            throw Problem(.passwordUnacceptable, "\(name) has more than \(Password.maximumByteCount) bytes.")
        }
        return password
    }
}
