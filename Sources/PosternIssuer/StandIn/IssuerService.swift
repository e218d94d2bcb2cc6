package import PosternBase
package import PosternHTTP

/// A stand-in for Apple, for development and tests (`Docs/Issuer.md`): discovery, keys, a page to sign in on, tokens; and
/// whatever shall go wrong with them.
///
/// It keeps nobody out and is no protection for anything: serve it to this machine alone.
package final class IssuerService: HTTPResponder {
    let clients: [RegisteredClient]
    let users: [TestUser]
    let state: Lock<IssuerState>
    let time: TimeSource
    let random: RandomSource
    private let clock: MonotonicTimeSource

    package init(
        _ settings: IssuerSettings,
        time: TimeSource = .system,
        clock: MonotonicTimeSource = .system,
        random: RandomSource = .system
    ) {
        clients = settings.clients
        users = settings.users
        state = Lock(IssuerState(settings))
        self.time = time
        self.clock = clock
        self.random = random
    }

    /// Says where it is served: `http://` and the address with its port. That is the issuer from now on.
    package func open(at url: String) { state.withLock { $0.url = url } }

    package func respond(to request: ReceivedRequest) async -> HTTP.Response {
        do throws(IssuerProblem) {
            let url = try url(for: request)
            let route = try IssuerRoute.find(request.method, request.path)
            if route.isForServers, let problem = await outage() { throw problem }
            return try answer(request, route, url)
        } catch {
            return error.response
        }
    }

    private func answer(
        _ request: ReceivedRequest,
        _ route: IssuerRoute,
        _ url: String
    ) throws(IssuerProblem) -> HTTP.Response {
        switch route.action {
        case .discovery: discovery(url)
        case .keys: try keys(request)
        case .askWho: askWho(request)
        case .decide: try decide(request, url)
        case .token: try token(request, url)
        case .mint: try mint(request, url)
        case .showState: try showState(url)
        case .setFaults: try setFaults(request, url)
        case .rotate: try rotate(request, url)
        case .overview: IssuerPage.overview(url, clients, users, faults).response()
        case .style: .make(IssuerPage.style, type: "text/css; charset=utf-8", cache: "max-age=300")
        case .script: .make(IssuerPage.script, type: "text/javascript; charset=utf-8", cache: "max-age=300")
        }
    }

    // MARK: - Who asks

    /// The issuer. Pages of the web reach this machine's ports by names of theirs that they make point here, and could read
    /// what comes back; so over TCP only our own names are answered.
    private func url(for request: ReceivedRequest) throws(IssuerProblem) -> String {
        guard let url = state.withLock({ $0.url }) else { throw IssuerProblem(.notReady, "The issuer is starting.") }
        guard case .address = request.peer else { return url }
        let authority = url.dropFirst("http://".count)
        let port = authority.split(separator: ":").last ?? ""
        let host = request.fields.single("Host") ?? ""
        guard host.isSameBytes(as: String(authority)) || host.isSameBytes(as: "localhost:\(port)") else {
            throw IssuerProblem(.hostUnexpected, "Host must be \(authority) or localhost:\(port).")
        }
        return url
    }

    /// What becomes of requests by servers while they are to fail.
    private func outage() async -> IssuerProblem? {
        let (faults, seconds) = state.withLock { ($0.faults, $0.slowSeconds) }
        if faults.contains(.slow) { await clock.sleep(until: clock.now() + .seconds(seconds)) }
        guard faults.contains(.serverError) else { return nil }
        return IssuerProblem(.serverError, "The fault server_error is on.")
    }

    // MARK: - What many need

    /// The faults that are on, in their order.
    var faults: [IssuerFault] {
        let faults = state.withLock { $0.faults }
        return IssuerFault.allCases.filter(faults.contains)
    }

    /// A name that nobody can guess.
    func newName() -> String { Base64URL.encode(random.bytes(24)) }

    func object(_ request: ReceivedRequest, known: [String]) throws(IssuerProblem) -> ObjectReader {
        // Pages of the web cannot send this type here without being asked, and they are not asked.
        guard let type = request.fields.single("Content-Type"), MediaType.is(type, "application/json") else {
            throw IssuerProblem(.mediaTypeUnsupported, "Content-Type must be application/json.")
        }
        let root: JSONValue
        do throws(JSONError) {
            root = try JSONDocument(request.body.isEmpty ? Array("{}".utf8) : request.body).root
        } catch {
            throw IssuerProblem(.bodyMalformed, "The body is not strict JSON: \(error.message).")
        }
        guard root.kind == .object else { throw IssuerProblem(.bodyMalformed, "The body is JSON, but not an object.") }
        return try ObjectReader(root, known: known)
    }
}
