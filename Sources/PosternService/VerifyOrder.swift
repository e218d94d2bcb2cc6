internal import PosternBase
internal import PosternHTTP
internal import PosternTokens

/// One token to be verified, as a request asks for it.
final class VerifyOrder: Sendable {
    static let maximumTokens = 256
    private static let known = ["token", "nonce", "audience", "provider", "consume", "explain"]

    /// A string; kept as it stands in the body, since a token need not be copied to be verified.
    let token: JSONValue
    let request: VerificationRequest
    let audience: String?
    let provider: String?
    let isExplained: Bool
    let place: BodyPlace

    init(_ object: JSONValue, place: BodyPlace = .root) throws(Problem) {
        var members = MemberReader(object, known: Self.known, place: place)
        guard let token = members.take("token") else { throw members.missing("token") }
        guard token.kind == .string else { throw members.misfit("token", token, "a string") }
        self.token = token
        self.place = place
        let nonce = try members.text("nonce")
        audience = try members.text("audience")
        provider = try members.text("provider")
        let consumes = try members.flag("consume", unlessSaid: true)
        isExplained = try members.flag("explain", unlessSaid: false)
        try members.finish()
        request = VerificationRequest(nonce: nonce, audience: audience, consumesNonce: consumes)
    }

    /// The token of a request for a session; whose nonce it is to redeem is not said here.
    init(exchanging members: inout MemberReader) throws(Problem) {
        guard let token = members.take("token") else { throw members.missing("token") }
        guard token.kind == .string else { throw members.misfit("token", token, "a string") }
        self.token = token
        place = .root
        audience = try members.text("audience")
        provider = try members.text("provider")
        isExplained = false
        request = VerificationRequest(nonce: nil, audience: audience, consumesNonce: false)
    }

    /// The orders of `{"tokens": […]}`; all are read before the first is followed, so that a mistake in one changes nothing.
    static func list(_ tokens: JSONValue, in object: JSONValue) throws(Problem) -> [VerifyOrder] {
        var members = MemberReader(object, known: ["tokens"])
        _ = members.take("tokens")
        try members.finish()
        guard let (first, others) = tokens.elements(upTo: maximumTokens) else {
            throw members.misfit("tokens", tokens, "an array")
        }
        guard !first.isEmpty else { throw Problem(.memberInvalid, "tokens is empty.") }
        guard others == 0 else {
            throw Problem(
                .tooManyTokens, "tokens has \(first.count + others) elements; at most \(maximumTokens) at a time.")
        }
        var orders: [VerifyOrder] = []
        orders.reserveCapacity(first.count)
        for (place, element) in first.enumerated() {
            guard element.kind == .object else { throw members.misfit("tokens[\(place)]", element, "an object") }
            orders.append(try VerifyOrder(element, place: .token(place)))
        }
        return orders
    }
}

/// What a request to verify asks for.
enum VerifyOrders {
    case one(VerifyOrder)
    case many([VerifyOrder])

    init(_ request: borrowing ReceivedRequest) throws(Problem) {
        let object = try RequestBody.object(request)
        if let tokens = object.member("tokens") {
            self = .many(try VerifyOrder.list(tokens, in: object))
        } else {
            self = .one(try VerifyOrder(object))
        }
    }
}

// It holds a token and a nonce.
extension VerifyOrder: Masked {}
