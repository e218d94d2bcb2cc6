/// Answers requests; what carries them is the server's own business.
///
/// Every request gets an answer, so nothing is thrown. A responder that has work for more than a few hundred microseconds
/// yields in between (`Task.yield()`), since other connections share its thread.
package protocol HTTPResponder: Sendable {
    /// The answer to a request that was received whole and is well-formed.
    func respond(to request: ReceivedRequest) async -> HTTP.Response

    /// The same for servers: an answer that needs no waiting is there when this returns, and so costs no task.
    func begin(_ request: ReceivedRequest) -> HTTPBeginning

    /// Asked when somebody connects: an answer turns them away before anything of theirs is read.
    func answer(to peer: Peer, listener: Int) -> HTTP.Response?

    /// Asked once a head is there whose body is still to come: an answer spares the body, of which nothing is kept then. What
    /// it says must be what `begin` would say to any body.
    func answer(toHead head: ReceivedHead) -> HTTP.Response?

    /// What the server has to say itself, in the responder's words.
    func answer(_ notice: HTTPNotice, to fields: ReceivedFields) -> HTTP.Response
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

    package func answer(to peer: Peer, listener: Int) -> HTTP.Response? { nil }

    package func answer(toHead head: ReceivedHead) -> HTTP.Response? { nil }

    package func answer(_ notice: HTTPNotice, to fields: ReceivedFields) -> HTTP.Response { notice.response() }
}
