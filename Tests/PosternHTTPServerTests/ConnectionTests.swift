import Glibc
import PosternHTTP
import PosternHTTPServer
import Testing

/// Requests and answers on good connections; each on both kinds of sockets.
@Suite struct ConnectionTests {
    private let get = "GET / HTTP/1.1\r\nHost: a\r\n\r\n"

    @Test(arguments: TestServer.Door.allCases)
    func oneConnectionServesManyRequests(door: TestServer.Door) async throws {
        try await TestServer.run { server in
            let wire = try server.connect(door)
            for number in 0..<100 {
                wire.send("POST /\(number) HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n\r\nhi")
                let answer = try #require(wire.answer())
                #expect(answer.body == "POST /\(number)\nhi")
                #expect(!answer.closes)
            }
            #expect(server.server.statistics.accepted == 1)
            #expect(server.server.statistics.requests == 100)
        }
    }

    @Test(arguments: TestServer.Door.allCases)
    func aThousandPipelinedRequestsAreAnsweredInOrder(door: TestServer.Door) async throws {
        try await TestServer.run { server in
            let wire = try server.connect(door)
            let paths = (0..<1_000).map { $0 % 7 == 0 ? "/yield?\($0)" : "/\($0)" }
            wire.send(paths.map { "GET \($0) HTTP/1.1\r\nHost: a\r\n\r\n" }.joined())
            wire.endSending()
            let answers = Answer.all(in: wire.receiveAll())
            #expect(answers?.map(\.body) == paths.map { "GET \($0)\n" })
        }
    }

    @Test(arguments: TestServer.Door.allCases)
    func aRequestMayBeSplitAtEveryByte(door: TestServer.Door) async throws {
        try await TestServer.run { server in
            let request = Array(
                ("POST /a HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n3;x\r\nabc\r\n2\r\nde\r\n0\r\nX: y\r\n\r\n"
                    + get).utf8)
            for place in 1..<request.count {
                let wire = try server.connect(door)
                wire.send(request[..<place])
                wire.send(request[place...])
                #expect(wire.answer()?.body == "POST /a\nabcde", "split at \(place)")
                #expect(wire.answer()?.body == "GET /\n", "split at \(place)")
            }
            let wire = try server.connect(door)
            for byte in request { wire.send([byte]) }
            #expect(wire.answer()?.body == "POST /a\nabcde")
            #expect(wire.answer()?.body == "GET /\n")
        }
    }

    @Test(arguments: TestServer.Door.allCases)
    func whoSendsNoMoreStillGetsTheAnswers(door: TestServer.Door) async throws {
        try await TestServer.run { server in
            let wire = try server.connect(door)
            wire.send("GET /hold HTTP/1.1\r\nHost: a\r\n\r\n" + get)
            wire.endSending()
            await server.echo.arrivals(1)
            server.echo.release()
            #expect(Answer.all(in: wire.receiveAll())?.map(\.body) == ["GET /hold\n", "GET /\n"])
            #expect(server.echo.cancelled == 0)
        }
    }

    @Test(arguments: TestServer.Door.allCases)
    func theNextRequestWaitsForTheAnswer(door: TestServer.Door) async throws {
        try await TestServer.run { server in
            let wire = try server.connect(door)
            wire.send("GET /hold HTTP/1.1\r\nHost: a\r\n\r\n" + get)
            await server.echo.arrivals(1)
            #expect(server.server.statistics.requests == 1)
            #expect(server.server.statistics.requestsInFlight == 1)
            server.echo.release()
            #expect(wire.answer()?.body == "GET /hold\n")
            #expect(wire.answer()?.body == "GET /\n")
        }
    }

    @Test func aHandlerResumesOnItsThread() async throws {
        try await TestServer.run(threads: 3) { server in
            let wires = try (0..<12).map { _ in try server.connect(.unix) }
            for wire in wires { wire.send("GET /thread HTTP/1.1\r\nHost: a\r\n\r\n") }
            for wire in wires { #expect(wire.answer()?.body == "same") }
        }
    }

    @Test(arguments: TestServer.Door.allCases)
    func headAndBodylessAnswersHaveNoBody(door: TestServer.Door) async throws {
        try await TestServer.run { server in
            let wire = try server.connect(door)
            wire.send("HEAD /abc HTTP/1.1\r\nHost: a\r\n\r\n")
            let head = try #require(wire.answer(isHead: true))
            #expect(head.status == 200)
            #expect(head.fields["content-length"] == "10")
            for (method, path, status) in [
                ("GET", "/none", 204), ("HEAD", "/none", 204), ("GET", "/unchanged", 304), ("OPTIONS", "*", 204),
            ] {
                wire.send("\(method) \(path) HTTP/1.1\r\nHost: a\r\n\r\n")
                let answer = try #require(wire.answer())
                #expect(answer.status == status)
                #expect(answer.fields["content-length"] == nil)
            }
            wire.send(get)
            wire.endSending()
            // What comes next is the next answer: no byte of a body lay in between.
            #expect(Answer.all(in: wire.receiveAll())?.map(\.body) == ["GET /\n"])
        }
    }

    @Test(arguments: TestServer.Door.allCases)
    func framingIsTheServersOwn(door: TestServer.Door) async throws {
        try await TestServer.run { server in
            let wire = try server.connect(door)
            wire.send("GET /fields HTTP/1.1\r\nHost: a\r\n\r\n")
            let answer = try #require(wire.answer())
            #expect(answer.body == "ok")
            #expect(Set(answer.fields.keys) == ["x-one", "x-two", "date", "content-length"])
            #expect(answer.fields["date"]?.hasSuffix(" GMT") == true)
            wire.send("GET /interim HTTP/1.1\r\nHost: a\r\n\r\n")
            #expect(wire.answer()?.status == 500)
        }
    }

    @Test(arguments: TestServer.Door.allCases)
    func aClientThatAsksIsToldToContinue(door: TestServer.Door) async throws {
        try await TestServer.run { server in
            let wire = try server.connect(door)
            for _ in 0..<2 {
                wire.send("POST /p HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\nExpect: 100-continue\r\n\r\n")
                #expect(wire.answer() == Answer(status: 100, fields: [:], body: ""))
                wire.send("hello")
                #expect(wire.answer()?.body == "POST /p\nhello")
            }
        }
    }

    @Test func theResponderLearnsWhoAsks() async throws {
        try await TestServer.run { server in
            for door in TestServer.Door.allCases {
                let wire = try server.connect(door)
                wire.send("GET /who HTTP/1.1\r\nHost: a\r\n\r\n")
                let body = wire.answer()?.body ?? ""
                switch door {
                case .unix: #expect(body == "process(user: \(getuid()), group: \(getgid()), process: \(getpid())) 0")
                case .tcp:
                    #expect(body.hasPrefix("address(\"127.0.0.1\", port: "))
                    #expect(body.hasSuffix(") 1"))
                }
            }
        }
    }

    @Test(arguments: TestServer.Door.allCases)
    func manyConnectionsShareTheLoops(door: TestServer.Door) async throws {
        try await TestServer.run(threads: 3) { server in
            let wires = try (0..<50).map { _ in try server.connect(door) }
            for round in 0..<20 {
                for (number, wire) in wires.enumerated() {
                    wire.send("GET /\(number)/\(round) HTTP/1.1\r\nHost: a\r\n\r\n")
                }
                for (number, wire) in wires.enumerated() {
                    #expect(wire.answer()?.body == "GET /\(number)/\(round)\n")
                }
            }
            #expect(server.server.statistics.openConnections == 50)
        }
    }

    @Test(arguments: TestServer.Door.allCases)
    func aLostConnectionCancelsItsHandler(door: TestServer.Door) async throws {
        try await TestServer.run { server in
            let wire = try server.connect(door)
            wire.send("GET /hold HTTP/1.1\r\nHost: a\r\n\r\n")
            await server.echo.arrivals(1)
            wire.reset()
            // Ends only when the cancelled handler does: nobody else releases it.
            await server.server.drain(deadline: .seconds(60))
            #expect(server.echo.cancelled == 1)
            #expect(server.server.statistics.openConnections == 0)
        }
    }
}
