import Foundation
import PosternBase
import PosternJOSE
import PosternKeySets
import PosternTestSupport
import PosternTokens
import Testing

/// A source with everything around it in the test's hand.
final class Bench: Sendable {
    let clock: ManualClock
    let client: ScriptedClient
    let source: RemoteKeySource
    let verifier: TokenVerifier
    private let log: Lock<[KeySetEvent]>

    static let keysURL = "https://appleid.apple.com/auth/keys"
    /// When the wall clock stands that the tests use.
    static let second = TestToken.issuedAt + 1

    init(
        _ answer: ScriptedClient.Answer,
        provider: Provider? = nil,
        folder: String? = nil,
        trust: String? = nil,
        clock: ManualClock = ManualClock(),
        wall: TimeSource = .fixed(second),
        allowsInsecureLoopback: Bool = false
    ) throws {
        let log = Lock<[KeySetEvent]>([])
        self.log = log
        self.clock = clock
        client = ScriptedClient(answer)
        let provider = try provider ?? .apple(audiences: [Audience(TestToken.clientID, nonce: .hashed)])
        source = try RemoteKeySource(
            provider,
            client: client,
            keyFolder: folder,
            allowsInsecureLoopback: allowsInsecureLoopback,
            trust: trust,
            clock: clock.source,
            time: wall,
            // In the middle, so that the refresh comes at 80 % (to 2 parts in 100,000).
            random: RandomSource { count in (0..<count).map { $0 == 0 ? 0x80 : 0 } },
            observer: { event in log.withLock { $0.append(event) } }
        )
        verifier = try TokenVerifier(provider, keys: source, time: .fixed(Self.second))
    }

    var events: [KeySetEvent] { log.withLock { $0 } }
    var fetches: Int { client.requests.count }

    /// The codes of the failures that were reported.
    var failures: [String] {
        events.compactMap { if case .failed(let failure) = $0 { failure.code.rawValue } else { nil } }
    }

    /// The codes of the failures that were reported, waited for: reports come after answers.
    func reportedFailures() async -> [String] {
        await until { !self.failures.isEmpty }
        return failures
    }

    /// `accepted`, or the code of the refusal or fault.
    func outcome(_ token: String) async -> String { await verifier.outcome(of: token) }

    /// What has been reported, waited for: reports come after answers.
    func reported(_ isWanted: @escaping @Sendable (KeySetEvent) -> Bool) async {
        await until { self.events.contains(where: isWanted) }
    }
}

/// A folder of its own for one test, gone with the last use of it.
final class TemporaryFolder: Sendable {
    let path: String

    init() throws {
        let url = FileManager.default.temporaryDirectory.appending(path: "postern-keys-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
        path = url.path
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }
}
