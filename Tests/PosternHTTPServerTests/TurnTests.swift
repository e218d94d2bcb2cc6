import Dispatch
import Glibc
import PosternBase
import PosternHTTP
import PosternHTTPServer
import Testing

/// A connection that has much to be answered does not keep the others of its thread waiting.
@Suite struct TurnTests {
    /// Answers at once, the slow ones after some milliseconds of work; knows in which order they came.
    private final class SlowResponder: HTTPResponder {
        private let order = Lock<[String]>([])
        private let hasBegun = DispatchSemaphore(value: 0)
        private let mayGoOn = DispatchSemaphore(value: 0)

        var paths: [String] { order.withLock { $0 } }

        /// Waits until the first slow one is at work, which goes on once `body` is done.
        func whileAtWork(_ body: () -> Void) {
            hasBegun.wait()
            body()
            mayGoOn.signal()
        }

        func begin(_ request: ReceivedRequest) -> HTTPBeginning {
            let isFirst = order.withLock { order in
                order.append(request.path)
                return order.count == 1
            }
            if isFirst {
                hasBegun.signal()
                mayGoOn.wait()
            }
            if request.path == "/slow" { usleep(5_000) }
            return .answered(HTTP.Response(status: 200))
        }

        func respond(to request: ReceivedRequest) async -> HTTP.Response { HTTP.Response(status: 500) }
    }

    @Test func workIsSharedOutByTime() async throws {
        try await TestServer.onThread {
            let responder = SlowResponder()
            let server = HTTPServer(
                listeners: [.tcp(address: "127.0.0.1", port: 0)], threads: 1, responder: responder)
            try server.start()
            let port = server.port(ofListener: 0) ?? 0
            let (busy, other) = (try Wire(port: port), try Wire(port: port))
            busy.send(String(repeating: "GET /slow HTTP/1.1\r\nHost: a\r\n\r\n", count: 20))
            responder.whileAtWork { other.send("GET /other HTTP/1.1\r\nHost: a\r\n\r\n") }
            #expect(other.answer()?.status == 200)
            for _ in 0..<20 { #expect(busy.answer()?.status == 200) }
            #expect(responder.paths.count == 21)
            // All 20 fit into a turn by their number.
            #expect(responder.paths.firstIndex(of: "/other").map { $0 <= 2 } == true)
            await server.stop()
        }
    }
}
