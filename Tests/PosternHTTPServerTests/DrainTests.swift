import Glibc
import PosternHTTP
import PosternHTTPServer
import Testing

@Suite struct DrainTests {
    private let get = "GET / HTTP/1.1\r\nHost: a\r\n\r\n"

    @Test(arguments: TestServer.Door.allCases)
    func whatIsUnderWayEndsInGoodOrder(door: TestServer.Door) async throws {
        try await TestServer.run { server in
            let idle = try server.connect(door)
            idle.send(get)
            #expect(idle.answer()?.status == 200)
            let fresh = try server.connect(door)
            let half = try server.connect(door)
            half.send(get + "POST /half HTTP/1.1\r\nHost: a\r\nContent-Length: 10\r\n\r\nhello")
            #expect(half.answer()?.closes == false)
            let held = try server.connect(door)
            held.send("GET /hold HTTP/1.1\r\nHost: a\r\n\r\n" + get)
            await server.echo.arrivals(1)

            let drained = try server.beginDrain(deadline: .seconds(60))
            // The end of the idle ones is the sign that the drain has begun.
            #expect(idle.receiveAll().isEmpty)
            #expect(fresh.receiveAll().isEmpty)
            #expect(throws: Wire.Failure.self) { try server.connect(door) }
            half.send("world")
            #expect(Answer.all(in: half.receiveAll())?.map(\.summary) == ["200 POST /half helloworld"])
            server.echo.release()
            let answers = Answer.all(in: held.receiveAll())
            #expect(answers?.map(\.summary) == ["200 GET /hold"])
            #expect(answers?.first?.closes == true)
            half.close()
            held.close()
            await drained.value
            #expect(server.server.statistics.openConnections == 0)
            #expect(server.server.statistics.requests == 4)
        }
    }

    @Test(arguments: TestServer.Door.allCases)
    func whatDoesNotEndIsCut(door: TestServer.Door) async throws {
        try await TestServer.run { server in
            let half = try server.connect(door)
            half.send(get + "POST /half HTTP/1.1\r\nHost: a\r\nContent-Length: 10\r\n\r\nhello")
            #expect(half.answer()?.status == 200)
            let held = try server.connect(door)
            held.send("GET /hold HTTP/1.1\r\nHost: a\r\n\r\n")
            await server.echo.arrivals(1)
            await server.server.drain(deadline: .milliseconds(20))
            #expect(half.answer() == nil)
            #expect(held.answer() == nil)
            #expect(server.echo.cancelled == 1)
            #expect(server.server.statistics.openConnections == 0)
        }
    }

    /// A request that has been sent before the end is answered, even when nobody has looked at it.
    @Test(arguments: TestServer.Door.allCases)
    func noRequestIsLostInTheEnd(door: TestServer.Door) async throws {
        for _ in 0..<20 {
            try await TestServer.run { server in
                let wires = try (0..<10).map { _ in try server.connect(door) }
                for wire in wires { wire.send(get) }
                await server.server.drain(deadline: .seconds(60))
                for wire in wires { #expect(Answer.all(in: wire.receiveAll())?.map(\.status) == [200]) }
            }
        }
    }

    @Test func endingTwiceIsEndingOnce() async throws {
        let server = try TestServer()
        await server.server.drain(deadline: .seconds(1))
        await server.server.stop()
        #expect(throws: ServerError.self) { try server.server.start() }
        #expect(server.server.port(ofListener: 1) == nil)
    }

    @Test func aServerThatIsForgottenEnds() async throws {
        var server: TestServer? = try TestServer()
        let wire = try Wire(path: server?.path ?? "")
        wire.send(get)
        #expect(wire.answer()?.status == 200)
        server = nil
        #expect(wire.receiveAll().isEmpty)
    }
}
