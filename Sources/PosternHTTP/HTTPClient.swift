/// Asks servers; what carries the question is the client's own business.
///
/// A client bounds time and size itself, follows no redirect, and sends nothing but what it was given.
public protocol HTTPClient: Sendable {
    /// Sends the request and waits for the whole answer, whatever its status.
    ///
    /// Throws `HTTPClientError` when no whole answer came. When the task is cancelled it throws `.cancelled` soon and
    /// leaves nothing running.
    func send(_ request: HTTPRequest) async throws(HTTPClientError) -> HTTPResponse
}
