internal import PosternBase

/// A method and a path, and what is behind them.
struct IssuerRoute: Sendable {
    enum Action: Sendable {
        case discovery, keys, askWho, decide, token, mint, showState, setFaults, rotate, overview, style, script
    }

    let method: String
    let path: String
    let action: Action
    /// Whether `slow` and `server_error` are about it.
    var isForServers = false

    // As Apple's are called.
    static let authorizePath = "/auth/authorize"
    static let keysPath = "/auth/keys"
    static let tokenPath = "/auth/token"

    static let all: [IssuerRoute] = [
        IssuerRoute(
            method: "GET", path: "/.well-known/openid-configuration", action: .discovery, isForServers: true),
        IssuerRoute(method: "GET", path: keysPath, action: .keys, isForServers: true),
        IssuerRoute(method: "GET", path: authorizePath, action: .askWho),
        IssuerRoute(method: "POST", path: authorizePath, action: .decide),
        IssuerRoute(method: "POST", path: tokenPath, action: .token, isForServers: true),
        IssuerRoute(method: "POST", path: "/mint", action: .mint),
        IssuerRoute(method: "GET", path: "/control", action: .showState),
        IssuerRoute(method: "POST", path: "/control/faults", action: .setFaults),
        IssuerRoute(method: "POST", path: "/control/rotate", action: .rotate),
        IssuerRoute(method: "GET", path: "/", action: .overview),
        IssuerRoute(method: "GET", path: "/style.css", action: .style),
        IssuerRoute(method: "GET", path: "/submit.js", action: .script),
    ]

    static func find(_ method: String, _ path: String) throws(IssuerProblem) -> IssuerRoute {
        let routes = all.filter { $0.path.isSameBytes(as: path) }
        guard !routes.isEmpty else { throw IssuerProblem(.pathUnknown, "There is nothing at this path.") }
        let wanted = method.isSameBytes(as: "HEAD") ? "GET" : method
        if let route = routes.first(where: { $0.method.isSameBytes(as: wanted) }) { return route }
        let allowed = routes.map { $0.method == "GET" ? "GET, HEAD" : $0.method }.joined(separator: ", ")
        throw IssuerProblem(.methodNotAllowed, "This path takes \(allowed).", field: ("Allow", allowed))
    }
}
