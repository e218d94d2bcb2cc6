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
        self.route = route.place
        // Looked up but for the two that are asked most.
        self.method =
            route.method.utf8.count == 3 && method.utf8.count == 4
            ? RequestLabels.head
            : route.action == .verify ? RequestLabels.post : RequestLabels.place(ofMethod: route.method)
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
        case ProviderTally.faultPlace, ProviderTally.storeFaultPlace: faults &+= 1
        default: refused &+= 1
        }
        self.outcome = outcome
        self.provider = provider
    }
}

/// The values that labels of requests can have: few, and none of them is anything that a caller said.
enum RequestLabels {
    static let methods = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "other"]
    static let statuses = [200, 201, 202, 204, 400, 401, 403, 404, 405, 409, 413, 415, 422, 429, 503]
    static let statusNames = statuses.map(String.init) + ["other"]
    /// The paths of the routes, templates as they are; then all other paths, and the server itself.
    static let routes = Route.paths + ["other", "*"]
    // Numbers that stand in the source are there without a look at whether they have been made.
    static let get = 0
    static let head = 1
    static let post = 2
    static let otherMethod = 6
    static let methodCount = 7
    static let statusCount = 16
    static let noRoute = 19
    static let server = 20

    static func place(ofMethod method: String) -> Int {
        methods.firstIndex { $0.isSameBytes(as: method) } ?? otherMethod
    }

    static func place(ofStatus status: Int) -> Int {
        switch status {
        case 200: 0
        case 201: 1
        case 202: 2
        case 204: 3
        case 400: 4
        case 401: 5
        case 403: 6
        case 404: 7
        case 405: 8
        case 409: 9
        case 413: 10
        case 415: 11
        case 422: 12
        case 429: 13
        case 503: 14
        default: 15
        }
    }
}
