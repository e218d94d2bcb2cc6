import Foundation
import Postern
import PosternCrypto
import PosternTestSupport

/// An issuer whose key set the test server answers with, and tokens of it made now.
struct LiveIssuer {
    static let name = "https://issuer.example"

    let server: TestServer
    let path: String

    /// An issuer of its own for each test: tests run beside each other.
    init() throws {
        server = try TestServer.shared.get()
        path = "/keys-\(UUID().uuidString)"
    }

    func answer() async throws {
        let key = try TestKeys.rsa.get().publicKey
        let members = try Thumbprint.members(of: key).map { ($0.0, JSONOutput.string($0.1)) }
        let member = JSONOutput.object(members + [("kid", .string("test-key")), ("alg", .string("RS256"))])
        try await server.set(path, .answer(body: JSONOutput.object([("keys", .array([member]))]).text()))
    }

    func provider() throws -> Provider {
        try .oidc(
            issuer: Self.name,
            audiences: [.app(TestToken.clientID, nonce: .hashed)],
            keySetURL: server.url(path)
        )
    }

    /// Trusts the server's authority and gives a busy machine time.
    var network: NetworkSettings {
        var settings = NetworkSettings()
        settings.caFile = server.caFile
        settings.connectTimeout = .seconds(60)
        settings.totalTimeout = .seconds(300)
        return settings
    }

    func token() throws -> String {
        let now = TimeSource.system.now()
        return try TestToken().with("iss", .string(Self.name)).with("iat", .integer(now))
            .with("exp", .integer(now + 3600)).signed()
    }
}

/// Only keeps a broken test from hanging. A task may wait for minutes before it begins: all tests queue for as many threads as
/// the machine has cores, and a fetch that begins late is given up and tried again.
private let patience: Duration = .seconds(900)

/// Lets others run until the condition holds, and says whether it does.
func until(_ condition: @Sendable () -> Bool) async -> Bool {
    let clock = ContinuousClock()
    let end = clock.now + patience
    while !condition() {
        guard clock.now < end else { return false }
        await Task.yield()
    }
    return true
}

/// Asks, and asks again until the condition holds: on a very busy machine a source gives up a fetch, and only who asks
/// after the cooldown starts another.
func until(asking ask: @Sendable () async -> Void, _ condition: @Sendable () -> Bool) async -> Bool {
    let clock = ContinuousClock()
    let end = clock.now + patience
    repeat {
        await ask()
        if condition() { return true }
        // While it cools down the source answers at once; asking without a pause would take the machine from the fetch.
        try? await Task.sleep(for: .milliseconds(50))
    } while clock.now < end
    return false
}

/// What an observer heard.
final class EventLog: Sendable {
    private let log = Lock<[KeySetEvent]>([])

    @Sendable func note(_ event: KeySetEvent) { log.withLock { $0.append(event) } }

    var events: [KeySetEvent] { log.withLock { $0 } }

    func hasHeard(_ event: KeySetEvent) -> Bool { events.contains(event) }

    /// The first failure that is not a fetch given up.
    var failure: KeySetFailure? {
        for case .failed(let failure) in events where failure.code != .timedOut { return failure }
        return nil
    }
}
