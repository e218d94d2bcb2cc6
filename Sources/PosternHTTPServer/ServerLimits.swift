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
    /// Connections at a time of one user (Unix socket) or one address (TCP): 429 and closed.
    package var connectionsPerPeer = 16_384
    /// Bytes that are read and thrown away after an early answer, so that the answer is not lost with the connection.
    package var lingerBytes = 16_777_216

    package init() {}
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
