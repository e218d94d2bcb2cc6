/// Answers requests; what carries them is the server's own business.
///
/// Every request gets an answer, so nothing is thrown. A responder that has work for more than a few hundred microseconds
/// yields in between (`Task.yield()`), since other connections share its thread.
package protocol HTTPResponder: Sendable {
    /// The answer to a request that was received whole and is well-formed.
    func respond(to request: ReceivedRequest) async -> HTTP.Response

    /// The same for servers: an answer that needs no waiting is there when this returns, and so costs no task.
    func begin(_ request: ReceivedRequest) -> HTTPBeginning
}

/// What has come of a request so far.
package enum HTTPBeginning: Sendable {
    case answered(HTTP.Response)
    /// What is left to do, to be called once.
    case waits(@Sendable () async -> HTTP.Response)
}

extension HTTPResponder {
    package func begin(_ request: ReceivedRequest) -> HTTPBeginning {
        .waits { await respond(to: request) }
    }
}
