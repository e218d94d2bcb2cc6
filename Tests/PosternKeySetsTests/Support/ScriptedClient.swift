import PosternBase
import PosternHTTP

/// A client whose answers a test gives, one script for all requests.
final class ScriptedClient: HTTP.Client {
    typealias Answer = Result<HTTP.Response, HTTP.ClientError>

    private let script: Lock<@Sendable (HTTP.Request) async -> Answer>
    private let asked = Lock<[HTTP.Request]>([])

    init(_ script: @escaping @Sendable (HTTP.Request) async -> Answer) { self.script = Lock(script) }

    /// Always the same answer, until another is set.
    convenience init(_ answer: Answer) { self.init { _ in answer } }

    var requests: [HTTP.Request] { asked.withLock { $0 } }

    func set(_ answer: Answer) { set { _ in answer } }

    func set(_ script: @escaping @Sendable (HTTP.Request) async -> Answer) { self.script.withLock { $0 = script } }

    func send(_ request: HTTP.Request) async throws(HTTP.ClientError) -> HTTP.Response {
        asked.withLock { $0.append(request) }
        let script = script.withLock { $0 }
        return try await script(request).get()
    }
}

extension ScriptedClient.Answer {
    /// 200 with a body and header fields given as `Name: value`.
    static func ok(_ body: String, _ fields: String...) -> Self { .status(200, body, fields) }

    static func status(_ status: Int, _ body: String = "", _ lines: [String] = []) -> Self {
        var fields = HTTP.Fields()
        for line in lines {
            let parts = line.split(separator: ":", maxSplits: 1)
            fields.append(String(parts[0]), parts.count > 1 ? String(parts[1]) : "")
        }
        return .success(HTTP.Response(status: status, fields: fields, body: Array(body.utf8)))
    }

    static let down = Self.failure(HTTP.ClientError(.notConnected, "the port is closed"))
}

/// Holds up whoever passes until it is opened.
final class Gate: Sendable {
    private struct State {
        var isOpen = false
        var waiting: [CheckedContinuation<Void, Never>] = []
    }

    private let state = Lock(State())

    func pass() async {
        await withCheckedContinuation { continuation in
            let isOpen = state.withLock { state in
                if !state.isOpen { state.waiting.append(continuation) }
                return state.isOpen
            }
            if isOpen { continuation.resume() }
        }
    }

    func open() {
        let waiting = state.withLock { state in
            state.isOpen = true
            defer { state.waiting = [] }
            return state.waiting
        }
        for continuation in waiting { continuation.resume() }
    }
}
