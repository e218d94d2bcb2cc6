internal import PosternBase
package import PosternHTTP

/// An HTTPS client over libcurl that bounds time, size and trust.
///
/// It speaks HTTP/1.1 over TLS 1.2 or later, always verifies certificate and host name, follows no redirect, asks for no
/// compression, keeps no cookie, and reads no setting from the environment. Requests share connections; those beyond
/// `NetworkSettings.concurrentRequests` wait their turn, and the wait counts against their time. A POST always goes on a new
/// connection, because on a used one libcurl may send it twice (RFC 9110 §9.2.2).
package final class CurlClient: HTTP.Client {
    /// What the client was made with.
    package let settings: NetworkSettings
    private let loop: TransferLoop

    /// A client; its thread starts with the first request.
    ///
    /// Throws `NetworkSettingsError` when a setting is out of range or `caFile` cannot be read.
    package init(_ settings: NetworkSettings = NetworkSettings()) throws(NetworkSettingsError) {
        let checked = try CheckedSettings(settings)
        self.settings = settings
        loop = TransferLoop(checked)
    }

    // Nobody is inside `send`, which holds the client, so the thread has nothing to do and ends at once.
    deinit { loop.close() }

    /// Sends the request and waits for the whole answer, whatever its status.
    package func send(_ request: HTTP.Request) async throws(HTTP.ClientError) -> HTTP.Response {
        let exchange = try Exchange(request, loop.settings)
        defer { withExtendedLifetime(self) {} }
        let result: Result<HTTP.Response, HTTP.ClientError> = await withTaskCancellationHandler {
            await withCheckedContinuation { loop.submit(exchange, $0) }
        } onCancel: {
            loop.cancel(exchange)
        }
        return try result.get()
    }
}
