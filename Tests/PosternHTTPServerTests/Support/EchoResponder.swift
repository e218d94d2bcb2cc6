import Glibc
import PosternBase
import PosternHTTP

/// Says what it was asked. Some paths have a meaning of their own.
final class EchoResponder: HTTPResponder {
    private struct State {
        var isOpen = false
        var waiting: [CheckedContinuation<Void, Never>] = []
        var arrivals: [(count: Int, CheckedContinuation<Void, Never>)] = []
        var arrived = 0
        var wasCancelled = 0
    }

    private let state = Lock(State())
    /// Whoever comes to this listener is turned away.
    private let shut: Int?

    init(shut: Int? = nil) { self.shut = shut }

    func answer(to peer: Peer, listener: Int) -> HTTP.Response? {
        listener == shut ? HTTP.Response(status: 403, body: Array("shut".utf8)) : nil
    }

    /// Who asks for `/early` need not send a body.
    func answer(toHead head: ReceivedHead) -> HTTP.Response? {
        guard head.path == "/early" else { return nil }
        return HTTP.Response(status: 401, body: Array("\(head.method) \(head.hasBody)".utf8))
    }

    func respond(to request: ReceivedRequest) async -> HTTP.Response {
        switch request.path {
        case "/none": return HTTP.Response(status: 204, body: Array("not to be seen".utf8))
        case "/unchanged": return HTTP.Response(status: 304, body: Array("not to be seen".utf8))
        case "/interim": return HTTP.Response(status: 102)
        case "/early": return HTTP.Response(status: 401, body: Array("\(request.method) whole".utf8))
        case "/large": return HTTP.Response(status: 200, body: [UInt8](repeating: 0x78, count: TestServer.largeBody))
        case "/yield": for _ in 0..<8 { await Task.yield() }
        case "/hold": await hold()
        case "/thread":
            let before = pthread_self()
            await Task.yield()
            try? await Task.sleep(for: .milliseconds(1))
            return answer(pthread_self() == before ? "same" : "other")
        case "/who": return answer("\(request.peer) \(request.listener)")
        case "/fields":
            var fields = HTTP.Fields()
            for (name, value) in [
                ("X-One", "1"), ("Content-Length", "7"), ("transfer-encoding", "chunked"), ("CONNECTION", "upgrade"),
                ("Keep-Alive", "1"), ("Date", "x"), ("Trailer", "y"), ("Upgrade", "z"), ("X-Two", "2"),
            ] { fields.append(name, value) }
            return HTTP.Response(status: 200, fields: fields, body: Array("ok".utf8))
        default: break
        }
        let query = request.query.map { "?\($0)" } ?? ""
        return answer("\(request.method) \(request.path)\(query)\n" + String(decoding: request.body, as: UTF8.self))
    }

    private func answer(_ text: String) -> HTTP.Response { HTTP.Response(status: 200, body: Array(text.utf8)) }

    /// Waits until `release`.
    private func hold() async {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let (isOpen, arrivals) = state.withLock { state in
                    state.arrived += 1
                    let arrived = state.arrived
                    let reached = state.arrivals.filter { $0.count <= arrived }
                    state.arrivals.removeAll { $0.count <= arrived }
                    if !state.isOpen { state.waiting.append(continuation) }
                    return (state.isOpen, reached)
                }
                for arrival in arrivals { arrival.1.resume() }
                if isOpen { continuation.resume() }
            }
        } onCancel: {
            state.withLock { $0.wasCancelled += 1 }
            release()
        }
    }

    /// Lets all go on who wait on `/hold`, now and later.
    func release() {
        let waiting = state.withLock { state in
            state.isOpen = true
            defer { state.waiting = [] }
            return state.waiting
        }
        for continuation in waiting { continuation.resume() }
    }

    /// Returns once so many requests have come to `/hold`.
    func arrivals(_ count: Int) async {
        await withCheckedContinuation { continuation in
            let isThere = state.withLock { state in
                if state.arrived < count { state.arrivals.append((count, continuation)) }
                return state.arrived >= count
            }
            if isThere { continuation.resume() }
        }
    }

    /// How many handlers were cancelled while they waited.
    var cancelled: Int { state.withLock { $0.wasCancelled } }
}
