import Glibc
import PosternHTTP
import PosternHTTPServer
import Testing

@Suite struct LimitTests {
    private let get = "GET / HTTP/1.1\r\nHost: a\r\n\r\n"

    private func deadlines(_ change: (inout ServerDeadlines) -> Void) -> ServerDeadlines {
        var deadlines = ServerDeadlines.patient
        change(&deadlines)
        return deadlines
    }

    private func limits(_ change: (inout ServerLimits) -> Void) -> ServerLimits {
        var limits = ServerLimits()
        change(&limits)
        return limits
    }

    /// Sends one byte each few milliseconds until the server says something.
    private func drip(_ wire: Wire, _ byte: UInt8) {
        for _ in 0..<10_000 {
            var waiting = pollfd(fd: wire.descriptor, events: Int16(POLLIN), revents: 0)
            if poll(&waiting, 1, 5) != 0 || !wire.send([byte]) { return }
        }
    }

    @Test(arguments: TestServer.Door.allCases)
    func aHeaderThatDripsRunsOutOfTime(door: TestServer.Door) async throws {
        try await TestServer.run(deadlines: deadlines { $0.header = .milliseconds(200) }) { server in
            let wire = try server.connect(door)
            wire.send("GET / HTTP/1.1\r\nHost: a\r\nX: ")
            drip(wire, UInt8(ascii: "y"))
            #expect(Answer.all(in: wire.receiveAll())?.map(\.summary) == ["408 header_timeout"])
        }
    }

    @Test(arguments: TestServer.Door.allCases)
    func aLaterHeaderThatDripsRunsOutOfTimeToo(door: TestServer.Door) async throws {
        // The first header has no longer than the later one.
        try await TestServer.run(deadlines: deadlines { $0.header = .seconds(2) }) { server in
            let wire = try server.connect(door)
            wire.send(get)
            #expect(wire.answer()?.status == 200)
            wire.send("G")
            drip(wire, UInt8(ascii: "E"))
            #expect(Answer.all(in: wire.receiveAll())?.map(\.summary) == ["408 header_timeout"])
        }
    }

    @Test(arguments: TestServer.Door.allCases, ["Content-Length: 100000", "Transfer-Encoding: chunked"])
    func aBodyThatDripsRunsOutOfTime(door: TestServer.Door, framing: String) async throws {
        try await TestServer.run(deadlines: deadlines { $0.body = .milliseconds(200) }) { server in
            let wire = try server.connect(door)
            wire.send("POST / HTTP/1.1\r\nHost: a\r\n\(framing)\r\n\r\nFFFF\r\n")
            drip(wire, UInt8(ascii: "y"))
            #expect(Answer.all(in: wire.receiveAll())?.map(\.summary) == ["408 body_timeout"])
            #expect(server.server.statistics.refusedRequests == ["body_timeout": 1])
        }
    }

    @Test(arguments: TestServer.Door.allCases)
    func whoSaysNothingIsClosedWithoutAWord(door: TestServer.Door) async throws {
        try await TestServer.run(deadlines: deadlines { $0.header = .milliseconds(50) }) { server in
            let silent = try server.connect(door)
            #expect(silent.receiveAll().isEmpty)
            #expect(server.server.statistics.idleTimeouts == 0)
        }
        try await TestServer.run(deadlines: deadlines { $0.idle = .milliseconds(50) }) { server in
            let idle = try server.connect(door)
            idle.send(get)
            #expect(Answer.all(in: idle.receiveAll())?.map(\.status) == [200])
            #expect(server.server.statistics.idleTimeouts == 1)
        }
    }

    @Test(arguments: TestServer.Door.allCases)
    func whoTakesNoAnswerIsCut(door: TestServer.Door) async throws {
        let size = TestServer.largeBody
        try await TestServer.run(deadlines: deadlines { $0.write = .milliseconds(100) }) { server in
            let wire = try server.connect(door)
            wire.send(String(repeating: "GET /large HTTP/1.1\r\nHost: a\r\n\r\n", count: 8))
            // The server's own count is the sign, since reading would be taking.
            until { server.server.statistics.writeTimeouts > 0 }
            #expect(wire.receiveAll().count < 8 * size)
            #expect(server.server.statistics.requests < 8)
        }
    }

    /// While the other side takes nothing, no further request is begun.
    @Test func answersThatAreNotTakenHoldBackRequests() async throws {
        try await TestServer.run { server in
            let wire = try server.connect(.unix)
            wire.send(String(repeating: "GET /large HTTP/1.1\r\nHost: a\r\n\r\n", count: 32))
            #expect(wire.answer()?.body.utf8.count == TestServer.largeBody)
            #expect(server.server.statistics.requests <= 3)
            for _ in 1..<32 { #expect(wire.answer()?.status == 200) }
            #expect(server.server.statistics.requests == 32)
        }
    }

    @Test(arguments: TestServer.Door.allCases, [false, true])
    func aBodyTooLargeIsRefusedBeforeItIsRead(door: TestServer.Door, expects: Bool) async throws {
        try await TestServer.run { server in
            let wire = try server.connect(door)
            let size = 10 * 1_048_576
            let expectation = expects ? "Expect: 100-continue\r\n" : ""
            wire.send("POST / HTTP/1.1\r\nHost: a\r\n\(expectation)Content-Length: \(size)\r\n\r\n")
            // Refused by the head alone, the client told without having to stop.
            #expect(wire.answer()?.summary == "413 body_too_large")
            if !expects { #expect(wire.send([UInt8](repeating: 0x78, count: size))) }
            wire.endSending()
            #expect(wire.endedWell)
        }
    }

    @Test(arguments: TestServer.Door.allCases)
    func whatFollowsAnEarlyAnswerIsReadWithinBounds(door: TestServer.Door) async throws {
        try await TestServer.run(limits: limits { $0.lingerBytes = 100_000 }) { server in
            let wire = try server.connect(door)
            wire.send("GET\r\n\r\n")
            #expect(wire.answer()?.status == 400)
            // More than any buffer in between can hold, so that it ends only when the server has closed.
            #expect(!wire.send([UInt8](repeating: 0x78, count: 64 * 1_048_576)))
        }
        try await TestServer.run(deadlines: deadlines { $0.linger = .milliseconds(50) }) { server in
            let wire = try server.connect(door)
            wire.send("GET\r\n\r\n")
            #expect(wire.answer()?.status == 400)
            drip(wire, 0x78)
            until { server.server.statistics.openConnections <= 0 }
        }
    }

    @Test(arguments: TestServer.Door.allCases, [false, true])
    func aFloodOfConnectionsEndsAtTheLimit(door: TestServer.Door, perPeer: Bool) async throws {
        // Of five places the other listener has one for itself.
        let four = limits { if perPeer { $0.connectionsPerPeer = 4 } else { $0.connections = 5 } }
        try await TestServer.run(limits: four) { server in
            var inside: [Wire] = []
            for _ in 0..<4 {
                let wire = try server.connect(door)
                wire.send(get)
                #expect(wire.answer()?.status == 200)
                inside.append(wire)
            }
            for _ in 0..<200 {
                let wire = try server.connect(door)
                let answers = Answer.all(in: wire.receiveAll())
                #expect(answers?.map(\.summary) == ["429 too_many_connections"])
                #expect(answers?.first?.fields["retry-after"] == "1")
            }
            #expect(server.server.statistics.refusedConnections == 200)
            // Who is inside goes on; others come in at the other listener.
            for wire in inside {
                wire.send(get)
                #expect(wire.answer()?.status == 200)
            }
            do {
                let other = try server.connect(door == .unix ? .tcp : .unix)
                other.send(get)
                #expect(other.answer()?.status == 200)
            }
            inside.removeLast()
            // Its place is free once the server has seen the end, and that of the other listener's client.
            until { server.server.statistics.openConnections <= 3 }
            let next = try server.connect(door)
            next.send(get)
            #expect(next.answer()?.status == 200)
        }
    }
}
