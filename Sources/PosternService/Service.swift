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
    let limiter: Lock<CallerLimiter>?
    let clock: MonotonicTimeSource
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
        let requestID = requestIDs.name(request.head.fields)
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
            case .unread(let caller):
                let tally = tally
                return .waits { await self.finish(tally, requestID, request, caller) }
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
        /// The body is long: to read it at once would hold up others.
        case unread(Caller)
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
            charge(caller, request.body.count / Self.bytesOfRequest)
            guard request.body.count <= Self.bytesReadAtOnce else { return .unread(caller) }
            switch try VerifyOrders(request) {
            case .one(let order):
                if let reply = try verifyAtOnce(order, &tally) { return .done(reply) }
                return .one(order)
            case .many(let orders):
                charge(caller, for: orders, in: request)
                return .many(orders)
            }
        default:
            let caller = try admit(request.head, rules, route, &tally)
            charge(caller, request.body.count / Self.bytesOfRequest)
            guard let accounts else { throw Problem.accountsOff }
            let name = name(of: caller)
            return .account(try AccountOrder(found, request, caller: name, now: time.now()), accounts, caller: name)
        }
    }

    private func charge(_ caller: Caller, for orders: [VerifyOrder], in request: ReceivedRequest) {
        charge(caller, orders.count - 1 - request.body.count / Self.bytesOfRequest)
    }

    /// What is read in some 0.3 ms. Longer bodies are read by another thread than the one that others wait for.
    private static let bytesReadAtOnce = 131_072

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
        _ request: ReceivedRequest,
        _ caller: Caller
    ) async -> HTTP.Response {
        do throws(Problem) {
            let orders = try await withTaskExecutorPreference(globalConcurrentExecutor) {
                Result { () throws(Problem) in try VerifyOrders(request) }
            }.get()
            switch orders {
            case .one(let order): return await finish(tally, requestID, order)
            case .many(let orders):
                charge(caller, for: orders, in: request)
                return await finish(tally, requestID, orders)
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
}
