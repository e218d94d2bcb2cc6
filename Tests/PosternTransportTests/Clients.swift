import PosternHTTP
import PosternTestSupport
import PosternTransport

extension CurlClient {
    /// A client that trusts the test server's authority and waits for minutes: a guard, not a limit under test. Other
    /// suites may hold the whole pool of tasks for that long.
    static func test(_ change: (inout NetworkSettings) -> Void = { _ in }) throws -> CurlClient {
        try patient(caFile: TestServer.shared.get().caFile, change)
    }

    /// The same for a process of its own, which has no server.
    static func patient(caFile: String?, _ change: (inout NetworkSettings) -> Void = { _ in }) throws -> CurlClient {
        var settings = NetworkSettings()
        settings.caFile = caFile
        settings.connectTimeout = .seconds(60)
        settings.totalTimeout = .seconds(300)
        change(&settings)
        return try CurlClient(settings)
    }

    /// The error that asking gives, or nil when there is an answer.
    func failure(_ request: HTTP.Request) async -> HTTP.ClientError? {
        do throws(HTTP.ClientError) {
            _ = try await send(request)
            return nil
        } catch {
            return error
        }
    }

    func failure(_ url: String) async -> HTTP.ClientError? { await failure(HTTP.Request(.get, url)) }
}
