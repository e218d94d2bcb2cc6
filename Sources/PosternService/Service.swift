package import PosternAccounts
package import PosternBase
package import PosternHTTP
package import PosternTokens

/// The native interface of the daemon: nonces and verdicts, accounts and sessions over HTTP (`Docs/HTTP-API.md`).
package final class Service: HTTPResponder {
    let providers: [ServedProvider]
    let verifiers: [TokenVerifier]
    let nonces: IssuedNonces?
    /// nil where tokens are verified and nothing more.
    let accounts: Accounts?
    /// Why the last write was not made; nil when it was.
    let storeFault: @Sendable () -> StoreFault?
    let time: TimeSource
    let metrics: ServiceMetrics
    /// Those of the providers, in their order.
    let tallies: [ProviderTally]
    private let log: RequestLog?
    private let listeners: [ListenerRules]
    let keys: APIKeys
    private let limit: CallerLimiter.Rate?
    private let limiter: Lock<CallerLimiter>?
    private let clock: MonotonicTimeSource
    private let requestIDs: RequestIDs

    /// - Parameters:
    ///   - nonces: the same that the verifiers redeem; nil when none of them takes issued ones.
    ///   - accounts: what sessions are made of; nil for a service that verifies tokens alone.
    ///   - storeFault: why the store of the accounts did not do what it was asked for last; nil when it did.
    ///   - listeners: in the order in which the server was given them.
    ///   - limit: how often a caller may ask; nil for as often as it likes.
    ///   - former: the service of before, whose callers go on where they were when neither limit nor keys have changed.
    ///   - metrics: what is counted, the same for as long as the process lives.
    ///   - log: where requests are told; nil for nowhere.
    ///
    /// Throws `ConfigurationError` when there is no provider, or two have one name.
    package init(
        providers: [ServedProvider],
        nonces: IssuedNonces?,
        accounts: Accounts? = nil,
        storeFault: @escaping @Sendable () -> StoreFault? = { nil },
        listeners: [ListenerRules],
        keys: APIKeys = APIKeys(),
        limit: CallerLimiter.Rate? = nil,
        after former: Service? = nil,
        metrics: ServiceMetrics = ServiceMetrics(),
        log: RequestLog? = nil,
        time: TimeSource = .system,
        clock: MonotonicTimeSource = .system,
        random: RandomSource = .system
    ) throws(ConfigurationError) {
        guard !providers.isEmpty else {
            throw ConfigurationError("There is no provider whose tokens are to be verified.")
        }
        for (index, served) in providers.enumerated()
        where providers[..<index].contains(where: { $0.name.isSameBytes(as: served.name) }) {
            throw ConfigurationError("Two providers are called \(served.name): give one of them another name.")
        }
        self.providers = providers
        verifiers = providers.map(\.verifier)
        self.nonces = nonces
        self.accounts = accounts
        self.storeFault = storeFault
        self.listeners = listeners
        self.keys = keys
        self.limit = limit
        let isSame = former.map { $0.limit == limit && $0.keys.isSame(as: keys) } ?? false
        limiter = isSame ? former?.limiter : limit.map { Lock(CallerLimiter($0)) }
        self.metrics = metrics
        tallies = providers.map { metrics.tally(of: $0.name) }
        self.log = log
        self.time = time
        self.clock = clock
        requestIDs = RequestIDs(random)
    }

    package func respond(to request: ReceivedRequest) async -> HTTP.Response {
        switch begin(request) {
        case .answered(let response): response
        case .waits(let rest): await rest()
        }
    }

    package func answer(to peer: Peer, listener: Int) -> HTTP.Response? {
        guard listeners.indices.contains(listener), !listeners[listener].allows(peer) else { return nil }
        let requestID = requestIDs.next()
        return Self.notAllowed.reply(requestID).response(requestID)
    }

    package func answer(toHead head: ReceivedHead) -> HTTP.Response? {
        var tally = RequestTally()
        let reply: Reply?
        do throws(Problem) {
            reply = try decide(head, &tally)
        } catch {
            let requestID = requestIDs.name(head.fields)
            tally.problem = error.code
            return answered(error.reply(requestID), tally, requestID)
        }
        return reply.map { answered($0, tally, requestIDs.name(head.fields)) }
    }

    package func answer(_ notice: HTTPNotice, to fields: ReceivedFields) -> HTTP.Response {
        let requestID = requestIDs.name(fields)
        switch notice {
        case .refused(let refused): return refused.reply(requestID).response(requestID)
        case .aboutServer:
            return answered(
                Reply(status: 204, form: .empty, body: []), .aboutServer, requestID)
        }
    }

    package func begin(_ request: ReceivedRequest) -> HTTPBeginning {
        let requestID = requestIDs.name(request.fields)
        var tally = RequestTally()
        do throws(Problem) {
            switch try progress(request, &tally) {
            case .done(let reply): return .answered(answered(reply, tally, requestID))
            case .one(let order):
                let tally = tally
                return .waits { await self.finish(tally, requestID, order) }
            case .many(let orders):
                let tally = tally
                return .waits { await self.finish(tally, requestID, orders) }
            case .account(let order, let accounts, let caller):
                let tally = tally
                return .waits { await self.finish(tally, requestID, order, accounts, caller) }
            }
        } catch {
            tally.problem = error.code
            return .answered(answered(error.reply(requestID), tally, requestID))
        }
    }

    /// Counts an answer, and tells of it where that is wanted.
    private func answered(_ reply: Reply, _ tally: RequestTally, _ requestID: RequestID) -> HTTP.Response {
        let span = metrics.count(tally, status: reply.status)
        if let problem = tally.problem { metrics.count(problem) }
        let isFailed = reply.status >= 400 || tally.verdicts.refused > 0 || tally.verdicts.faults > 0
        if let log, log.wants(failed: isFailed) { tell(log, reply.status, tally, requestID, span) }
        return reply.response(requestID)
    }

    /// What is left of a request when all is done that needs no waiting.
    private enum Progress {
        case done(Reply)
        case one(VerifyOrder)
        case many([VerifyOrder])
        /// The caller as the audit trail calls it.
        case account(AccountOrder, Accounts, caller: String?)
    }

    private func progress(_ request: ReceivedRequest, _ tally: inout RequestTally) throws(Problem) -> Progress {
        let (found, rules) = try route(request.head, &tally)
        let route = found.route
        switch route.action {
        case .live, .ready, .keys, .metrics, .keySet, .discovery:
            return .done(try state(route, request.head, rules, &tally))
        case .issueNonce:
            let caller = try admit(request.head, rules, route, &tally)
            charge(caller, request.body.count / Self.bytesOfRequest)
            return .done(try issueNonce(request))
        case .verify:
            let caller = try admit(request.head, rules, route, &tally)
            let forLength = request.body.count / Self.bytesOfRequest
            charge(caller, forLength)
            let object = try RequestBody.object(request)
            guard let tokens = object.member("tokens") else {
                let order = try VerifyOrder(object)
                if let reply = try verifyAtOnce(order, &tally) { return .done(reply) }
                return .one(order)
            }
            let orders = try VerifyOrder.list(tokens, in: object)
            charge(caller, orders.count - 1 - forLength)
            return .many(orders)
        default:
            let caller = try admit(request.head, rules, route, &tally)
            charge(caller, request.body.count / Self.bytesOfRequest)
            guard let accounts else { throw Problem.accountsOff }
            let name = name(of: caller)
            return .account(try AccountOrder(found, request, caller: name), accounts, caller: name)
        }
    }

    /// A body costs another request for each time that it has so many bytes, as many as the largest token.
    private static let bytesOfRequest = 16_384

    /// What the head of a request decides, whatever its body will be; nil when the body has a say. The limit of a caller
    /// comes with the body, so that no request counts twice.
    private func decide(_ head: ReceivedHead, _ tally: inout RequestTally) throws(Problem) -> Reply? {
        let (found, rules) = try route(head, &tally)
        switch found.route.action {
        // No body has a meaning there.
        case .live, .ready, .keys, .metrics, .keySet, .discovery: return try state(found.route, head, rules, &tally)
        default:
            tally.caller = try identify(head, rules)
            try RequestBody.checkType(head, found.route)
            return nil
        }
    }

    private func state(
        _ route: Route,
        _ head: ReceivedHead,
        _ rules: ListenerRules,
        _ tally: inout RequestTally
    ) throws(Problem) -> Reply {
        switch route.action {
        case .live: return live()
        case .ready: return ready()
        case .metrics: return metricsPage()
        case .keySet, .discovery:
            guard let accounts else { throw Problem.accountsOff }
            return route.action == .keySet ? try keySet(accounts) : discovery(accounts)
        default:
            _ = try admit(head, rules, route, &tally)
            return keyStates()
        }
    }

    private func finish(_ tally: RequestTally, _ requestID: RequestID, _ order: VerifyOrder) async -> HTTP.Response {
        do throws(Problem) {
            let (result, verdicts) = try await verify(order, since: tally.started)
            let tally = tally.with(verdicts)
            switch result {
            case .success(let reply): return answered(reply, tally, requestID)
            case .failure(let problem):
                return answered(problem.reply(requestID), tally.with(problem.code), requestID)
            }
        } catch {
            return answered(error.reply(requestID), tally.with(error.code), requestID)
        }
    }

    private func finish(
        _ tally: RequestTally,
        _ requestID: RequestID,
        _ orders: [VerifyOrder]
    ) async -> HTTP.Response {
        do throws(Problem) {
            let (reply, verdicts) = try await verify(orders)
            return answered(reply, tally.with(verdicts), requestID)
        } catch {
            return answered(error.reply(requestID), tally.with(error.code), requestID)
        }
    }

    private func finish(
        _ tally: RequestTally,
        _ requestID: RequestID,
        _ order: AccountOrder,
        _ accounts: Accounts,
        _ caller: String?
    ) async -> HTTP.Response {
        let answer = await follow(order, with: accounts, caller: caller)
        var tally = tally.with(answer.verdicts)
        tally.problem = answer.problem
        return answered(answer.reply(requestID), tally, requestID)
    }

    private static let notAllowed = Problem(
        .peerNotAllowed, "The user and group of the calling process are not among those allowed.")

    private func route(
        _ request: ReceivedHead,
        _ tally: inout RequestTally
    ) throws(Problem) -> (FoundRoute, ListenerRules) {
        guard listeners.indices.contains(request.listener) else {
            throw Route.unknown
        }
        let rules = listeners[request.listener]
        guard rules.allows(request.peer) else { throw Self.notAllowed }
        tally.listener = request.listener
        let (route, parameters): (Route, [String])
        do throws(Problem) {
            (route, parameters) = try Route.find(request.method, request.path, rules.doors, place: &tally.route)
        } catch {
            tally.method = RequestLabels.place(ofMethod: request.method)
            throw error
        }
        tally.found(route, request.method)
        if route.needsAccounts, accounts == nil { throw Problem.accountsOff }
        let query = try RequestQuery(route, request.query)
        return (FoundRoute(route: route, parameters: parameters, query: query), rules)
    }

    // MARK: - Callers

    /// Who calls, once it is known that they may, that the body is of the right type, and that it is not too often.
    private func admit(
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

    private func identify(_ request: ReceivedHead, _ rules: ListenerRules) throws(Problem) -> Caller {
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
    private func name(of caller: Caller) -> String? {
        switch caller {
        case .key(let place) where keys.entries.indices.contains(place): "key:\(keys.entries[place].name)"
        case .user(let user): "uid:\(user)"
        case .key, .others: nil
        }
    }

    private func charge(_ caller: Caller, _ count: Int) {
        guard let limiter, count > 0 else { return }
        let now = clock.now()
        limiter.withLock { $0.charge(caller, count, at: now) }
    }
}
