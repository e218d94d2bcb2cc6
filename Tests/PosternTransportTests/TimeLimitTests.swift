import Foundation
import PosternHTTP
import PosternTestSupport
import PosternTransport
import Testing

@Suite struct TimeLimitTests {
    private let server: TestServer

    init() throws { server = try TestServer.shared.get() }

    struct SlowAnswer: Sendable, CustomTestStringConvertible {
        let name: String
        let words: String
        let answer: TestAnswer

        init(_ name: String, _ words: String, _ start: String, _ step: TestAnswer.Step) {
            (self.name, self.words, answer) = (name, words, .steps(.send(Data(start.utf8)), step))
        }

        var testDescription: String { name }
    }

    private static let start = "HTTP/1.1 200 OK\r\n"
    private static let whole = start + "Content-Length: 1000\r\n\r\n"

    /// A byte every now and then keeps no request alive, wherever it stops. The time is long enough for the start of
    /// the answer on a busy machine.
    @Test(arguments: [
        SlowAnswer("silence", "had not answered", "", .hold),
        SlowAnswer("drip-status", "had not answered", "HTTP/1.1 200 ", .repeat(Data("K".utf8), every: 0.02)),
        SlowAnswer("drip-field", "had not answered", start, .repeat(Data("X: y\r\n".utf8), every: 0.02)),
        SlowAnswer("drip-body", "had not ended", whole, .repeat(Data("x".utf8), every: 0.02)),
        SlowAnswer("silent-body", "had not ended", whole, .hold),
        SlowAnswer("silent-interim", "had not answered", "HTTP/1.1 100 Continue\r\n\r\n", .hold),
    ])
    func theWholeTimeIsBounded(slow: SlowAnswer) async throws {
        let path = "/time/\(slow.name)"
        try await server.set(path, slow.answer)
        let client = try CurlClient.test { $0.totalTimeout = .seconds(3) }
        let failure = await client.failure(server.url(path))
        #expect(failure?.code == .timedOut, "\(String(describing: failure))")
        #expect(failure?.message.contains(slow.words) == true, "\(String(describing: failure))")
        #expect(try await server.wait(path, closed: 1))
    }

    /// Who accepts the connection and never speaks TLS is given up after the time for connecting, not the whole time.
    @Test func theTimeToConnectIsBounded() async throws {
        let url = "https://127.0.0.1:\(server.port("silent"))/"
        let failure = await (try CurlClient.test { $0.connectTimeout = .milliseconds(200) }).failure(url)
        #expect(failure?.code == .timedOut)
        let words = "connection to 127.0.0.1, with TLS, was"
        #expect(failure?.message.contains(words) == true, "\(String(describing: failure))")
    }

    @Test func theWholeTimeBoundsTheConnectionToo() async throws {
        let url = "https://127.0.0.1:\(server.port("silent"))/"
        let failure = await (try CurlClient.test { $0.totalTimeout = .milliseconds(200) }).failure(url)
        #expect(failure?.code == .timedOut)
    }

    /// The wait behind other requests counts: were it not so, each of these would reach the server in its turn.
    @Test func theWaitForATurnCounts() async throws {
        let path = "/time/turn"
        try await server.set(path, .held())
        let client = try CurlClient.test {
            $0.concurrentRequests = 1
            $0.totalTimeout = .milliseconds(500)
        }
        let url = server.url(path)
        let tasks = (0..<20).map { _ in Task { await client.failure(url) } }
        var failures: [HTTP.ClientError?] = []
        for task in tasks { failures.append(await task.value) }
        #expect(failures.allSatisfy { $0?.code == .timedOut })
        #expect(failures.contains { $0?.message.contains("waited behind others") == true })
        #expect(try await server.requests(path).count < 20)
    }

    @Test func nobodyListens() async throws {
        let failure = await (try CurlClient.test()).failure("https://127.0.0.1:1/")
        #expect(failure?.code == .notConnected)
        #expect(failure?.message.contains("127.0.0.1") == true)
    }
}
