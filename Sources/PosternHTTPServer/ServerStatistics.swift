/// What a server has counted since it started.
package struct ServerStatistics: Sendable, Equatable {
    /// Connections that are open now.
    package var openConnections = 0
    /// Requests that the responder has been given and not answered yet.
    package var requestsInFlight = 0
    /// Connections taken.
    package var accepted = 0
    /// Connections refused because there were too many, in all or of one peer.
    package var refusedConnections = 0
    /// Connections of peers that may not come in.
    package var refusedPeers = 0
    /// Times that a connection could not be taken for lack of descriptors or memory.
    package var acceptFailures = 0
    /// Requests that the responder was given.
    package var requests = 0
    /// Requests refused before the responder saw them, by the code of the reason.
    package var refusedRequests: [String: Int] = [:]
    /// Connections closed because nothing came between requests.
    package var idleTimeouts = 0
    /// Connections cut because the other side did not take an answer in time.
    package var writeTimeouts = 0

    package init() {}

    /// Adds what another thread of the server has counted.
    mutating func add(_ other: ServerStatistics) {
        openConnections += other.openConnections
        requestsInFlight += other.requestsInFlight
        accepted += other.accepted
        refusedConnections += other.refusedConnections
        refusedPeers += other.refusedPeers
        acceptFailures += other.acceptFailures
        requests += other.requests
        refusedRequests.merge(other.refusedRequests, uniquingKeysWith: +)
        idleTimeouts += other.idleTimeouts
        writeTimeouts += other.writeTimeouts
    }
}
