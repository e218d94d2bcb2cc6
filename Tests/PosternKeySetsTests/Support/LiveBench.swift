import PosternBase
import PosternCrypto
import PosternHTTP
import PosternJOSE
import PosternKeySets
import PosternTestSupport
import PosternTokens
import PosternTransport
import Testing

/// The real client in front of the test server; the clock of the cache is in the test's hand.
final class LiveBench: Sendable {
    static let issuer = "https://id.example.com"

    /// Asks another listener of the server than the URL says, so that a set that was good meets a bad server later.
    struct Client: HTTP.Client {
        let inner: CurlClient
        let server: TestServer
        let path: String
        let listener: Lock<String>

        func send(_ request: HTTP.Request) async throws(HTTP.ClientError) -> HTTP.Response {
            var request = request
            request.url = server.url(path, listener: listener.withLock { $0 })
            return try await inner.send(request)
        }
    }

    let server: TestServer
    let path: String
    let clock: ManualClock
    let source: RemoteKeySource
    let verifier: TokenVerifier
    let listener = Lock("good")
    private let log: Lock<[KeySetEvent]>

    /// - Parameter patience: how long the client waits for an answer; other suites may hold the pool of tasks for minutes.
    init(
        _ path: String,
        folder: String? = nil,
        clock: ManualClock = ManualClock(),
        patience: Duration = .seconds(240)
    ) throws {
        let log = Lock<[KeySetEvent]>([])
        self.log = log
        self.clock = clock
        self.path = path
        server = try TestServer.shared.get()
        var settings = NetworkSettings()
        settings.caFile = server.caFile
        settings.connectTimeout = .seconds(60)
        settings.totalTimeout = patience
        let client = Client(inner: try CurlClient(settings), server: server, path: path, listener: listener)
        let provider = try Provider.oidc(
            issuer: Self.issuer,
            audiences: [Audience(TestToken.clientID, nonce: .hashed)],
            keySetURL: server.url(path)
        )
        source = try RemoteKeySource(
            provider,
            client: client,
            keyFolder: folder,
            clock: clock.source,
            time: .fixed(Bench.second),
            observer: { event in log.withLock { $0.append(event) } }
        )
        verifier = try TokenVerifier(provider, keys: source, time: .fixed(Bench.second))
    }

    var events: [KeySetEvent] { log.withLock { $0 } }

    var failures: [String] {
        events.compactMap { if case .failed(let failure) = $0 { failure.code.rawValue } else { nil } }
    }

    /// The codes of the failures that were reported, waited for: reports come after answers.
    func reportedFailures() async -> [String] {
        await until { !self.failures.isEmpty }
        return failures
    }

    func requests() async throws -> Int { try await server.requests(path).count }

    /// A good token under the name.
    func token(_ keyID: String, _ key: Result<PrivateKey, any Error> = TestKeys.rsa) throws -> String {
        try TestToken().with("iss", .string(Self.issuer)).signed(SigningKey(key.get(), .rs256, keyID: keyID))
    }

    /// `accepted`, or the code of the refusal or fault.
    func outcome(_ token: String) async -> String { await verifier.outcome(of: token) }
}
