import Foundation
import PosternBase
import PosternCrypto
import PosternHTTP
import PosternJOSE
import PosternTestSupport
import PosternTokens

@testable import PosternIssuer

/// An issuer without a server, at a time that a test sets.
final class StandIn: Sendable {
    static let url = "http://127.0.0.1:8712"
    static let start: Int64 = 1_790_000_000
    static let clientID = "com.example.web"
    static let callback = "https://app.example/callback"

    let service: IssuerService
    let now = Lock(StandIn.start)
    /// How long it was told to wait, in all.
    let waited = Lock(Duration.zero)

    init(
        clients: [RegisteredClient]? = nil,
        users: [TestUser] = TestUser.builtIn,
        faults: Set<IssuerFault> = []
    ) throws {
        var settings = IssuerSettings(
            try MintingKey(TestKeys.rsa.get(), .rs256), clients: try clients ?? Self.clients())
        settings.users = users
        settings.faults = faults
        let (now, waited) = (now, waited)
        service = IssuerService(
            settings,
            time: TimeSource { now.withLock { $0 } },
            clock: MonotonicTimeSource(now: { .zero }, sleepUntil: { end in waited.withLock { $0 += end } })
        )
        service.open(at: Self.url)
    }

    static func clients() throws -> [RegisteredClient] {
        var web = try RegisteredClient(clientID)
        try web.add(redirectURI: callback)
        try web.add(redirectURI: "https://app.example/other?a=1")
        var other = try RegisteredClient("other")
        try other.add(redirectURI: "http://[::1]:9/")
        return [web, other]
    }

    // MARK: - Asking

    func get(_ path: String, query: [(String, String)]? = nil, fields: [(String, String)] = []) async -> HTTP.Response {
        await ask("GET", path, query: query.map { FormFields.encode($0.map { (name: $0.0, value: $0.1) }) }, fields)
    }

    func post(json: String, _ path: String, type: String = "application/json") async -> HTTP.Response {
        await ask("POST", path, [("Content-Type", type)], Array(json.utf8))
    }

    func post(form: [(String, String)], _ path: String) async -> HTTP.Response {
        let body = FormFields.encode(form.map { (name: $0.0, value: $0.1) })
        return await ask("POST", path, [("Content-Type", "application/x-www-form-urlencoded")], Array(body.utf8))
    }

    func ask(
        _ method: String,
        _ path: String,
        query: String? = nil,
        _ fields: [(String, String)] = [],
        _ body: [UInt8] = [],
        host: String = "127.0.0.1:8712"
    ) async -> HTTP.Response {
        var all = HTTP.Fields()
        for field in [("Host", host)] + fields { all.append(field.0, field.1) }
        return await service.respond(
            to: ReceivedRequest(
                method: method, path: path, query: query, fields: ReceivedFields(all), body: body,
                peer: .address("127.0.0.1", port: 1)))
    }

    // MARK: - Signing in

    static let request: [(String, String)] = [
        ("client_id", clientID), ("redirect_uri", callback), ("response_type", "code id_token"),
        ("response_mode", "form_post"), ("scope", "name email"), ("state", "the state"), ("nonce", "the nonce"),
    ]

    /// The request with fields replaced, added or, where nil, left out.
    static func request(_ changes: [String: String?]) -> [(String, String)] {
        let kept = request.filter { changes[$0.0] == nil }
        return kept + changes.compactMap { name, value in value.map { (name, $0) } }.sorted { $0.0 < $1.0 }
    }

    /// Presses the button of a user; nil cancels.
    func signIn(_ user: String? = "person", _ changes: [String: String?] = [:]) async -> HTTP.Response {
        let page = await get("/auth/authorize", query: Self.request(changes))
        let request = page.inputs.first { $0.name == "request" }?.value ?? ""
        return await post(form: [("request", request)] + (user.map { [("user", $0)] } ?? []), "/auth/authorize")
    }

    func exchange(_ changes: [String: String?]) async -> HTTP.Response {
        let usual: [String: String?] = [
            "grant_type": "authorization_code", "client_id": Self.clientID, "redirect_uri": Self.callback,
        ]
        let fields = usual.merging(changes) { $1 }.compactMap { name, value in value.map { (name, $0) } }
        return await post(form: fields, "/auth/token")
    }
}

extension HTTP.Response {
    var text: String { String(decoding: body, as: UTF8.self) }
    var json: JSONValue? { try? JSONDocument(body).root }
    /// The code of a problem or the error of an OAuth answer.
    var code: String? { json?["code"]?.string ?? json?["error"]?.string }

    /// The hidden fields of a page, unescaped.
    var inputs: [(name: String, value: String)] {
        text.matches(of: /<input type="hidden" name="([^"]*)" value="([^"]*)">/).map {
            (Self.unescaped(String($0.1)), Self.unescaped(String($0.2)))
        }
    }

    func input(_ name: String) -> String? { inputs.first { $0.name == name }?.value }

    private static func unescaped(_ text: String) -> String {
        [("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&#39;", "'"), ("&#96;", "`"), ("&amp;", "&")]
            .reduce(text) { $0.replacingOccurrences(of: $1.0, with: $1.1) }
    }
}

extension MonotonicTimeSource {
    /// No time passes, so no wait for keys ends before they have come, however slow the machine is.
    static let standstill = MonotonicTimeSource(
        now: { .zero }, sleepUntil: { _ in try? await Task.sleep(for: .seconds(86_400)) })
}

/// A client that asks the issuer without a network in between.
struct StandInClient: HTTP.Client {
    let standIn: StandIn

    func send(_ request: HTTP.Request) async throws(HTTP.ClientError) -> HTTP.Response {
        let target: TargetURL
        do throws(TargetURL.Fault) {
            target = try TargetURL(request.url)
        } catch {
            throw HTTP.ClientError(.urlRefused, error.message)
        }
        let host = target.port.map { "\(target.host):\($0)" } ?? target.host
        let fields = request.fields.lines.map { ($0.name, $0.value) }
        return await standIn.ask(request.method.rawValue, target.path, fields, request.body, host: host)
    }
}
