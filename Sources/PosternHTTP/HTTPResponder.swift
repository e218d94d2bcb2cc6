/// Answers requests; what carries them is the server's own business.
///
/// Every request gets an answer, so nothing is thrown. A responder that has work for more than a few hundred microseconds
/// yields in between (`Task.yield()`), since other connections share its thread.
package protocol HTTPResponder: Sendable {
    /// The answer to a request that was received whole and is well-formed.
    func respond(to request: ReceivedRequest) async -> HTTPResponse
}
