internal import PosternBase
internal import PosternHTTP

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
        let (isBearer, place) = request.fields.withSingle("Authorization") { field in
            let token = field.flatMap(Bearer.token)
            return (token != nil, token.flatMap(keys.place))
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
            isBearer
                ? "The Authorization field holds none of the API keys of the settings."
                : "The Authorization field must stand there once, the word Bearer and a key: Authorization: Bearer KEY.",
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
