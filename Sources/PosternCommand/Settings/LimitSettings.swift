internal import PosternHTTPServer
internal import PosternService

/// The limits of the server and of each caller.
struct LimitSettings {
    private(set) var rate: CallerLimiter.Rate?
    let server: ServerLimits
    let deadlines: ServerDeadlines
    private(set) var drainSeconds: Int64
    let threads: Int
    /// nil where nothing is said about limits.
    let object: SettingsObject?

    /// `listeners`: among which to share; nil when they are not known.
    init(_ object: SettingsObject?, _ listeners: [ListenerSettings]?) throws(CommandFailure) {
        self.object = object
        let perSecond = try object?.number("requests_per_second")
        let burst = try object?.number("burst")
        if let object, burst != nil, perSecond == nil {
            throw object.failure("burst", "has no meaning without requests_per_second")
        }
        rate = perSecond.flatMap { CallerLimiter.Rate(perSecond: $0, burst: burst ?? $0) }
        server = try Self.server(object, listeners)
        deadlines = try Self.deadlines(object)
        drainSeconds = try object?.number("drain_seconds") ?? 20
        threads = try object?.number("threads").map { Int(clamping: $0) } ?? HTTPServer.coreCount
    }

    /// These, with all that cannot change while the server runs as it was at `start`.
    func reloaded(since start: LimitSettings) -> LimitSettings {
        var limits = start
        limits.rate = rate
        limits.drainSeconds = drainSeconds
        return limits
    }

    private static func server(
        _ object: SettingsObject?,
        _ listeners: [ListenerSettings]?
    ) throws(CommandFailure) -> ServerLimits {
        func size(_ name: String) throws(CommandFailure) -> Int? { try object?.number(name).map { Int(clamping: $0) } }
        var limits = ServerLimits()
        limits.bodyBytes = try size("body_bytes") ?? limits.bodyBytes
        limits.headerBytes = try size("header_bytes") ?? limits.headerBytes
        limits.bufferedBytes = try size("buffered_bytes") ?? limits.bufferedBytes
        limits.connections = try size("connections") ?? limits.connections
        limits.connectionsPerPeer = try size("connections_per_peer")
        if let object, let peer = limits.connectionsPerPeer, peer > limits.connections {
            throw object.failure(
                "connections_per_peer", "is more than limits.connections, which is \(limits.connections)")
        }
        guard let listeners, let first = listeners.first else { return limits }
        for (place, listener) in listeners.enumerated() {
            limits.reservedConnections[place] = listener.reservedConnections
        }
        try check(limits, object ?? first.object, listeners)
        return limits
    }

    /// Whether what is set apart fits into the whole.
    private static func check(
        _ limits: ServerLimits,
        _ object: SettingsObject,
        _ listeners: [ListenerSettings]
    ) throws(CommandFailure) {
        let reserved = limits.reservedConnections.values.reduce(0, +)
        if reserved > limits.connections, let listener = listeners.last(where: { $0.reservedConnections != nil }) {
            throw listener.object.failure(
                "reserved_connections",
                "makes \(reserved) with those of other listeners, and limits.connections is \(limits.connections)")
        }
        let left = limits.connections - reserved
        if left == 0, let listener = listeners.first(where: { $0.reservedConnections ?? 0 == 0 }) {
            throw listener.object.failure(
                listener.object.value, "\(listener.object.path) would get no connection: all are reserved for others")
        }
        let share = limits.bodyShare(listeners.count)
        guard limits.bodyBytes <= share else {
            throw object.failure(
                object.has("buffered_bytes") ? "buffered_bytes" : "body_bytes",
                "does not fit: each of \(listeners.count) listeners has \(share) bytes of buffered_bytes for bodies, and one may have \(limits.bodyBytes)"
            )
        }
    }

    private static func deadlines(_ object: SettingsObject?) throws(CommandFailure) -> ServerDeadlines {
        var deadlines = ServerDeadlines()
        if let seconds = try object?.number("header_seconds") { deadlines.header = .seconds(seconds) }
        if let seconds = try object?.number("body_seconds") { deadlines.body = .seconds(seconds) }
        if let seconds = try object?.number("idle_seconds") { deadlines.idle = .seconds(seconds) }
        return deadlines
    }
}
