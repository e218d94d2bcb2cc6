import Foundation
import Postern
import PosternTestSupport
import Testing

/// The initialisers that bring the network along, against a TLS server.
@Suite struct TokenVerifierLiveTests {
    @Test func keysAreFetchedOnce() async throws {
        let issuer = try LiveIssuer()
        try await issuer.answer()
        let log = EventLog()
        let verifier = try TokenVerifier(issuer.provider(), network: issuer.network, observer: log.note)
        let token = try issuer.token()
        let isFetched = await until(
            asking: { _ = try? await verifier.verify(token, nonce: TestToken.rawNonce) },
            { log.hasHeard(.fetched) }
        )
        #expect(isFetched)
        let asked = try await issuer.server.requests(issuer.path).count
        for _ in 0..<50 {
            let identity = try await verifier.verify(token, nonce: TestToken.rawNonce)
            #expect(identity.issuer == LiveIssuer.name)
        }
        #expect(try await issuer.server.requests(issuer.path).count == asked)
    }

    @Test func nobodyIsAskedBeforeAKeyIsNeeded() async throws {
        let issuer = try LiveIssuer()
        try await issuer.answer()
        let verifier = try TokenVerifier(issuer.provider(), network: issuer.network)
        let verdict = try await verifier.check("not a token", nonce: TestToken.rawNonce)
        #expect(verdict.refusal?.code == .tokenMalformed)
        #expect(try await issuer.server.requests(issuer.path).isEmpty)
    }

    /// The system's authorities have not signed the server's certificate, so nothing is believed from it.
    @Test func withoutItsAuthorityTheIssuerIsNotTrusted() async throws {
        let issuer = try LiveIssuer()
        try await issuer.answer()
        var network = issuer.network
        network.caFile = nil
        let log = EventLog()
        let verifier = try TokenVerifier(issuer.provider(), network: network, observer: log.note)
        let token = try issuer.token()
        let hasFailed = await until(
            asking: {
                await #expect(throws: VerificationError.self) {
                    try await verifier.verify(token, nonce: TestToken.rawNonce)
                }
            },
            { log.failure != nil }
        )
        #expect(hasFailed && log.failure?.code.rawValue == "not_trusted")
        #expect(try await issuer.server.requests(issuer.path).isEmpty)
    }

    /// The keys of one issuer verify nobody else's tokens.
    @Test func aSourceBelongsToItsProvider() throws {
        let audiences = [Audience("com.example.app", nonce: .hashed)]
        let apple = try Provider.apple(audiences: audiences)
        let other = try Provider.oidc(issuer: "https://id.example.com", audiences: audiences)
        let pinned = try Provider.oidc(
            issuer: "https://id.example.com", audiences: audiences, keySetURL: "https://id.example.com/keys")
        for (place, provider) in [apple, other, pinned].enumerated() {
            let source = try RemoteKeySource(provider)
            for (otherPlace, other) in [apple, other, pinned].enumerated() {
                if place == otherPlace {
                    _ = try TokenVerifier(other, keys: source)
                } else {
                    #expect(throws: ConfigurationError.self) { try TokenVerifier(other, keys: source) }
                }
            }
        }
    }

    @Test func aRestartDuringAnOutageVerifiesFromTheFolder() async throws {
        let issuer = try LiveIssuer()
        try await issuer.answer()
        let folder = FileManager.default.temporaryDirectory.appending(path: "postern-live-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        let token = try issuer.token()
        do {
            let log = EventLog()
            let source = try RemoteKeySource(
                issuer.provider(),
                keyFolder: folder.path,
                network: issuer.network,
                observer: log.note
            )
            #expect(await until(asking: { await source.warm() }, { log.hasHeard(.fetched) }))
            let path = folder.path
            #expect(await until { Self.entries(path).contains { !$0.hasPrefix(".") } })
        }
        try await issuer.server.set(issuer.path, .answer(500))
        let asked = try await issuer.server.requests(issuer.path).count
        let log = EventLog()
        let verifier = try TokenVerifier(
            issuer.provider(),
            keyFolder: folder.path,
            network: issuer.network,
            observer: log.note
        )
        #expect(log.events == [.loadedFromDisk(usable: 1)])
        let identity = try await verifier.verify(token, nonce: TestToken.rawNonce)
        #expect(identity.audience == TestToken.clientID)
        #expect(try await issuer.server.requests(issuer.path).count == asked)
    }

    private static func entries(_ path: String) -> [String] {
        (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
    }

    private static let mistakes: [(String, @Sendable (inout NetworkSettings) -> Void)] = [
        ("caFile", { $0.caFile = "/nowhere/ca.pem" }), ("proxy", { $0.proxy = "proxy.example" }),
        ("totalTimeout", { $0.totalTimeout = .zero }), ("concurrentRequests", { $0.concurrentRequests = 0 }),
    ]

    /// One kind of error, whichever room found the mistake.
    @Test(arguments: mistakes)
    func aNetworkSettingThatCannotBeUsedIsNamed(
        setting: String,
        change: @Sendable (inout NetworkSettings) -> Void
    ) throws {
        let provider = try Provider.apple(audiences: [.app("id", nonce: .hashed)])
        var network = NetworkSettings()
        change(&network)
        do throws(ConfigurationError) {
            _ = try TokenVerifier(provider, network: network)
            Issue.record("\(setting) was taken")
        } catch {
            #expect(error.message.contains("The network setting \(setting) cannot be used."))
        }
        #expect(throws: ConfigurationError.self) { try RemoteKeySource(provider, network: network) }
    }

    /// Plain http is one switch for the source and its client, off unless said.
    @Test func plainHTTPIsForLoopbackAndOnlyOnRequest() throws {
        let audiences: [Audience] = [.app("id", nonce: .hashed)]
        let local = try Provider.oidc(
            issuer: LiveIssuer.name, audiences: audiences, keySetURL: "http://127.0.0.1:1/keys")
        let far = try Provider.oidc(
            issuer: LiveIssuer.name, audiences: audiences, keySetURL: "http://192.0.2.1/keys")
        var network = NetworkSettings()
        #expect(throws: ConfigurationError.self) { try TokenVerifier(local, network: network) }
        network.allowsInsecureLoopback = true
        _ = try TokenVerifier(local, network: network)
        #expect(throws: ConfigurationError.self) { try TokenVerifier(far, network: network) }
    }
}
