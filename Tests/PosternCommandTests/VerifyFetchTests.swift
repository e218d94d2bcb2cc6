import Foundation
import PosternBase
import PosternKeySets
import PosternTestSupport
import Testing

/// `postern verify` with keys that it fetches.
@Suite struct VerifyFetchTests {
    private let server: TestServer
    private let folder: TemporaryFolder
    private let options = ["verify", "--audience", TestIssuer.audience, "--no-nonce", "--at", "\(TestIssuer.now)"]

    init() throws {
        server = try TestServer.shared.get()
        folder = try TemporaryFolder()
    }

    private var cache: [String: String] { ["XDG_CACHE_HOME": folder.url.path] }

    private func verify(
        _ url: String?,
        _ more: [String] = [],
        token: String? = nil,
        trusting caFile: String? = nil,
        environment: [String: String]? = nil
    ) throws -> Invocation {
        let arguments = options + (url.map { ["--keys", $0] } ?? []) + ["--ca-file", caFile ?? server.caFile] + more
        return try .run(
            arguments,
            input: Data((token ?? TestIssuer.rsa.get().token()).utf8),
            environment: environment ?? cache
        )
    }

    private func serve(_ path: String, _ control: String = "max-age=600") async throws -> String {
        try await server.set(path, .answer(200, [("Cache-Control", control)], body: TestIssuer.rsa.get().keySet))
        return server.url(path)
    }

    private func mode(_ path: String) throws -> Int {
        try #require(FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int)
    }

    /// All files below the cache, by their names.
    private func files() -> [String] {
        let found = FileManager.default.enumerator(atPath: folder.url.path)?.compactMap { $0 as? String } ?? []
        return found.filter { $0.hasSuffix(".keys") }
    }

    // MARK: - Fetching and keeping

    @Test func oneFetchForManyRuns() async throws {
        let url = try await serve("/verify/kept")
        for _ in 0..<3 {
            let answer = try verify(url)
            #expect(answer.status == 0, "\(answer.text) \(answer.complaint)")
            #expect(answer.complaint.isEmpty, "\(answer.complaint)")
        }
        #expect(try await server.requests("/verify/kept").count == 1)
        // The copy serves while the issuer is away.
        try await server.set("/verify/kept", .answer(500))
        #expect(try verify(url).status == 0)
        #expect(try await server.requests("/verify/kept").count == 1)
        let file = try #require(files().first)
        #expect(files().count == 1)
        #expect(try mode(folder.url.path + "/" + file) == 0o600)
        #expect(try mode(folder.url.path + "/postern") == 0o700)
    }

    @Test func placesOfTheCopy() async throws {
        let home = folder.url.path
        let environments: [([String: String], String?)] = [
            ([:], nil), (["XDG_CACHE_HOME": "relative"], nil), (["XDG_CACHE_HOME": "", "HOME": ""], nil),
            (["HOME": home + "/a"], "a/.cache/postern"), (["XDG_CACHE_HOME": home + "/b/c"], "b/c/postern"),
            (["XDG_CACHE_HOME": "relative", "HOME": home + "/d"], "d/.cache/postern"),
        ]
        for (number, (environment, place)) in environments.enumerated() {
            let path = "/verify/places/\(number)"
            let url = try await serve(path)
            for _ in 0..<2 {
                let answer = try verify(url, environment: environment)
                #expect(answer.status == 0 && answer.complaint.isEmpty, "\(environment) \(answer.complaint)")
            }
            #expect(try await server.requests(path).count == (place == nil ? 2 : 1), "\(environment)")
            if let place { #expect(files().contains { $0.hasPrefix(place + "/") }, "\(files())") }
        }
        #expect(files().count == 3)
    }

    /// What came on the word of other authorities serves nobody who does not trust them.
    @Test func eachAuthorityHasItsCopies() async throws {
        let url = try await serve("/verify/authorities")
        #expect(try verify(url).status == 0)
        let copy = try folder.file(containing: Data(contentsOf: URL(filePath: server.caFile)), called: "same.pem").path
        #expect(try verify(url, trusting: copy).status == 0)
        #expect(try await server.requests("/verify/authorities").count == 1)
        let other = try verify(url, trusting: server.folder.appending(path: "other-ca.pem").path)
        #expect(other.status == 3)
        #expect(other.text.contains("not_trusted"), "\(other.text)")
        let system = try Invocation.run(
            options + ["--keys", url], input: Data(TestIssuer.rsa.get().token().utf8), environment: cache)
        #expect(system.status == 3)
        #expect(system.text.contains("not_trusted"), "\(system.text)")
    }

    /// A file of authorities called - is not standard input, and one of any size has a digest of all of it.
    @Test func oddFilesOfAuthorities() async throws {
        let url = try await serve("/verify/odd")
        let good = try Data(contentsOf: URL(filePath: server.caFile))
        _ = try folder.file(containing: good, called: "-")
        let token = try folder.file(containing: Data(TestIssuer.rsa.get().token().utf8), called: "token").path
        let line =
            #"cd "$1" && XDG_CACHE_HOME="$1" "$0" verify --audience "$2" --no-nonce --at "$3" --keys "$4" --ca-file - <"$5""#
        let answer = try Invocation.shell(
            line, [folder.url.path, TestIssuer.audience, "\(TestIssuer.now)", url, token])
        #expect(answer.status == 0, "\(answer.text) \(answer.complaint)")
        #expect(files().count == 1)
        let large = try folder.file(containing: good + Data(repeating: 0x0A, count: 16 << 20), called: "large").path
        let refused = try verify(url, trusting: large)
        #expect(refused.status == 2)
        #expect(refused.complaint.contains("larger"), "\(refused.complaint)")
    }

    @Test func withoutTLSNothingIsKept() async throws {
        _ = try await serve("/verify/plain")
        let url = server.url("/verify/plain", listener: "plain")
        for _ in 0..<2 { #expect(try verify(url, ["--insecure-loopback"]).status == 0) }
        #expect(try await server.requests("/verify/plain").count == 2)
        #expect(files().isEmpty)
    }

    // MARK: - Copies that are stale, damaged or not ours alone

    /// The file with the copy that a first run has left.
    private func copy(of url: String) throws -> String {
        #expect(try verify(url).status == 0)
        return folder.url.path + "/" + (try #require(files().first))
    }

    private func put(_ contents: [UInt8], for url: String) async throws -> String {
        let file = try copy(of: url)
        try Data(contents).write(to: URL(filePath: file))
        return file
    }

    @Test func aStaleCopyServesAndSaysSo() async throws {
        let url = try await serve("/verify/stale")
        let file = try copy(of: url)
        let fresh = try StoredKeySet(Array(try Data(contentsOf: URL(filePath: file))))
        let stored = StoredKeySet(
            source: fresh.source,
            keySetURL: url,
            fetchedAt: Int64(Date().timeIntervalSince1970) - 1000,
            timeToLive: 300,
            entityTag: nil,
            set: Array(try TestIssuer.rsa.get().keySet.utf8)
        )
        try Data(stored.bytes).write(to: URL(filePath: file))
        try await server.set("/verify/stale", .answer(500))
        let answer = try verify(url)
        #expect(answer.status == 0)
        #expect(answer.complaint.contains("copy of an earlier run"), "\(answer.complaint)")
    }

    @Test func aDamagedCopyIsReplaced() async throws {
        let url = try await serve("/verify/damaged")
        let file = try await put(Array("{\n".utf8), for: url)
        let answer = try verify(url)
        #expect(answer.status == 0)
        #expect(answer.complaint.contains("not JSON"), "\(answer.complaint)")
        #expect(try Data(contentsOf: URL(filePath: file)).count > 100)
        #expect(try verify(url).complaint.isEmpty)
        #expect(try await server.requests("/verify/damaged").count == 2)
    }

    @Test func aFolderThatOthersCanWriteIsNotUsed() async throws {
        let url = try await serve("/verify/writable")
        #expect(try verify(url).status == 0)
        let file = folder.url.path + "/" + (try #require(files().first))
        let place = URL(filePath: file).deletingLastPathComponent().path
        try FileManager.default.setAttributes([.posixPermissions: 0o777], ofItemAtPath: place)
        let answer = try verify(url)
        #expect(answer.status == 0)
        #expect(answer.complaint.contains("lets others write"), "\(answer.complaint)")
        #expect(try await server.requests("/verify/writable").count == 2)
    }

    // MARK: - What is asked, and when

    @Test func whatNeedsNoKeyAsksNobody() async throws {
        let url = try await serve("/verify/nobody")
        for token in ["", "x", "a.b.c", "\u{FF}"] { #expect(try verify(url, token: token).status == 1) }
        let wrong = try TestIssuer.rsa.get().token(["iss": .string("https://elsewhere.example")])
        #expect(try verify(url, token: wrong).status == 1)
        #expect(try await server.requests("/verify/nobody").isEmpty)
    }

    @Test func aKeyThatIsNotInTheCopyIsAskedFor() async throws {
        try await server.set("/verify/rotated", .answer(200, body: TestIssuer.ec.get().keySet))
        let url = server.url("/verify/rotated")
        #expect(try verify(url).text.contains("key_not_found"))
        _ = try await serve("/verify/rotated")
        #expect(try verify(url).status == 0)
        #expect(try verify(url).status == 0)
        #expect(try await server.requests("/verify/rotated").count < 4)
    }

    @Test func notifications() async throws {
        let url = try await serve("/verify/notification")
        let arguments = [
            "verify", "--audience", TestIssuer.audience, "--notification", "--at", "\(TestIssuer.now)", "--keys", url,
            "--ca-file", server.caFile, "--format", "json",
        ]
        let input = Data(try TestIssuer.rsa.get().notification().utf8)
        let answer = try Invocation.run(arguments, input: input)
        #expect(answer.status == 0, "\(answer.text)")
        #expect(try Invocation.run(arguments, input: Data([0xFF])).status == 1)
    }

    @Test func withoutKeysTheIssuerSaysWhereTheyAre() async throws {
        let issuer = server.url("/verify/issuer")
        let keys = try await serve("/verify/issuer/keys")
        let document = #"{"issuer":"\#(issuer)","jwks_uri":"\#(keys)"}"#
        try await server.set("/verify/issuer/.well-known/openid-configuration", .answer(200, body: document))
        let token = try TestIssuer.rsa.get().token(["iss": .string(issuer)])
        for _ in 0..<2 {
            let answer = try verify(nil, ["--provider", "oidc", "--issuer", issuer], token: token)
            #expect(answer.status == 0, "\(answer.text) \(answer.complaint)")
        }
        #expect(try await server.requests("/verify/issuer/keys").count == 1)
    }

    /// The proxy refuses, so nobody outside is asked; but it is told whom.
    @Test func withoutKeysTheProvidersOwnAreFetched() async throws {
        let proxy = "http://127.0.0.1:\(server.port("proxy"))"
        let answer = try verify(nil, ["--proxy", proxy, "--format", "json"])
        #expect(answer.status == 3)
        let json = try answer.json()
        #expect(json["verdict"] as? String == "fault")
        #expect(json["code"] as? String == "keys_unavailable")
        #expect((json["message"] as? String)?.contains("https://appleid.apple.com/auth/keys (not_connected)") == true)
        #expect(try await server.proxyHeads().contains { $0.hasPrefix("CONNECT appleid.apple.com:443 ") })
    }

    private static let outages: [(name: String, answer: TestAnswer, code: String)] = [
        ("missing", .answer(404), "bad_status"), ("moved", .answer(301, [("Location", "/")]), "redirected"),
        ("page", .answer(body: "<html></html>"), "not_a_key_set"),
        ("empty", .answer(body: #"{"keys":[]}"#), "no_usable_key"), ("cut", .raw("HTTP/1.1 200 OK\r\n"), "malformed"),
        ("large", .answer(body: String(repeating: " ", count: 262_145)), "too_large"),
    ]

    @Test(arguments: outages.indices)
    func withoutKeysThereIsNoVerdict(_ index: Int) async throws {
        let outage = Self.outages[index]
        try await server.set("/verify/out/\(outage.name)", outage.answer)
        let answer = try verify(server.url("/verify/out/\(outage.name)"))
        #expect(answer.status == 3)
        #expect(answer.text.hasPrefix("NO VERDICT keys_unavailable\n"))
        #expect(answer.text.contains("(\(outage.code))"), "\(answer.text)")
        #expect(files().isEmpty)
    }
}
