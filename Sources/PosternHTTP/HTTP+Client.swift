extension HTTP {
    /// Asks servers; what carries the question is the client's own business.
    ///
    /// A client bounds time and size itself, follows no redirect, and sends nothing but what it was given.
    public protocol Client: Sendable {
        /// Sends the request and waits for the whole answer, whatever its status.
        ///
        /// Throws `HTTP.ClientError` when no whole answer came. When the task is cancelled it throws `.cancelled` soon and
        /// leaves nothing running.
        func send(_ request: HTTP.Request) async throws(HTTP.ClientError) -> HTTP.Response
    }
}
