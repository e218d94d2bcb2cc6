internal import Glibc
internal import PosternBase
package import PosternHTTP
internal import PosternLoop

/// An HTTP/1.1 server: it takes connections, reads requests strictly (RFC 9112), has a responder answer them and writes the
/// answers. It knows no paths.
///
/// Requests that are not well-formed or too large never reach the responder. The server sets `Content-Length`,
/// `Connection` and `Date`; what a responder sets under the names that frame a message is left out. Answers to
/// HEAD and with status 204 and 304 go out without a body. What the server has to say itself, `OPTIONS *` included, the responder
/// puts into words.
///
/// The responder is called on the server's threads, one for each loop: one request at a time on each connection, in the
/// order in which they came. When it suspends, it resumes on the same thread. Its task is cancelled when the connection
/// is lost or cut.
///
///     let server = HTTPServer(listeners: [.unix(UnixSocket(path: "/run/postern/postern.sock"))], responder: router)
///     try server.start()
///     …
///     await server.drain(deadline: .seconds(20))
package final class HTTPServer: Sendable {
    /// What does not change.
    struct Settings: Sendable {
        let listeners: [Listener]
        let limits: ServerLimits
        let deadlines: ServerDeadlines
        let threads: Int
        let inherited: InheritedSockets
        let responder: any HTTPResponder
        let observer: (@Sendable (ServerTrouble) -> Void)?
    }

    private enum State: Sendable {
        case new
        case starting
        case running(RunningServer)
        case draining(RunningServer)
        case ended(ServerStatistics)
    }

    private let settings: Settings
    private let state = Lock(State.new)

    /// - Parameters:
    ///   - listeners: where to wait for connections; a request tells by `listener` which of them took it.
    ///   - threads: how many loops share the connections.
    ///   - inherited: the sockets that `Listener.inherited` counts.
    ///   - observer: is told of what keeps callers out, on a thread of the server, the same at most every ten seconds.
    package init(
        listeners: [Listener],
        limits: ServerLimits = ServerLimits(),
        deadlines: ServerDeadlines = ServerDeadlines(),
        threads: Int = HTTPServer.coreCount,
        inherited: InheritedSockets = .none,
        responder: any HTTPResponder,
        observer: (@Sendable (ServerTrouble) -> Void)? = nil
    ) {
        settings = Settings(
            listeners: listeners,
            limits: limits,
            deadlines: deadlines,
            threads: max(1, threads),
            inherited: inherited,
            responder: responder,
            observer: observer
        )
    }

    deinit {
        // Whoever lets go of a server without a word has no use for what it still does.
        if case .running(let running) = state.withLock({ $0 }) { running.abandon() }
    }

    /// The cores of this machine that are on.
    package static var coreCount: Int { max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN))) }

    /// Connections beyond `ServerLimits.connections` that may be open while their peers are told that they may not come in.
    package static var placesForTurnedAway: Int { ConnectionGate.turnedAwayPlaces }

    /// Opens all listeners, then serves on threads of its own. When one cannot be opened none stays open.
    ///
    /// A server starts once; after `drain` make a new one.
    package func start() throws(ServerError) {
        let isFirst = state.withLock { state in
            guard case .new = state else { return false }
            state = .starting
            return true
        }
        guard isFirst else { throw ServerError(.invalid, "A server starts once; make a new one.") }
        do throws(ServerError) {
            let running = try RunningServer(settings)
            state.withLock { $0 = .running(running) }
        } catch {
            state.withLock { $0 = .ended(ServerStatistics()) }
            throw error
        }
    }

    /// The port of a listener on TCP, also where the system chose it; nil for others and before the start.
    package func port(ofListener index: Int) -> UInt16? {
        guard case .running(let running) = state.withLock({ $0 }), running.ports.indices.contains(index) else {
            return nil
        }
        return running.ports[index]
    }

    /// Ends in good order: takes no more connections, closes the ones without a request, answers the requests that are being
    /// read or answered with `Connection: close`, and cuts what is left when the time is up. Sockets in the file system
    /// that are still the server's are gone and all threads ended when it returns.
    ///
    /// Only the first call does something and waits; to be called from outside the server's own threads: no responder can wait for its own end.
    package func drain(deadline: Duration) async {
        let running: RunningServer? = state.withLock { state in
            guard case .running(let running) = state else { return nil }
            state = .draining(running)
            return running
        }
        guard let running else { return }
        await running.drain(deadline)
        state.withLock { $0 = .ended(running.statistics) }
    }

    /// Comes back once each loop has had its turn: while one hangs, so does this.
    package func pulse() async {
        if case .running(let running) = state.withLock({ $0 }) { await running.pulse() }
    }

    /// Ends at once: `drain` without any time.
    package func stop() async { await drain(deadline: .zero) }

    /// What was counted so far; may be asked from any thread at any time.
    package var statistics: ServerStatistics {
        switch state.withLock({ $0 }) {
        case .new, .starting: ServerStatistics()
        case .running(let running), .draining(let running): running.statistics
        case .ended(let last): last
        }
    }

    /// Bytes of requests that are kept now, of those that count against `ServerLimits.bufferedBytes`.
    package var bufferedBytes: Int { buffered.held.total }

    /// The same by kind, and the most that there may be of each over all listeners.
    package var buffered: (held: BufferedBytes, limit: BufferedBytes) {
        switch state.withLock({ $0 }) {
        case .running(let running), .draining(let running): return (running.buffered, running.bufferedLimit)
        case .new, .starting, .ended:
            let none = BufferedBytes(heads: 0, bodies: 0, answers: 0)
            return (none, none)
        }
    }

    /// Connections that there may be at a time.
    package var connectionLimit: Int { settings.limits.connections }
}
