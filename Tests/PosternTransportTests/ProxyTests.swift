import PosternHTTP
import PosternTestSupport
import PosternTransport
import Testing

@Suite struct ProxyTests {
    private let server: TestServer

    init() throws { server = try TestServer.shared.get() }

    /// The proxy is told where to, and nothing of what is asked.
    @Test func theProxySeesTheHostAlone() async throws {
        let path = "/proxy/secret"
        try await server.set(path, .answer())
        let proxy = server.port("proxy")
        var fields = HTTP.Fields()
        fields.append("X-Secret", "secret")
        let client = try CurlClient.test { $0.proxy = "http://127.0.0.1:\(proxy)" }
        let response = try await client.send(HTTP.Request(.get, server.url(path), fields: fields))
        #expect(response.status == 200)
        #expect(try await server.requests(path).first?.values("X-Secret") == ["secret"])
        let heads = try await server.proxyHeads()
        #expect(heads.contains { $0.hasPrefix("CONNECT 127.0.0.1:\(server.port("good")) HTTP/1.1\r\n") })
        #expect(!heads.contains { $0.contains("secret") })
    }

    @Test func aProxyThatRefuses() async throws {
        let client = try CurlClient.test { $0.proxy = "http://127.0.0.1:\(server.port("proxy"))" }
        let failure = await client.failure("https://elsewhere.example/")
        #expect(failure?.code == .notConnected)
        #expect(failure?.message.contains("status 403") == true, "\(String(describing: failure))")
    }

    @Test func aProxyThatIsNotThere() async throws {
        let client = try CurlClient.test { $0.proxy = "http://127.0.0.1:1" }
        #expect(await client.failure(server.url("/proxy/absent"))?.code == .notConnected)
    }

    /// A proxy over TLS must be trusted too.
    @Test func aProxyThatIsNotTrusted() async throws {
        let client = try CurlClient.test { $0.proxy = "https://127.0.0.1:\(server.port("expired"))" }
        let failure = await client.failure(server.url("/proxy/untrusted"))
        #expect(failure?.code == .notTrusted)
        #expect(failure?.message.contains("of the proxy") == true, "\(String(describing: failure))")
        #expect(failure?.message.contains("certificate expired") == true, "\(String(describing: failure))")
    }
}
