/// What a server has counted since it started.
package struct ServerStatistics: Sendable, Equatable {
    /// What has come of the connections of one listener.
    package struct Connections: Sendable, Equatable {
        /// Open now.
        package var open = 0
        /// Taken.
        package var accepted = 0
        /// Refused because there were too many, in all or of one peer.
        package var refused = 0
        /// Of peers that may not come in.
        package var refusedPeers = 0
        /// Times that one could not be taken for lack of descriptors or memory.
        package var acceptFailures = 0
        /// Closed because nothing came between requests.
        package var idleTimeouts = 0
        /// Cut because the other side did not take an answer in time.
        package var writeTimeouts = 0

        mutating func add(_ other: Connections) {
            open += other.open
            accepted += other.accepted
            refused += other.refused
            refusedPeers += other.refusedPeers
            acceptFailures += other.acceptFailures
            idleTimeouts += other.idleTimeouts
            writeTimeouts += other.writeTimeouts
        }
    }

    /// By the place of the listener.
    package var listeners: [Connections]
    /// Requests that the responder has been given and not answered yet.
    package var requestsInFlight = 0
    /// Requests that the responder was given.
    package var requests = 0
    /// Requests refused before the responder saw them, by the code of the reason.
    package var refusedRequests: [String: Int] = [:]

    package init(listeners: Int = 0) { self.listeners = Array(repeating: Connections(), count: listeners) }

    package var openConnections: Int { sum(\.open) }
    package var accepted: Int { sum(\.accepted) }
    package var refusedConnections: Int { sum(\.refused) }
    package var refusedPeers: Int { sum(\.refusedPeers) }
    package var acceptFailures: Int { sum(\.acceptFailures) }
    package var idleTimeouts: Int { sum(\.idleTimeouts) }
    package var writeTimeouts: Int { sum(\.writeTimeouts) }

    private func sum(_ count: KeyPath<Connections, Int>) -> Int { listeners.reduce(0) { $0 + $1[keyPath: count] } }

    /// Adds what another thread of the server has counted.
    mutating func add(_ other: ServerStatistics) {
        for place in listeners.indices where other.listeners.indices.contains(place) {
            listeners[place].add(other.listeners[place])
        }
        requestsInFlight += other.requestsInFlight
        requests += other.requests
        refusedRequests.merge(other.refusedRequests, uniquingKeysWith: +)
    }
}

/// Bytes that connections keep, of those that count against `ServerLimits.bufferedBytes`.
package struct BufferedBytes: Sendable, Equatable {
    package let heads: Int
    package let bodies: Int
    /// Answers that are not taken, and what was sent behind them.
    package let answers: Int

    package var total: Int { heads + bodies + answers }
}
