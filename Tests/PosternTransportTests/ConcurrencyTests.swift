import Foundation
import PosternHTTP
import PosternTestSupport
import PosternTransport
import Testing

@Suite struct ConcurrencyTests {
    private let server: TestServer

    init() throws { server = try TestServer.shared.get() }

    @Test func aHundredAtOnce() async throws {
        let path = "/many"
        try await server.set(path, .answer(200, body: "x"))
        let client = try CurlClient.test()
        let url = server.url(path)
        let statuses = try await withThrowingTaskGroup(of: Int.self) { group in
            for index in 0..<100 {
                group.addTask { try await client.send(HTTP.Request(.get, "\(url)?\(index)")).status }
            }
            return try await group.reduce(into: [Int]()) { $0.append($1) }
        }
        #expect(statuses == Array(repeating: 200, count: 100))
        let seen = try await server.requests(path)
        #expect(Set(seen.map(\.target)).count == 100)
        #expect(Set(seen.map(\.connection)).count <= 16)
    }

    /// While all answers are held, only so many requests are at the server; each that ends lets one more in.
    @Test func soManyAndNoMore() async throws {
        let path = "/bounded"
        try await server.set(path, .held())
        let client = try CurlClient.test { $0.concurrentRequests = 4 }
        let url = server.url(path)
        let tasks = (0..<10).map { _ in Task { await client.failure(url) } }
        #expect(try await server.wait(path, requests: 4))
        #expect(try await server.requests(path).count == 4)
        try await server.release(path)
        for task in tasks { #expect(await task.value == nil) }
        let connections = try await server.requests(path).map(\.connection)
        #expect(connections.count == 10)
        #expect(Set(connections).count == 4)
    }

    /// When `.cancelled` is thrown the connection is closed already, and the server sees it.
    @Test func cancellingEndsTheTransfer() async throws {
        let path = "/cancel"
        try await server.set(path, .held())
        let listener = try await server.listen("good")
        let client = try CurlClient.test()
        let url = server.url(path, on: listener)
        let task = Task { await client.failure(url) }
        #expect(try await server.wait(path, requests: 1))
        #expect(try Descriptors.sockets(toPort: listener.port) == 1)
        task.cancel()
        #expect(await task.value?.code == .cancelled)
        #expect(try Descriptors.sockets(toPort: listener.port) == 0)
        #expect(try await server.wait(path, closed: 1))
    }

    /// Who is cancelled before asking never reaches the server.
    @Test func cancelledBefore() async throws {
        let path = "/cancel/before"
        try await server.set(path, .answer())
        let client = try CurlClient.test()
        let url = server.url(path)
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return await client.failure(url)
        }
        #expect(await task.value?.code == .cancelled)
        #expect(try await server.requests(path).isEmpty)
        #expect(await client.failure(url) == nil)
    }

    /// A request that waits for its turn can be cancelled too, and leaves the others alone.
    @Test func cancelledInTheQueue() async throws {
        let path = "/cancel/queue"
        try await server.set(path, .held())
        let client = try CurlClient.test { $0.concurrentRequests = 1 }
        let url = server.url(path)
        let first = Task { await client.failure(url) }
        #expect(try await server.wait(path, requests: 1))
        let second = Task { await client.failure(url) }
        second.cancel()
        #expect(await second.value?.code == .cancelled)
        try await server.release(path)
        #expect(await first.value == nil)
        #expect(try await server.requests(path).count == 1)
    }

    /// Cancelling meets every moment of a request; each is answered exactly once, or the continuation would trap.
    @Test func cancelRacesWithTheEnd() async throws {
        let path = "/cancel/race"
        try await server.set(path, .answer(200, body: "x"))
        let client = try CurlClient.test { $0.concurrentRequests = 2 }
        let url = server.url(path)
        var outcomes: [HTTP.ClientError.Code?: Int] = [:]
        for round in 0..<200 {
            let task = Task { await client.failure(url) }
            // From "at once" to "when it is over": the spin is the spread, not a wait for something.
            var spin = round * round * 10
            while spin > 0 {
                spin -= 1
                if spin % 1_024 == 0 { await Task.yield() }
            }
            task.cancel()
            outcomes[await task.value?.code, default: 0] += 1
        }
        #expect(Set(outcomes.keys).isSubset(of: [nil, .cancelled]))
        #expect(outcomes.values.reduce(0, +) == 200)
        #expect(await client.failure(url) == nil)
    }

    /// Requests that end in every way leave no socket behind once the client is gone, which closes what it kept.
    @Test func noSocketIsLeft() async throws {
        let listener = try await server.listen("good")
        let start = server.url("", on: listener)
        try await server.set("/left/whole", .answer(200, body: "x"))
        try await server.set("/left/held", .held())
        try await server.set("/left/short", .raw("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nx"))
        do {
            let client = try CurlClient.test()
            let hasty = try CurlClient.test { $0.totalTimeout = .milliseconds(500) }
            for (client, path, code) in [
                (client, "/left/short", HTTP.ClientError.Code.malformed), (hasty, "/left/held", .timedOut),
                (client, "/left/whole", nil),
            ] {
                let codes = await withTaskGroup(of: HTTP.ClientError.Code?.self) { group in
                    for _ in 0..<8 { group.addTask { await client.failure(start + path)?.code } }
                    return await group.reduce(into: []) { $0.append($1) }
                }
                #expect(codes == Array(repeating: code, count: 8))
            }
            // Some are kept for later requests, while the client is there.
            let count = try withExtendedLifetime(client) { try Descriptors.sockets(toPort: listener.port) }
            #expect(count > 0)
        }
        #expect(try await eventually { try Descriptors.sockets(toPort: listener.port) == 0 })
    }

    /// A client that nobody holds but its request still answers it.
    @Test func theRequestHoldsTheClient() async throws {
        let path = "/held-client"
        try await server.set(path, .held(body: "x"))
        let url = server.url(path)
        let task = Task { try await CurlClient.test().send(HTTP.Request(.get, url)).body }
        #expect(try await server.wait(path, requests: 1))
        try await server.release(path)
        #expect(try await task.value == [UInt8(ascii: "x")])
    }
}
