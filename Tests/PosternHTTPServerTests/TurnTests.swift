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

    /// Large bodies end a turn long before so many requests do: after 256 KiB the other one is answered.
    @Test func workIsSharedOutByBytes() async throws {
        try await TestServer.onThread {
            let responder = SlowResponder()
            let server = HTTPServer(
                listeners: [.tcp(address: "127.0.0.1", port: 0)], threads: 1, responder: responder)
            try server.start()
            let port = server.port(ofListener: 0) ?? 0
            let (busy, other) = (try Wire(port: port), try Wire(port: port))
            let count = 30
            let post = "POST /busy HTTP/1.1\r\nHost: a\r\nContent-Length: 60000\r\n\r\n"
            let all = Array((post + String(repeating: "x", count: 60_000)).utf8)
            let descriptor = dup(busy.descriptor)
            // More than the system takes before somebody reads.
            let sender = DispatchQueue(label: "sender")
            sender.async {
                for _ in 0..<count {
                    var sent = 0
                    while sent < all.count {
                        let now = all.withUnsafeBytes {
                            send(descriptor, $0.baseAddress.map { $0 + sent }, all.count - sent, Int32(MSG_NOSIGNAL))
                        }
                        guard now > 0 else { return }
                        sent += now
                    }
                }
            }
            responder.whileAtWork { other.send("GET /other HTTP/1.1\r\nHost: a\r\n\r\n") }
            #expect(other.answer()?.status == 200)
            for _ in 0..<count { #expect(busy.answer()?.status == 200) }
            sender.sync { _ = close(descriptor) }
            #expect(responder.paths.count == count + 1)
            // The one that was at work, and those of a turn that had begun and of one more.
            #expect(responder.paths.firstIndex(of: "/other").map { $0 <= 12 } == true)
            await server.stop()
        }
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
