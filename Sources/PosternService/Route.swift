internal import PosternBase

/// A method and a path, and what is behind them. `Docs/openapi.json` lists the same.
///
/// A class, since each request hands its route on several times: that counts one reference, and not those of all texts in it.
package final class Route: Sendable {
    package enum Action: Int, Sendable, CaseIterable {
        case verify, issueNonce, keys, live, ready, metrics
        case openSession, refreshSession, listSessions, endSessions, endSession
        case signUp, confirmSignUp, listAccounts, showAccount, changeAccount, deleteAccount
        case changePassword, unlinkIdentity, auditTrail
        case introspect, revoke, keySet, discovery
    }

    package let method: String
    /// The path, or its template: what stands in braces is one segment of the form of that name (`PathParameter`).
    package let path: String
    /// nil for what every listener answers.
    package let door: Door?
    package let action: Action
    /// The names that may stand behind the question mark.
    package let query: [String]
    /// Where requests for its path are counted.
    let place: Int
    let bodyForm: BodyForm
    private let isTemplate: Bool

    private init(_ row: RouteTable.Row, place: Int) {
        method = row.method
        path = row.path
        door = row.door
        action = row.action
        query = row.query
        self.place = place
        isTemplate = row.path.utf8.contains(UInt8(ascii: "{"))
        bodyForm = BodyForm(row)
    }

    package static let all = RouteTable.rows.map { row in
        Route(row, place: paths.firstIndex { $0.isSameBytes(as: row.path) } ?? 0)
    }

    /// Each path once, in the order of the routes.
    static let paths = RouteTable.rows.map(\.path).reduce(into: [String]()) { paths, path in
        if !paths.containsBytes(of: path) { paths.append(path) }
    }

    /// The route of a request to a listener with these doors, and what the path has in place of the template's braces. HEAD is GET
    /// without the body (RFC 9110 §9.3.2).
    ///
    /// `place` becomes that of the path where only the method is wrong.
    static func find(
        _ method: String,
        _ path: String,
        _ doors: Doors,
        place: inout Int
    ) throws(Problem) -> (route: Route, parameters: [String]) {
        for route in all where route.isOpen(doors) {
            guard let parameters = route.parameters(path) else { continue }
            if route.answers(method) { return (route, parameters) }
            place = route.place
        }
        let allowed = all.filter { $0.isOpen(doors) && $0.parameters(path) != nil }
            .map { $0.method == "GET" ? "GET, HEAD" : $0.method }.joined(separator: ", ")
        guard !allowed.isEmpty else { throw unknown }
        throw Problem(.methodNotAllowed, "This path takes \(allowed).", field: ("Allow", allowed))
    }

    static let unknown = Problem(.pathUnknown, "Nothing is at this path, or its door is shut on this listener.")

    // MARK: - Bodies

    enum BodyForm {
        case none, json, form

        init(_ row: RouteTable.Row) {
            switch row.action {
            case .introspect, .revoke: self = .form
            default: self = ["POST", "PUT", "PATCH"].contains(row.method) ? .json : .none
            }
        }
    }

    /// Whether the body may be left out.
    var mayBeEmpty: Bool { action == .issueNonce || action == .confirmSignUp }

    /// Whether it is about accounts, which not every server has.
    var needsAccounts: Bool { action.rawValue >= Action.openSession.rawValue }

    // MARK: - Matching

    private func isOpen(_ doors: Doors) -> Bool { door.map(doors.contains) ?? true }

    private func answers(_ method: String) -> Bool {
        self.method.isSameBytes(as: method) || (self.method == "GET" && method.isSameBytes(as: "HEAD"))
    }

    /// What stands in place of the braces; nil when it is another path. Bytes are compared as they came: nothing is decoded.
    private func parameters(_ path: String) -> [String]? {
        guard isTemplate else { return self.path.isSameBytes(as: path) ? [] : nil }
        let slash = UInt8(ascii: "/")
        let wanted = self.path.utf8.split(separator: slash, omittingEmptySubsequences: false)
        let given = path.utf8.split(
            separator: slash, maxSplits: wanted.count, omittingEmptySubsequences: false)
        guard wanted.count == given.count else { return nil }
        var parameters: [String] = []
        for (wanted, given) in zip(wanted, given) {
            guard let form = PathParameter(rawValue: String(Substring(wanted))) else {
                guard wanted.elementsEqual(given) else { return nil }
                continue
            }
            guard form.takes(given) else { return nil }
            parameters.append(String(Substring(given)))
        }
        return parameters
    }
}

/// What may stand in place of a template's braces.
private enum PathParameter: String {
    /// The name of an account, session or sign-up, a UUID in letters of either case (RFC 9562 §4).
    case id = "{id}"
    /// The name of an identity.
    case identity = "{identity}"

    func takes(_ segment: Substring.UTF8View) -> Bool {
        switch self {
        case .id:
            let hyphens = [8, 13, 18, 23]
            return segment.count == 36
                && segment.enumerated().allSatisfy {
                    hyphens.contains($0) ? $1 == UInt8(ascii: "-") : Self.isHexDigit(ASCIICase.folded($1))
                }
        case .identity: return segment.count == 32 && segment.allSatisfy(Self.isHexDigit)
        }
    }

    private static func isHexDigit(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(byte)
    }
}
