import PosternHTTP
import PosternTestSupport
import PosternTransport
import Testing

@Suite struct CurlClientTests {
    private let server: TestServer

    init() throws { server = try TestServer.shared.get() }

    @Test func anAnswerComesWhole() async throws {
        let path = "/client/whole"
        try await server.set(
            path, .answer(200, [("Cache-Control", "max-age=60"), ("X-Empty", "")], body: "{\"keys\":[]}"))
        let response = try await CurlClient.test().send(HTTP.Request(.get, server.url(path + "?a=b%20c&d=../e")))
        #expect(response.status == 200)
        #expect(String(decoding: response.body, as: UTF8.self) == "{\"keys\":[]}")
        #expect(response.fields.single("cache-control") == "max-age=60")
        #expect(response.fields.single("x-empty") == "")
        let seen = try await server.requests(path)
        #expect(seen.map(\.target) == [path + "?a=b%20c&d=../e"])
        #expect(seen.map(\.method) == ["GET"])
    }

    /// Any status is an answer; a redirect's target is never contacted.
    @Test(arguments: [200, 204, 304, 301, 302, 303, 307, 308, 400, 401, 404, 407, 429, 500, 503, 599])
    func everyStatusIsAnAnswer(status: Int) async throws {
        let path = "/client/status/\(status)"
        let second = try await server.listen("plain")
        let target = server.url("/", on: second)
        try await server.set(path, .answer(status, [("Location", target), ("Retry-After", "1")]))
        let client = try CurlClient.test { $0.allowsInsecureLoopback = true }
        let response = try await client.send(HTTP.Request(.get, server.url(path)))
        #expect(response.status == status)
        #expect(response.fields.single("Location") == target)
        #expect(try await server.contacts(second.name) == 0)
    }

    /// Nothing goes out but what was given and what a message needs.
    @Test func onlyWhatWasGivenGoesOut() async throws {
        let path = "/client/fields"
        try await server.set(path, .answer())
        let client = try CurlClient.test()
        var fields = HTTP.Fields()
        fields.append("If-None-Match", "\"a\"")
        fields.append("X-Empty", "")
        fields.append("X-Twice", "1")
        fields.append("X-Twice", "2;é")
        for request in [
            HTTP.Request(.get, server.url(path)), HTTP.Request(.get, server.url(path), fields: fields),
            HTTP.Request(.post, server.url(path)),
            HTTP.Request(.post, server.url(path), body: [0, 1, 255, 0x0D, 0x0A]),
        ] {
            #expect(try await client.send(request).status == 200)
        }
        let host = ["Host", "127.0.0.1:\(server.port("good"))"]
        let seen = try await server.requests(path)
        #expect(seen.map(\.method) == ["GET", "GET", "POST", "POST"])
        #expect(seen.map { Array($0.body) } == [[], [], [], [0, 1, 255, 0x0D, 0x0A]])
        let given = [["If-None-Match", "\"a\""], ["X-Empty", ""], ["X-Twice", "1"], ["X-Twice", "2;Ã©"]]
        #expect(
            seen.map(\.fields) == [
                [host], [host] + given, [host, ["Content-Length", "0"]], [host, ["Content-Length", "5"]],
            ])
    }

    @Test func aConditionalRequestGets304() async throws {
        let path = "/client/etag"
        try await server.set(path, .answer(200, [("Cache-Control", "max-age=5")], body: "a", etag: "\"1\""))
        let client = try CurlClient.test()
        let first = try await client.send(HTTP.Request(.get, server.url(path)))
        var fields = HTTP.Fields()
        fields.append("If-None-Match", try #require(first.fields.single("ETag")))
        let second = try await client.send(HTTP.Request(.get, server.url(path), fields: fields))
        #expect((first.status, second.status) == (200, 304))
        #expect(first.body == [UInt8(ascii: "a")])
        #expect(second.body.isEmpty)
        #expect(second.fields.single("Cache-Control") == "max-age=5")
    }

    @Test func answersComeInTheOrderThatWasSet() async throws {
        let path = "/client/sequence"
        try await server.set(path, .answer(500), .answer(200, body: "x"))
        let client = try CurlClient.test()
        var statuses: [Int] = []
        for _ in 0..<3 { statuses.append(try await client.send(HTTP.Request(.get, server.url(path))).status) }
        #expect(statuses == [500, 200, 200])
    }

    /// Requests share a connection; a POST has one of its own, because on a used one it could be sent twice.
    @Test func connectionsAreUsedAgainButNotForPOST() async throws {
        let path = "/client/reuse"
        try await server.set(path, .answer(200, body: "x"))
        let client = try CurlClient.test()
        for method in [HTTP.Request.Method.get, .get, .post, .get, .post] {
            _ = try await client.send(HTTP.Request(method, server.url(path)))
        }
        let connections = try await server.requests(path).map(\.connection)
        try #require(connections.count == 5)
        #expect(connections[0] == connections[1])
        #expect(!connections[..<2].contains(connections[2]))
        #expect(connections[..<3].contains(connections[3]))
        #expect(!connections[..<4].contains(connections[4]))
    }

    /// A connection that the server has closed meanwhile is no failure of the next request.
    @Test(arguments: [TestAnswer.End.notify, .cut, .reset])
    func aClosedConnectionIsReplaced(end: TestAnswer.End) async throws {
        let path = "/client/closed/\(end)"
        try await server.set(path, .raw("HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\nx", close: end))
        let client = try CurlClient.test()
        for _ in 0..<3 {
            #expect(try await client.send(HTTP.Request(.get, server.url(path))).body == [UInt8(ascii: "x")])
        }
    }

    @Test func theNameIsTheServersWhereTheCertificateHasIt() async throws {
        let path = "/client/name"
        try await server.set(path, .answer())
        let response = try await CurlClient.test().send(HTTP.Request(.get, server.url(path, host: "localhost")))
        #expect(response.status == 200)
    }

    @Test func requestsThatAreNoneAreRefused() async throws {
        let client = try CurlClient.test()
        let url = server.url("/client/refused")
        #expect(await client.failure(HTTP.Request(.get, url, body: [1]))?.code == .failed)
        for name in ["host", "Content-Length", "Transfer-Encoding", "Connection", "TE", "Upgrade", "Expect"] {
            var fields = HTTP.Fields()
            fields.append(name, "1")
            #expect(await client.failure(HTTP.Request(.get, url, fields: fields))?.code == .failed, "\(name)")
        }
        #expect(try await server.requests("/client/refused").isEmpty)
    }
}
