internal import PosternBase
internal import PosternHTTP

/// What stands in the place of an API key, as far as can be seen without reading it.
private enum CredentialForm {
    case key
    case jwt
    case other

    init(_ token: UnsafeBufferPointer<UInt8>) {
        // base64url of what begins with {" and has two more parts (RFC 7519 §3).
        let start: StaticString = "eyJ"
        let isJWT =
            token.starts(with: UnsafeBufferPointer(start: start.utf8Start, count: start.utf8CodeUnitCount))
            && token.count { $0 == UInt8(ascii: ".") } == 2
        self = isJWT ? .jwt : .key
    }

    var complaint: String {
        switch self {
        case .key: "The Authorization field holds none of the API keys of the settings."
        case .jwt:
            "The Authorization field holds a JWT, such as the access token of a person. What is needed here is the API key of the caller; "
                + "the token belongs into the body of POST /v1/introspect."
        case .other:
            "The Authorization field must stand there once, the word Bearer and a key: Authorization: Bearer KEY."
        }
    }
}

extension Service {
    /// Who calls, once it is known that they may, that the body is of the right type, and that it is not too often.
    func admit(
        _ request: ReceivedHead,
        _ rules: ListenerRules,
        _ route: Route,
        _ tally: inout RequestTally
    ) throws(Problem) -> Caller {
        let caller = try identify(request, rules)
        tally.caller = caller
        try RequestBody.checkType(request, route)
        guard let limiter else { return caller }
        let now = clock.now()
        switch limiter.withLock({ $0.admit(caller, at: now) }) {
        case .admitted: return caller
        case .refused(let seconds):
            throw Problem(
                .tooManyRequests,
                "More requests than the limit allows; the next one is answered in \(seconds) s.",
                field: ("Retry-After", "\(seconds)")
            )
        }
    }

    func identify(_ request: ReceivedHead, _ rules: ListenerRules) throws(Problem) -> Caller {
        if case .process(let user, _, _) = request.peer, !rules.requiresKey { return .user(user) }
        let (form, place) = request.fields.withSingle("Authorization") { field in
            let token = field.flatMap(Bearer.token)
            let place = token.flatMap(keys.place)
            return (place == nil ? token.map(CredentialForm.init) : nil, place)
        }
        if let place { return .key(place) }
        guard request.fields.count("Authorization") > 0 else {
            throw Problem(
                .apiKeyMissing,
                "An API key is needed: Authorization: Bearer KEY.",
                field: ("WWW-Authenticate", "Bearer realm=\"postern\"")
            )
        }
        throw Problem(
            .apiKeyUnknown,
            (form ?? .other).complaint,
            field: ("WWW-Authenticate", "Bearer realm=\"postern\", error=\"invalid_token\"")
        )
    }

    /// What the audit trail calls the caller.
    func name(of caller: Caller) -> String? {
        switch caller {
        case .key(let place) where keys.entries.indices.contains(place): "key:\(keys.entries[place].name)"
        case .user(let user): "uid:\(user)"
        case .key, .others: nil
        }
    }

    func charge(_ caller: Caller, _ count: Int) {
        guard let limiter, count > 0 else { return }
        let now = clock.now()
        limiter.withLock { $0.charge(caller, count, at: now) }
    }
}
