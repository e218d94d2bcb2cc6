internal import PosternBase
internal import PosternHTTP

/// One request on its way: when it began, and what is told of it once it is answered.
struct RequestTally: Sendable {
    let started: UInt64
    let method: Int
    let listener: Int
    var route = RequestLabels.noRoute
    var caller: Caller?

    init(_ head: ReceivedHead) {
        started = Stopwatch.now()
        method = RequestLabels.place(ofMethod: head.method)
        listener = head.listener
    }

    /// A request about the server itself, which has no path.
    init(aboutServerAt listener: Int) {
        started = Stopwatch.now()
        method = RequestLabels.place(ofMethod: "OPTIONS")
        self.listener = listener
        route = RequestLabels.server
    }
}

/// The values that labels of requests can have: few, and none of them is anything that a caller said.
enum RequestLabels {
    static let methods = ["GET", "HEAD", "POST", "other"]
    static let statuses = [200, 201, 204, 400, 401, 403, 404, 405, 413, 415, 429, 503]
    static let statusNames = statuses.map(String.init) + ["other"]
    /// The paths of the routes, by the place of their action; then all other paths, and the server itself.
    static let routes =
        Route.Action.allCases.map { action in
            Route.all.first { $0.action == action }?.path ?? ""
        } + ["other", "*"]
    static let noRoute = Route.Action.allCases.count
    static let server = noRoute + 1

    static func place(ofMethod method: String) -> Int {
        if method.isSameBytes(as: "POST") { return 2 }
        if method.isSameBytes(as: "GET") { return 0 }
        return method.isSameBytes(as: "HEAD") ? 1 : 3
    }

    static func place(ofStatus status: Int) -> Int {
        // The first is what nearly all are.
        for (place, known) in statuses.enumerated() where known == status { return place }
        return statuses.count
    }
}
