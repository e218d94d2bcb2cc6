internal import PosternBase

/// One request on its way: when it began, and what is told of it once it is answered. It holds numbers alone, so that handing it on
/// costs next to nothing.
struct RequestTally: Sendable {
    let started: UInt64
    var method = RequestLabels.otherMethod
    var listener = 0
    var route = RequestLabels.noRoute
    var caller: Caller?
    var problem: ProblemCode?
    var verdicts = VerdictNote()

    init() { started = Stopwatch.now() }

    /// `OPTIONS *`, a request about the server itself.
    static var aboutServer: RequestTally {
        var tally = RequestTally()
        tally.route = RequestLabels.server
        return tally
    }

    func with(_ verdicts: VerdictNote) -> RequestTally {
        var tally = self
        tally.verdicts = verdicts
        return tally
    }

    func with(_ problem: ProblemCode) -> RequestTally {
        var tally = self
        tally.problem = problem
        return tally
    }

    /// A request whose route was found.
    mutating func found(_ route: Route, _ method: String) {
        self.route = route.action.rawValue
        self.method =
            route.takesBody
            ? RequestLabels.post : method.utf8.count == 3 ? RequestLabels.get : RequestLabels.head
    }
}

/// What came of the tokens of a request.
struct VerdictNote: Sendable {
    var accepted = 0
    var refused = 0
    var faults = 0
    /// Of the last token: its outcome, and the place of its provider; nil for nobody's.
    var outcome = 0
    var provider: Int?

    mutating func add(_ outcome: Int, provider: Int?) {
        switch outcome {
        case ProviderTally.acceptedPlace: accepted &+= 1
        case ProviderTally.faultPlace: faults &+= 1
        default: refused &+= 1
        }
        self.outcome = outcome
        self.provider = provider
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
    // Numbers that stand in the source are there without a look at whether they have been made.
    static let get = 0
    static let head = 1
    static let post = 2
    static let otherMethod = 3
    static let methodCount = 4
    static let statusCount = 13
    static let noRoute = 6
    static let server = 7

    static func place(ofMethod method: String) -> Int {
        methods.firstIndex { $0.isSameBytes(as: method) } ?? otherMethod
    }

    static func place(ofStatus status: Int) -> Int {
        switch status {
        case 200: 0
        case 201: 1
        case 204: 2
        case 400: 3
        case 401: 4
        case 403: 5
        case 404: 6
        case 405: 7
        case 413: 8
        case 415: 9
        case 429: 10
        case 503: 11
        default: 12
        }
    }
}
