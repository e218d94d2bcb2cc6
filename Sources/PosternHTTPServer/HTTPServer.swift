internal import Glibc
package import PosternHTTP

/// An HTTP/1.1 server: it takes connections, reads requests strictly (RFC 9112), has a responder answer them and writes the
/// answers. It knows no paths.
///
/// Requests that are not well-formed or too large never reach the responder. The server sets `Content-Length`,
/// `Connection` and `Date`; what a responder sets under the names that frame a message is left out. Answers to
/// HEAD and with status 204 and 304 go out without a body. `OPTIONS *` is answered by the server.
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
    /// - Parameters:
    ///   - listeners: where to wait for connections; a request tells by `listener` which of them took it.
    ///   - threads: how many loops share the connections.
    ///   - inherited: the sockets that `Listener.inherited` counts.
    package init(
        listeners: [Listener],
        limits: ServerLimits = ServerLimits(),
        deadlines: ServerDeadlines = ServerDeadlines(),
        threads: Int = HTTPServer.coreCount,
        inherited: InheritedSockets = .none,
        responder: any HTTPResponder
    ) {
    }

    /// The cores of this machine that are on.
    package static var coreCount: Int { max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN))) }

    /// Opens all listeners, then serves on threads of its own. When one cannot be opened none stays open.
    ///
    /// A server starts once; after `drain` make a new one.
    package func start() throws(ServerError) {
        throw ServerError(.system, "not built yet")
    }

    /// The port of a listener on TCP, also where the system chose it; nil for others and before the start.
    package func port(ofListener index: Int) -> UInt16? { nil }

    /// Ends in good order: takes no more connections, closes the ones without a request, answers the requests that are being
    /// read or answered with `Connection: close`, and cuts what is left when the time is up. Sockets in the file system
    /// that are still the server's are gone and all threads ended when it returns.
    package func drain(deadline: Duration) async {}

    /// Ends at once: `drain` without any time.
    package func stop() async { await drain(deadline: .zero) }

    /// What was counted so far; may be asked from any thread at any time.
    package var statistics: ServerStatistics { ServerStatistics() }
}
