import Foundation
import PosternTestSupport
import Testing

/// A daemon under good, refused, malformed, oversize and slow clients on both listeners, for `POSTERN_SOAK_SECONDS` (60 unless
/// said): nothing grows, and no good request is dropped or answered wrongly.
@Suite(.onAThreadOfItsOwn) struct SoakTests {
    private static let environment = ProcessInfo.processInfo.environment
    private static let seconds = environment["POSTERN_SOAK_SECONDS"].flatMap { Double($0) } ?? 60
    /// How many KiB more there may be after the second part than after the first. Some 15,000 requests come in half a minute,
    /// so 70 bytes that each of them left would be more.
    private static let growth = 1024

    /// Nonces expire early so that those remembered are as many at the end of the first part as at the end of the second.
    private static let limits = """
        "nonces":{"lifetime":15},
        "limits":{"body_bytes":65536,"header_seconds":10,"body_seconds":10,"idle_seconds":120}
        """

    private static func daemon(_ hash: String) throws -> DaemonProcess {
        try DaemonIssuer.daemon(
            listeners: #"{"unix":"SOCKET"},{"tcp":"127.0.0.1:0","doors":["native","operations"]}"#,
            more: #""api_keys":[{"name":"soak","sha256":"\#(hash)"}],\#(limits)"#)
    }

    @Test func nothingGrowsAndNothingIsDropped() throws {
        let key = try Invocation.run(["api-key", "--format", "json"]).json()
        let daemon = try Self.daemon(#require(key["sha256"] as? String))
        try daemon.wait(for: "listening", count: 2)
        let port = try #require(daemon.wait(for: "listening", count: 2)["port"] as? Int)
        let places = [
            SoakPlace(path: daemon.socket), SoakPlace(port: port, key: try #require(key["key"] as? String)),
        ]
        let before = try descriptorsWithoutConnections(daemon, places)
        let first = try load(places, seconds: Self.seconds / 2, of: daemon, expecting: before)
        let second = try load(places, seconds: Self.seconds / 2, of: daemon, expecting: before)
        print("soak: RssAnon \(first) KiB, then \(second) KiB; \(before) descriptors")
        if !ProcessState.hasSanitizer { #expect(second <= first + Self.growth) }

        // All this has left it as it was.
        for place in places { #expect(try place.connect().ask("GET", "/health/ready").status == 200) }
        daemon.signal(SIGTERM)
        #expect(daemon.end() == 0)
    }

    /// What the daemon has open when nobody is connected, counted while everybody is: it notices an end some time later.
    private func descriptorsWithoutConnections(_ daemon: DaemonProcess, _ places: [SoakPlace]) throws -> Int {
        let clients = try places.map { try $0.connect() }
        for client in clients { #expect(try client.ask("GET", "/health/ready").status == 200) }
        return try withExtendedLifetime(clients) { try daemon.state.descriptors().count - clients.count }
    }

    /// Has all clients ask for so long, and waits until they have left; the memory then.
    private func load(
        _ places: [SoakPlace],
        seconds: Double,
        of daemon: DaemonProcess,
        expecting count: Int
    ) throws -> Int {
        let end = Date(timeIntervalSinceNow: seconds)
        let clients = places.flatMap { place in SoakClient.kinds.map { SoakClient($0, at: place, until: end) } }
        for client in clients { client.start() }
        for client in clients {
            let (rounds, failure) = client.join()
            #expect(failure == nil, "\(client.name)")
            #expect(rounds > 0, "\(client.name) came to nothing")
            print("soak: \(client.name): \(rounds) rounds")
        }
        #expect(try daemon.state.settled(at: count) == count)
        return try daemon.state.memory()
    }
}
