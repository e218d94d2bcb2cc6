import Glibc
import PosternHTTP
import PosternHTTPServer
import Testing

/// Nobody takes all there is.
@Suite struct StarvationTests {
    private let get = "GET / HTTP/1.1\r\nHost: a\r\n\r\n"

    private func limits(_ change: (inout ServerLimits) -> Void) -> ServerLimits {
        var limits = ServerLimits()
        change(&limits)
        return limits
    }

    private func isServed(_ wire: Wire) -> Bool {
        wire.send(get)
        return wire.answer()?.status == 200
    }

    // MARK: - Connections

    @Test(arguments: TestServer.Door.allCases)
    func aFloodAtOneListenerLeavesTheOtherItsPlaces(door: TestServer.Door) async throws {
        let other: TestServer.Door = door == .unix ? .tcp : .unix
        try await TestServer.run(limits: limits { $0.connections = 40 }) { server in
            var inside: [Wire] = []
            for _ in 0..<60 {
                let wire = try server.connect(door)
                if isServed(wire) { inside.append(wire) }
            }
            // All but the ten that the other one has for itself.
            #expect(inside.count == 30)
            let others = try (0..<10).map { _ in try server.connect(other) }
            for wire in others { #expect(isServed(wire)) }
            #expect(!isServed(try server.connect(other)))
        }
    }

    @Test func placesComeBack() async throws {
        try await TestServer.run(limits: limits { $0.connections = 8 }) { server in
            for _ in 0..<20 {
                var inside: [Wire] = []
                for door in TestServer.Door.allCases + TestServer.Door.allCases {
                    for _ in 0..<2 { inside.append(try server.connect(door)) }
                }
                for wire in inside { #expect(isServed(wire)) }
                inside = []
                until { server.server.statistics.openConnections <= 0 }
            }
            #expect(server.server.statistics.refusedConnections == 0)
        }
    }

    @Test(
        arguments: [
            (16_384, [:], 2, [4_096, 4_096]), (16_384, [:], 1, [8_192]), (1, [:], 2, [0, 0]), (5, [:], 2, [1, 1]),
            (100, [0: 60], 2, [60, 20]), (100, [0: 60, 1: 40], 2, [60, 40]), (100, [1: 0], 2, [50, 0]),
            (100, [0: 100], 2, [100, 0]), (100, [0: 90, 1: 90], 2, [90, 10]), (100, [:], 0, []),
        ] as [(Int, [Int: Int], Int, [Int])])
    func shares(connections: Int, said: [Int: Int], listeners: Int, expected: [Int]) {
        let limits = limits {
            $0.connections = connections
            $0.reservedConnections = said
        }
        #expect(limits.reserves(listeners) == expected)
        #expect(expected.reduce(0, +) <= connections)
    }

    @Test(arguments: [(16_384, nil, 4_096), (1_000, nil, 250), (200, nil, 64), (10, nil, 10), (1_000, 7, 7)])
    func onePeer(connections: Int, said: Int?, expected: Int) {
        let limits = limits {
            $0.connections = connections
            $0.connectionsPerPeer = said
        }
        #expect(limits.ofOnePeer == expected)
    }

    // MARK: - Bytes

    private func post(_ length: Int) -> String { "POST /p HTTP/1.1\r\nHost: a\r\nContent-Length: \(length)\r\n\r\n" }

    /// Bodies that do not come to an end fill the share of their listener and no more; who comes then is told at once, and small
    /// requests and the other listener go on.
    @Test(arguments: TestServer.Door.allCases)
    func bodiesInFlightAreBounded(door: TestServer.Door) async throws {
        let other: TestServer.Door = door == .unix ? .tcp : .unix
        // Three quarters of half of it are for bodies here: 300,000 bytes.
        try await TestServer.run(limits: limits { $0.bufferedBytes = 800_000 }) { server in
            var filling: [Wire] = []
            for _ in 0..<3 {
                let wire = try server.connect(door)
                wire.send(post(100_000))
                wire.send([UInt8](repeating: 0x78, count: 99_000))
                filling.append(wire)
            }
            // Until all of that has been read.
            until { server.server.bufferedBytes >= 297_000 }
            let late = try server.connect(door)
            late.send(post(100_000))
            late.send([UInt8](repeating: 0x78, count: 99_000))
            let answer = late.answer()
            #expect(answer?.summary == "429 too_much_buffered")
            #expect(answer?.fields["retry-after"] == "1")
            #expect(answer?.closes == true)
            let small = try server.connect(door)
            #expect(isServed(small))
            small.send(post(2_000) + String(repeating: "y", count: 2_000))
            #expect(small.answer()?.status == 200)
            let elsewhere = try server.connect(other)
            elsewhere.send(post(200_000))
            elsewhere.send([UInt8](repeating: 0x79, count: 200_000))
            #expect(elsewhere.answer()?.status == 200)
            // Those that come to an end are answered, and what they held is free again.
            for wire in filling {
                wire.send([UInt8](repeating: 0x78, count: 1_000))
                #expect(wire.answer()?.body.utf8.count == 100_008)
            }
            #expect(server.server.bufferedBytes == 0)
            let again = try server.connect(door)
            again.send(post(250_000))
            again.send([UInt8](repeating: 0x79, count: 250_000))
            #expect(again.answer()?.status == 200)
        }
    }

    /// A body counts until it is answered; one too many is refused, and its connection goes on since it came whole.
    @Test func bodiesOfWaitingRequestsCount() async throws {
        try await TestServer.run(limits: limits { $0.bufferedBytes = 80_000 }) { server in
            let hold =
                "POST /hold HTTP/1.1\r\nHost: a\r\nContent-Length: 20000\r\n\r\n"
                + String(repeating: "x", count: 20_000)
            let first = try server.connect(.unix)
            first.send(hold)
            await server.echo.arrivals(1)
            let second = try server.connect(.unix)
            second.send(hold)
            let answer = second.answer()
            #expect(answer?.summary == "429 too_much_buffered")
            server.echo.release()
            #expect(first.answer()?.status == 200)
            #expect(answer?.closes == false)
            second.send(hold)
            #expect(second.answer()?.status == 200)
            // Also where they are small.
            #expect(server.server.bufferedBytes == 0)
        }
    }

    @Test func smallBodiesOfWaitingRequestsCount() async throws {
        try await TestServer.run { server in
            let wire = try server.connect(.unix)
            wire.send("POST /hold HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\n123456789")
            await server.echo.arrivals(1)
            until { server.server.bufferedBytes == 9 }
            server.echo.release()
            #expect(wire.answer()?.status == 200)
            #expect(server.server.bufferedBytes == 0)
        }
    }

    /// A head counts as long as its body is awaited, and is not kept where the body is thrown away.
    @Test func headsCountWhileTheirBodiesAreAwaited() async throws {
        try await TestServer.run { server in
            let fields = "X: \(String(repeating: "x", count: 5_000))\r\nContent-Length: 100\r\n\r\n"
            let awaited = "POST / HTTP/1.1\r\nHost: a\r\n" + fields
            let early = "POST /early HTTP/1.1\r\nHost: a\r\n" + fields
            let wires = try (0..<3).map { _ in try server.connect(.tcp) }
            wires[0].send(awaited)
            wires[1].send(awaited + "ten bytes.")
            wires[2].send(early)
            #expect(wires[2].answer()?.status == 401)
            wires[2].send("ten bytes.")
            until { server.server.bufferedBytes == 2 * awaited.utf8.count + 10 }
            wires[0].close()
            wires[1].send(String(repeating: "y", count: 90))
            #expect(wires[1].answer()?.status == 200)
            until { server.server.bufferedBytes == 0 }
        }
    }

    /// Answers that nobody takes, and what was read behind them, count as well; who piles up too much is cut.
    @Test func answersThatAreNotTakenAreBounded() async throws {
        // Half of it for answers of a listener; of these a peer has as much as one body may have here.
        let small = limits {
            $0.bufferedBytes = 40_000_000
            $0.bodyBytes = 10_000
        }
        try await TestServer.run(limits: small) { server in
            let large = "GET /large HTTP/1.1\r\nHost: a\r\n\r\n"
            let first = try server.connect(.unix)
            // What is read behind the answer waits too.
            first.send(large + get)
            until { server.server.bufferedBytes > TestServer.largeBody / 2 }
            let second = try server.connect(.unix)
            second.send(large)
            #expect(second.receiveAll().count < TestServer.largeBody)
            #expect(server.server.statistics.refusedRequests == ["too_much_buffered": 1])
            // Elsewhere there is room, and who takes the answer gets it whole.
            let other = try server.connect(.tcp)
            other.send(large)
            #expect(other.answer()?.body.utf8.count == TestServer.largeBody)
            #expect(first.answer()?.body.utf8.count == TestServer.largeBody)
            #expect(first.answer()?.status == 200)
            until { server.server.bufferedBytes == 0 }
        }
    }

    @Test func headsInFlightAreBounded() async throws {
        // A quarter of half of it: 10,000 bytes for heads.
        try await TestServer.run(limits: limits { $0.bufferedBytes = 80_000 }) { server in
            let part = "GET / HTTP/1.1\r\nHost: a\r\nX: " + String(repeating: "x", count: 4_900)
            let filling = try (0..<2).map { _ in try server.connect(.tcp) }
            for wire in filling { wire.send(part) }
            until { server.server.bufferedBytes >= 9_800 }
            let late = try server.connect(.tcp)
            late.send(part)
            #expect(late.answer()?.summary == "429 too_much_buffered")
            // Bodies have their own, and who is cut gives back.
            let body = try server.connect(.tcp)
            body.send(post(20_000) + String(repeating: "y", count: 20_000))
            #expect(body.answer()?.status == 200)
            for wire in filling { wire.close() }
            until { server.server.bufferedBytes == 0 }
            let next = try server.connect(.tcp)
            next.send(part)
            next.send("\r\n\r\n")
            #expect(next.answer()?.status == 200)
        }
    }

    // MARK: - What the operator is told

    @Test func refusalsAreToldOnceAndThenCounted() async throws {
        let troubles = try await TestServer.run(limits: limits { $0.connections = 2 }, shut: 0) { server in
            let inside = try server.connect(.tcp)
            #expect(isServed(inside))
            let second = try server.connect(.tcp)
            _ = isServed(second)
            for _ in 0..<30 {
                #expect(try server.connect(.tcp).answer()?.status == 429)
                #expect(try server.connect(.unix).answer()?.status == 403)
            }
            #expect(Set(server.troubles.map(\.kind)) == [.tooManyConnections, .peerNotAllowed])
            #expect(server.troubles.allSatisfy { $0.count == 1 })
            await server.server.stop()
            return server.troubles
        }
        // The rest is told at the end at the latest, and nothing is lost.
        for (kind, listener, expected) in [(ServerTrouble.Kind.peerNotAllowed, 0, 30), (.tooManyConnections, 1, 30)] {
            let told = troubles.filter { $0.kind == kind }
            #expect(told.map(\.count).reduce(0, +) == expected)
            #expect(told.allSatisfy { $0.listener == listener })
            #expect(told.count <= 3)
        }
    }
}
