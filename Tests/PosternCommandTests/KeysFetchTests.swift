import Foundation
import PosternTestSupport
import Testing

@Suite struct KeysFetchTests {
    private let server: TestServer
    private let folder: TemporaryFolder

    init() throws {
        server = try TestServer.shared.get()
        folder = try TemporaryFolder()
    }

    private func fetch(_ arguments: [String], _ format: String = "text") throws -> Invocation {
        let cache = ["XDG_CACHE_HOME": folder.url.appending(path: "cache").path]
        let common = ["keys", "fetch", "--ca-file", server.caFile, "--format", format]
        return try .run(common + arguments, environment: cache)
    }

    private func serve(_ path: String, _ body: String) async throws -> String {
        try await server.set(path, .answer(200, [("Cache-Control", "max-age=700")], body: body))
        return server.url(path)
    }

    @Test func whatKeysShowShowsAndWhereItCameFrom() async throws {
        let keys = try "{\"keys\":[\(TestIssuer.rsa.get().jwk), 7]}"
        let url = try await serve("/fetch/shown", keys)
        let before = Int64(Date().timeIntervalSince1970)
        var json = try fetch([url], "json").json()
        #expect(json.removeValue(forKey: "url") as? String == url)
        #expect(json.removeValue(forKey: "time_to_live") as? Int == 700)
        let fetchedAt = try #require(json.removeValue(forKey: "fetched_at") as? Int64)
        #expect((before...before + 600).contains(fetchedAt))
        let file = try folder.file(containing: Data(keys.utf8)).path
        let shown = try Invocation.run(["keys", "show", file, "--format", "json"])
        #expect(try NSDictionary(dictionary: json) == NSDictionary(dictionary: shown.json()))

        let text = try fetch([url])
        #expect(text.status == 0)
        let lines = text.text.split(separator: "\n", maxSplits: 3)
        #expect(lines.first == "url           \(url)")
        #expect(lines[1].hasPrefix("fetched_at    ") && lines[1].hasSuffix("Z)"))
        #expect(lines[2] == "time_to_live  700 s")
        #expect(try lines.last.map { $0 + "" } == Invocation.run(["keys", "show", file]).text)
        // Each run asks anew and leaves nothing behind.
        #expect(try await server.requests("/fetch/shown").count == 2)
        #expect(!FileManager.default.fileExists(atPath: folder.url.appending(path: "cache").path))
    }

    @Test func nothingUsable() async throws {
        let url = try await serve("/fetch/unusable", #"{"keys":[7]}"#)
        let answer = try fetch([url])
        #expect(answer.status == 3)
        #expect(answer.text.contains("NO USABLE KEY") && answer.text.contains("not_an_object"))
    }

    @Test func byDiscovery() async throws {
        let issuer = server.url("/fetch/issuer")
        let url = try await serve("/fetch/issuer/keys", TestIssuer.rsa.get().keySet)
        let document = #"{"issuer":"\#(issuer)","jwks_uri":"\#(url)"}"#
        try await server.set("/fetch/issuer/.well-known/openid-configuration", .answer(200, body: document))
        #expect(try fetch(["--issuer", issuer], "json").json()["url"] as? String == url)
        #expect(try fetch(["--provider", "oidc", "--issuer", issuer], "json").json()["url"] as? String == url)
        let other = try fetch(["--issuer", issuer + "/"])
        #expect(other.status == 3)
        #expect(other.text.hasPrefix("NO KEYS bad_discovery\n"), "\(other.text)")
    }

    @Test func withoutTLS() async throws {
        _ = try await serve("/fetch/plain", TestIssuer.rsa.get().keySet)
        let url = server.url("/fetch/plain", listener: "plain")
        #expect(try fetch([url]).status == 2)
        #expect(try fetch([url, "--insecure-loopback"]).status == 0)
    }

    /// The proxy refuses, so nobody outside is asked; but it is told whom.
    @Test(arguments: [
        ([], "appleid.apple.com"), (["--provider", "google"], "www.googleapis.com"),
        (["--provider", "microsoft"], "login.microsoftonline.com"),
        (["--provider", "facebook"], "limited.facebook.com"),
        (["--provider", "firebase"], "www.googleapis.com"),
    ])
    func theKeysOfAProvider(_ arguments: [String], _ host: String) async throws {
        let answer = try fetch(arguments + ["--proxy", "http://127.0.0.1:\(server.port("proxy"))"], "json")
        #expect(answer.status == 3)
        #expect(try answer.json()["code"] as? String == "not_connected")
        #expect(try await server.proxyHeads().contains { $0.hasPrefix("CONNECT \(host):443 ") })
    }

    // MARK: - --out

    @Test func theSetAsItCame() async throws {
        let keys = "\n { \"keys\" : [\(try TestIssuer.rsa.get().jwk)] , \"x\":1.50 }\r\n"
        let url = try await serve("/fetch/out", keys)
        let file = folder.url.appending(path: "keys.json")
        for old in [nil, "old"] {
            if let old { try Data(old.utf8).write(to: file) }
            #expect(try fetch([url, "--out", file.path]).status == 0)
            #expect(try Data(contentsOf: file) == Data(keys.utf8))
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path) == ["keys.json"])
        // What a link points to is replaced, not the link.
        let link = folder.url.appending(path: "link").path
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: file.path)
        try Data().write(to: file)
        #expect(try fetch([url, "--out", link]).status == 0)
        #expect(try Data(contentsOf: file) == Data(keys.utf8))
        #expect(try FileManager.default.destinationOfSymbolicLink(atPath: link) == file.path)
    }

    @Test func aFailureLeavesTheOldFile() async throws {
        let file = try folder.file(containing: Data("old".utf8))
        for (status, body) in [(500, ""), (200, "{\"keys\":[]}"), (200, "{\"keys\":[7]}"), (200, "{}"), (200, "")] {
            try await server.set("/fetch/kept", .answer(status, body: body))
            #expect(try fetch([server.url("/fetch/kept"), "--out", file.path]).status == 3, "\(body)")
            #expect(try Data(contentsOf: file) == Data("old".utf8))
        }
    }

    @Test(arguments: ["/nonexistent/keys.json", "", "/", "-", "/dev/full"])
    func whereNothingCanBeWritten(_ path: String) async throws {
        let url = try await serve("/fetch/unwritten/\(path.utf8.count)", TestIssuer.rsa.get().keySet)
        let answer = try fetch([url, "--out", path])
        #expect(answer.status == 2)
        #expect(answer.output.isEmpty)
        #expect(answer.complaint.hasPrefix("postern: --out '\(path)'"), "\(answer.complaint)")
    }
}
