import PosternHTTP
import PosternTestSupport
import PosternTransport

extension CurlClient {
    /// A client that trusts the test server's authority and waits for half a minute: a guard, not a limit under test.
    static func test(_ change: (inout Settings) -> Void = { _ in }) throws -> CurlClient {
        var settings = Settings()
        settings.caFile = try TestServer.shared.get().caFile
        settings.connectTimeout = .seconds(30)
        settings.totalTimeout = .seconds(30)
        change(&settings)
        return try CurlClient(settings)
    }

    /// The error that asking gives, or nil when there is an answer.
    func failure(_ request: HTTPRequest) async -> HTTPClientError? {
        do throws(HTTPClientError) {
            _ = try await send(request)
            return nil
        } catch {
            return error
        }
    }

    func failure(_ url: String) async -> HTTPClientError? { await failure(HTTPRequest(.get, url)) }
}
