import Foundation
import PosternHTTP
import PosternTestSupport
import PosternTransport
import Testing

@Suite struct TrustTests {
    private let server: TestServer

    init() throws { server = try TestServer.shared.get() }

    /// Each message says which thing is wrong, and the request never goes out.
    @Test(arguments: [
        ("wrong-name", "host name does not match"), ("no-names", "host name does not match"),
        ("self-signed", "self-signed"), ("expired", "certificate expired"), ("not-yet-valid", "not yet valid"),
        ("old-tls", "TLS with 127.0.0.1 could not be set up"),
    ])
    func badCertificates(listener: String, words: String) async throws {
        let path = "/trust/\(listener)"
        try await server.set(path, .answer())
        let failure = await (try CurlClient.test()).failure(server.url(path, listener: listener))
        #expect(failure?.code == .notTrusted)
        #expect(failure?.message.contains(words) == true, "\(String(describing: failure))")
        #expect(failure?.message.contains("127.0.0.1") == true)
        #expect(try await server.requests(path).isEmpty)
    }

    /// Without `caFile` the system's authorities count, with it that file's alone.
    @Test(arguments: [nil, "other-ca.pem"])
    func anUnknownIssuer(file: String?) async throws {
        let path = "/trust/issuer"
        let client = try CurlClient.test { $0.caFile = file.map { server.folder.appending(path: $0).path } }
        let failure = await client.failure(server.url(path))
        #expect(failure?.code == .notTrusted)
        #expect(failure?.message.contains("unknown issuer") == true, "\(String(describing: failure))")
        #expect(try await server.requests(path).isEmpty)
    }

    @Test func aFileThatIsNoCertificate() async throws {
        let file = FileManager.default.temporaryDirectory.appending(path: "postern-\(UUID().uuidString).pem")
        try Data("no PEM".utf8).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        let client = try CurlClient.test { $0.caFile = file.path }
        let failure = await client.failure(server.url("/trust/file"))
        #expect(failure?.code == .notTrusted)
        #expect(failure?.message.contains("is it PEM") == true, "\(String(describing: failure))")
    }

    @Test func noTLSBehindHTTPS() async throws {
        let url = "https://127.0.0.1:\(server.port("plain"))/trust/plain"
        #expect(await (try CurlClient.test()).failure(url)?.code == .notTrusted)
    }
}
