internal import PosternBase

/// A method and a path, and what is behind them. `Docs/openapi.json` lists the same.
package struct Route: Sendable {
    package enum Action: Int, Sendable, CaseIterable {
        case verify, issueNonce, keys, live, ready, metrics
    }

    package let method: String
    package let path: String
    /// nil for what every listener answers.
    package let door: Door?
    package let action: Action

    package static let all: [Route] = [
        Route(method: "POST", path: "/v1/verify", door: .native, action: .verify),
        Route(method: "POST", path: "/v1/nonces", door: .native, action: .issueNonce),
        Route(method: "GET", path: "/v1/keys", door: .native, action: .keys),
        Route(method: "GET", path: "/health/live", door: nil, action: .live),
        Route(method: "GET", path: "/health/ready", door: .operations, action: .ready),
        Route(method: "GET", path: "/metrics", door: .operations, action: .metrics),
    ]

    /// The route of a request to a listener with these doors. HEAD is GET without the body (RFC 9110 §9.3.2).
    ///
    /// `place` becomes that of the path where only the method is wrong.
    static func find(
        _ method: String,
        _ path: String,
        _ doors: Doors,
        place: inout Int
    ) throws(Problem) -> Route {
        for route in all where route.path.isSameBytes(as: path) && route.isOpen(doors) {
            if route.answers(method) { return route }
            place = route.action.rawValue
        }
        let allowed = all.filter { $0.path.isSameBytes(as: path) && $0.isOpen(doors) }
            .map { $0.method == "GET" ? "GET, HEAD" : $0.method }.joined(separator: ", ")
        guard !allowed.isEmpty else { throw unknown }
        throw Problem(.methodNotAllowed, "This path takes \(allowed).", field: ("Allow", allowed))
    }

    static let unknown = Problem(.pathUnknown, "Nothing is at this path, or its door is shut on this listener.")

    var takesBody: Bool { method == "POST" }
    /// Whether the body may be left out.
    var mayBeEmpty: Bool { action == .issueNonce }

    private func isOpen(_ doors: Doors) -> Bool { door.map(doors.contains) ?? true }

    private func answers(_ method: String) -> Bool {
        self.method.isSameBytes(as: method) || (self.method == "GET" && method.isSameBytes(as: "HEAD"))
    }
}
