/// How much of everything a server takes. What is beyond is refused with the status that stands beside it.
package struct ServerLimits: Sendable, Equatable {
    /// Bytes of the request line without its end: 414.
    package var requestLineBytes = 8_192
    /// Bytes of all field lines, their ends included: 431.
    package var headerBytes = 16_384
    /// Field lines: 431.
    package var headerCount = 64
    /// Bytes of a body, decoded: 413, before the body is read where its length is known.
    package var bodyBytes = 1_048_576
    /// Connections at a time: 429 and closed.
    package var connections = 16_384
    /// Of these, how many each listener has for itself, by its place; where none is said, half of what is left is shared
    /// out evenly.
    package var reservedConnections: [Int: Int] = [:]
    /// Connections at a time of one user (Unix socket) or one address (TCP): 429 and closed. nil for a quarter of all, but at
    /// least 64: a proxy is one address and a backend one user, and neither should be the only one.
    package var connectionsPerPeer: Int?
    /// Bytes of requests that have not come whole or are not answered yet, over all connections: 429. Each listener has an
    /// even share, a quarter of it for heads.
    package var bufferedBytes = 67_108_864
    /// Bytes that are read and thrown away after an early answer, so that the answer is not lost with the connection.
    package var lingerBytes = 16_777_216

    package init() {}

    /// `connectionsPerPeer` or what counts without.
    package var ofOnePeer: Int { connectionsPerPeer ?? min(connections, max(64, connections / 4)) }

    /// Bytes of `bufferedBytes` that the bodies of one of so many listeners have.
    package func bodyShare(_ listeners: Int) -> Int {
        let share = bufferedBytes / max(1, listeners)
        return share - share / 4
    }

    /// The connections that each of so many listeners has for itself. More than there are in all are for the caller to
    /// refuse; then the last ones have fewer.
    package func reserves(_ listeners: Int) -> [Int] {
        var left = connections
        var reserves = (0..<listeners).map { listener in
            let said = min(max(0, reservedConnections[listener] ?? 0), left)
            left -= said
            return said
        }
        let others = reserves.indices.filter { reservedConnections[$0] == nil }
        for listener in others { reserves[listener] = left / 2 / others.count }
        return reserves
    }
}

/// How long a server waits. Each span runs from the beginning of its phase, and no byte that comes prolongs it.
package struct ServerDeadlines: Sendable, Equatable {
    /// From the first byte of a request (from the connection, for the first request) to the end of its header: 408.
    package var header: Duration = .seconds(10)
    /// From the end of the header to the end of the body: 408.
    package var body: Duration = .seconds(30)
    /// Between requests; then the connection is closed.
    package var idle: Duration = .seconds(75)
    /// Until the other side has taken an answer; then the connection is cut.
    package var write: Duration = .seconds(30)
    /// How long the other side may go on sending after an early answer.
    package var linger: Duration = .seconds(5)

    package init() {}
}
