import PosternHTTP
import PosternTestSupport
import PosternTransport
import Testing

@Suite struct TargetURLTests {
    private let server: TestServer

    init() throws { server = try TestServer.shared.get() }

    /// With insecure loopback allowed: what is refused here is refused always.
    @Test(arguments: [
        "", "https", "https:", "https:/", "https://", "https:///", "https://?", "https://:443/", "//localhost/",
        "localhost", "HTTPS://localhost/", "ftp://127.0.0.1/", "file:///etc/passwd", "gopher://127.0.0.1/",
        "ws://127.0.0.1/",
        "https:\\\\localhost/", "https://user@localhost/", "https://user:secret@localhost/", "https://@localhost/",
        "https://localhost:0/", "https://localhost:/", "https://localhost:65536/", "https://localhost:+1/",
        "https://localhost:0443/", "https://localhost:4 3/", "https://localhost:44a/", "https://local host/",
        "https://localhost/\r\nX: y", "https://localhost/ ", " https://localhost/", "https://localhost/\u{0}",
        "https://localhost/é", "https://lócalhost/", "https://localhost/#a", "https://localhost\\@elsewhere.example/",
        "https://localhost%2eexample/", "https://.localhost/", "https://localhost./", "https://a..b/", "https://-a/",
        "https://a-/", "https://[::1/", "https://[::1]x/", "https://[::g]/", "https://[::1%25lo]/", "https://[]/",
        "https://[127.0.0.1]/", "https://127.1/", "https://2130706433/", "https://0x7f000001/", "https://0x7f.1/",
        "https://127.0.0.01/", "https://127.0.0.256/", "https://127.0.0.1.2/", "https://a.1/", "https://localhost/<a>",
        "https://localhost/\"a\"", "https://localhost/{a}", "https://localhost/a|b", "https://localhost/^",
        "http://localhost/", "http://example.com/", "http://128.0.0.1/", "http://126.255.255.255/", "http://0.0.0.0/",
        "http://[::]/", "http://[::2]/", "http://[::ffff:127.0.0.1]/", "http://127.0.0.1.example.com/",
        "http://10.0.0.1/",
        "http://169.254.169.254/",
    ])
    func refused(url: String) async throws {
        let failure = await (try CurlClient.test { $0.allowsInsecureLoopback = true }).failure(url)
        #expect(failure?.code == .urlRefused, "\(String(describing: failure))")
        #expect(failure?.message.contains("secret") == false)
    }

    @Test func longURLs() async throws {
        let client = try CurlClient.test()
        let path = "/url/"
        let start = server.url(path)
        try await server.set(path, .answer())
        let longest = start + "?" + String(repeating: "a", count: 8_192 - start.utf8.count - 1)
        #expect(try await client.send(HTTP.Request(.get, longest)).status == 200)
        #expect(await client.failure(longest + "a")?.code == .urlRefused)
    }

    @Test func plainLoopbackNeedsTheSetting() async throws {
        let path = "/url/plain"
        try await server.set(path, .answer(200, body: "plain"))
        let url = server.url(path, listener: "plain")
        #expect(await (try CurlClient.test()).failure(url)?.code == .urlRefused)
        #expect(try await server.requests(path).isEmpty)
        let client = try CurlClient.test { $0.allowsInsecureLoopback = true }
        #expect(try await client.send(HTTP.Request(.get, url)).status == 200)
        if server.port("plain-ipv6") != 0 {
            let url = server.url(path, listener: "plain-ipv6", host: "[::1]")
            #expect(try await client.send(HTTP.Request(.get, url)).status == 200)
        }
    }

    /// Paths go out as they are: no reader between may see another one than the server.
    @Test(arguments: ["/url/../kept", "/url/./kept", "/url//kept", "/url/%2e%2E/kept", "/url/a:b@c;d,e!$&'()*+~[]"])
    func pathsAreNotRepaired(path: String) async throws {
        try await server.set(path, .answer())
        #expect(try await (try CurlClient.test()).send(HTTP.Request(.get, server.url(path))).status == 200)
        #expect(try await server.requests(path).count == 1)
    }

    @Test func aQueryWithoutAPath() async throws {
        try await server.set("/", .answer())
        #expect(try await (try CurlClient.test()).send(HTTP.Request(.get, server.url("") + "?url=1")).status == 200)
        #expect(try await server.requests("/").map(\.target) == ["/?url=1"])
    }
}
