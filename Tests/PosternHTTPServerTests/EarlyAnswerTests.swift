import Glibc
import PosternHTTP
import PosternHTTPServer
import Testing

/// What the head of a request decides is answered before its body has come, and of that body nothing is kept.
@Suite struct EarlyAnswerTests {
    private let get = "GET / HTTP/1.1\r\nHost: a\r\n\r\n"

    private func early(_ fields: String, method: String = "POST") -> String {
        "\(method) /early HTTP/1.1\r\nHost: a\r\n\(fields)\r\n\r\n"
    }

    /// A small body is thrown away, however it comes, and the connection goes on.
    @Test(arguments: TestServer.Door.allCases)
    func aSmallBodyIsThrownAway(door: TestServer.Door) async throws {
        try await TestServer.run { server in
            let wire = try server.connect(door)
            for body in ["GET /hidden HTTP/1.1\r\nHost: a\r\n\r\n", String(repeating: "x", count: 65_536)] {
                wire.send(early("Content-Length: \(body.utf8.count)"))
                let answer = wire.answer()
                #expect(answer?.status == 401)
                #expect(answer?.body == "POST true")
                #expect(answer?.closes == false)
                wire.send(body)
                wire.send(get)
                #expect(wire.answer()?.body == "GET /\n")
            }
            #expect(server.server.statistics.accepted == 1)
            #expect(server.server.statistics.requests == 4)
        }
    }

    @Test(arguments: TestServer.Door.allCases)
    func itMakesNoDifferenceWhereItIsCut(door: TestServer.Door) async throws {
        try await TestServer.run { server in
            let request = Array((early("Content-Length: 5") + "hello" + get).utf8)
            for place in 1..<request.count {
                let wire = try server.connect(door)
                wire.send(request[..<place])
                wire.send(request[place...])
                let answer = wire.answer()
                #expect(answer?.status == 401, "cut at \(place)")
                #expect(["POST true", "POST whole"].contains(answer?.body), "cut at \(place)")
                #expect(wire.answer()?.body == "GET /\n", "cut at \(place)")
            }
        }
    }

    /// Where nobody can tell where the next request begins, or whether the body comes at all, it is the last answer.
    @Test(
        arguments: TestServer.Door.allCases,
        [
            "Content-Length: 65537", "Content-Length: 1048576", "Transfer-Encoding: chunked",
            "Content-Length: 5\r\nExpect: 100-continue", "Content-Length: 5\r\nConnection: close",
        ])
    func otherBodiesEndTheConnection(door: TestServer.Door, fields: String) async throws {
        try await TestServer.run { server in
            let wire = try server.connect(door)
            wire.send(early(fields))
            let answer = wire.answer()
            #expect(answer?.status == 401)
            #expect(answer?.closes == true)
            // The client need not stop sending to be heard out.
            #expect(wire.send([UInt8](repeating: 0x78, count: 1_048_576)))
            wire.endSending()
            #expect(wire.endedWell)
            #expect(server.server.statistics.requests == 1)
        }
    }

    @Test func headAnd1_0HaveTheirForms() async throws {
        try await TestServer.run { server in
            let wire = try server.connect(.unix)
            wire.send(early("Content-Length: 5", method: "HEAD"))
            #expect(wire.answer(isHead: true)?.fields["content-length"] == "9")
            wire.send("hello" + get)
            #expect(wire.answer()?.body == "GET /\n")
            let old = try server.connect(.unix)
            old.send("POST /early HTTP/1.0\r\nContent-Length: 5\r\n\r\n")
            #expect(Answer.all(in: old.receiveAll())?.map(\.status) == [401])
        }
    }

    /// A body that does not come in time, or is cut short, gets no second answer.
    @Test(arguments: [false, true])
    func aBodyThatIsThrownAwayGetsNoSecondAnswer(cut: Bool) async throws {
        var deadlines = ServerDeadlines.patient
        if !cut { deadlines.body = .milliseconds(50) }
        try await TestServer.run(deadlines: deadlines) { server in
            let wire = try server.connect(.unix)
            wire.send(early("Content-Length: 5"))
            #expect(wire.answer()?.status == 401)
            wire.send("hel")
            if cut { wire.endSending() }
            #expect(wire.receiveAll().isEmpty)
            #expect(server.server.statistics.refusedRequests.isEmpty)
        }
    }

    @Test func anEndOfTheServerDoesNotWaitForIt() async throws {
        try await TestServer.run { server in
            let wire = try server.connect(.unix)
            wire.send(early("Content-Length: 5"))
            #expect(wire.answer()?.status == 401)
            let drain = try server.beginDrain(deadline: .seconds(600))
            #expect(wire.receiveAll().isEmpty)
            wire.close()
            await drain.value
        }
    }

    // MARK: - Peers

    @Test func aPeerThatMayNotComeInIsToldAndNothingIsRead() async throws {
        try await TestServer.run(shut: 0) { server in
            for text in [get, "no request at all\n\n", ""] {
                let wire = try server.connect(.unix)
                wire.send(text)
                wire.endSending()
                let answers = Answer.all(in: wire.receiveAll())
                #expect(answers?.map(\.status) == [403])
                #expect(answers?.first?.body == "shut")
                #expect(answers?.first?.closes == true)
            }
            // Who sends much is heard out within the usual bounds.
            let large = try server.connect(.unix)
            #expect(large.send([UInt8](repeating: 0x78, count: 1_048_576)))
            large.endSending()
            #expect(Answer.all(in: large.receiveAll())?.map(\.status) == [403])
            let other = try server.connect(.tcp)
            other.send(get)
            #expect(other.answer()?.status == 200)
            #expect(server.server.statistics.requests == 1)
            #expect(server.server.statistics.refusedPeers == 4)
            // By the listener that they came to.
            #expect(server.server.statistics.listeners.map(\.refusedPeers) == [4, 0])
            #expect(server.server.statistics.listeners.map(\.accepted) == [4, 1])
            #expect(server.server.statistics.refusedRequests.isEmpty)
        }
    }

    /// Those who are told no take no places of others, and at most so many at a time are waited for.
    @Test func peersThatMayNotComeInTakeNoPlaces() async throws {
        var limits = ServerLimits()
        limits.connections = 4
        try await TestServer.run(limits: limits, shut: 0) { server in
            let stubborn = try (0..<(HTTPServer.placesForTurnedAway + 20)).map { _ in try server.connect(.unix) }
            for wire in stubborn { #expect(wire.answer()?.status == 403) }
            #expect(server.server.statistics.openConnections <= HTTPServer.placesForTurnedAway)
            let inside = try (0..<3).map { _ in try server.connect(.tcp) }
            for wire in inside {
                wire.send(get)
                #expect(wire.answer()?.status == 200)
            }
        }
    }
}
