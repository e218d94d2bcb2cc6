import Foundation
import PosternBase
import PosternCrypto
import PosternHTTP
import PosternJOSE
import PosternKeySets
import PosternService
import PosternTestSupport
import PosternTokens

/// A key source whose keys and state the test says.
struct ScriptedKeys: ReportingKeySource {
    var keys: KeySet?
    /// What a missing key gets; nil for a fault.
    var late: KeySet?
    var status = KeySetStatus(freshness: .none, usableKeys: [])

    func current() -> KeySet? { keys }

    func keySet(missing keyID: String?) async throws(VerificationFault) -> KeySet {
        guard let late else { throw .keysUnavailable("The keys are not to be had.") }
        return late
    }
}

/// A service over Apple's provider with the test key, asked without sockets.
struct TestService {
    static let issued = "com.example.issued"
    static let hashed = TestToken.clientID
    static let key = "postern_test-key"
    static let now = TestToken.issuedAt + 1

    let service: Service

    static func apple(
        _ audiences: [Audience] = [Audience(issued, nonce: .issued), Audience(hashed, nonce: .hashed)],
        keys: ScriptedKeys? = nil,
        nonces: IssuedNonces
    ) throws -> ServedProvider {
        let set = try TestKeys.rs256().keys
        let fresh = KeySetStatus(freshness: .fresh, usableKeys: set.usable)
        let source = keys ?? ScriptedKeys(keys: set, late: set, status: fresh)
        let verifier = try TokenVerifier(
            .apple(audiences: audiences), keys: source, issuedNonces: nonces, time: .fixed(now))
        return ServedProvider(verifier, keys: source)
    }

    static func oidc(
        _ issuer: String,
        name: String,
        _ audience: String = "web",
        nonces: IssuedNonces
    ) throws -> ServedProvider {
        let set = try TestKeys.rs256().keys
        let source = ScriptedKeys(keys: set, status: KeySetStatus(freshness: .fresh, usableKeys: set.usable))
        let provider = try Provider.oidc(
            issuer: issuer,
            audiences: [Audience(audience, nonce: .plain), Audience("\(audience)-issued", nonce: .issued)]
        )
        let verifier = try TokenVerifier(
            provider.replacing(name: name), keys: source, issuedNonces: nonces, time: .fixed(now))
        return ServedProvider(verifier, keys: source)
    }

    init(_ service: Service) { self.service = service }

    init(
        _ providers: (IssuedNonces) throws -> [ServedProvider] = { [try TestService.apple(nonces: $0)] },
        capacity: Int = 100,
        listeners: [ListenerRules] = [ListenerRules(doors: [.native, .operations])],
        keys: APIKeys = APIKeys(),
        limit: CallerLimiter.Rate? = nil,
        clock: MonotonicTimeSource = .system
    ) throws {
        let nonces = try IssuedNonces(capacity: capacity, time: .fixed(Self.now))
        service = try Service(
            providers: try providers(nonces),
            nonces: nonces,
            listeners: listeners,
            keys: keys,
            limit: limit,
            time: .fixed(Self.now),
            clock: clock
        )
    }

    static let keys: APIKeys = {
        let digest = APIKeys.digest(of: Secret(key)) ?? []
        return APIKeys([APIKeys.Entry(name: "test", digest: digest)].compactMap(\.self))
    }()

    // MARK: - Requests

    static let peer = Peer.process(user: 1000, group: 1000, process: 1)
    static let address = Peer.address("192.0.2.1", port: 4711)

    func send(
        _ method: String,
        _ path: String,
        query: String? = nil,
        _ body: String = "",
        fields: [(String, String)] = [("Content-Type", "application/json")],
        peer: Peer = peer,
        listener: Int = 0
    ) async throws -> TestReply {
        var all = HTTP.Fields()
        for (name, value) in fields { all.append(name, value) }
        let request = ReceivedRequest(
            method: method, path: path, query: query, fields: ReceivedFields(all), body: Array(body.utf8), peer: peer,
            listener: listener)
        return TestReply(await service.respond(to: request))
    }

    func verify(_ members: [String: Any]) async throws -> TestReply {
        try await send(
            "POST", "/v1/verify", String(decoding: JSONSerialization.data(withJSONObject: members), as: UTF8.self))
    }

    func nonce(_ audience: String? = nil) async throws -> String {
        let body = audience.map { #"{"audience":"\#($0)"}"# } ?? "{}"
        return try await send("POST", "/v1/nonces", body).text("nonce") ?? ""
    }
}

struct TestReply {
    let response: HTTP.Response

    init(_ response: HTTP.Response) { self.response = response }

    var status: Int { response.status }
    var body: String { String(decoding: response.body, as: UTF8.self) }
    var json: [String: Any] {
        let object = try? JSONSerialization.jsonObject(with: Data(response.body))
        return object as? [String: Any] ?? [:]
    }

    func text(_ name: String) -> String? { json[name] as? String }
    func field(_ name: String) -> String? { response.fields.single(name) }
    /// The code of a problem or a refusal.
    var code: String? { text("code") }
    var verdict: String? { text("verdict") }
    var identity: [String: Any] { json["identity"] as? [String: Any] ?? [:] }
}

extension TestToken {
    /// A good token for the issued nonce.
    static func issued(_ nonce: String) throws -> String {
        try TestToken().with("aud", .string(TestService.issued))
            .with("nonce", .string(Nonce.sha256Hex(of: nonce))).signed()
    }
}
