import Foundation
import Glibc
import PosternTestSupport
import Testing

/// `postern issuer`: how it is started, where it listens, and whom it cannot deceive.
@Suite(.onAThreadOfItsOwn) struct IssuerCommandTests {
    @Test(arguments: [
        (["--port", "65536"], "--port takes"), (["--port", "-1"], "--port takes"), (["--port", "x"], "--port takes"),
        (["--fault", "sluggish"], "--fault takes slow, "), (["--slow-seconds", "601"], "at most 600"),
        (["--slow-seconds", "x"], "number of seconds"), (["--client", ""], "a client ID has"),
        (["--client", "a b"], "a client ID has"), (["--client", "a=/callback"], "cannot be used"),
        (["--client", "a="], "cannot be used"), (["--users", "/nonexistent"], "cannot be read"),
        (["--users", "/dev/null"], "not JSON"), (["--key", "/dev/null"], "no private key"),
        (["--socket", "/nonexistent/s", "--port", "0"], "cannot listen on the socket"),
        (["--address", "0.0.0.0"], "no option"),
        (["operand"], "too many arguments"),
    ])
    func mistakes(arguments: [String], message: String) throws {
        let run = try Invocation.run(["issuer"] + arguments)
        #expect(run.status == 2)
        #expect(run.complaint.contains(message), "\(run.complaint)")
    }

    /// No other machine reaches it, whatever it is told: who listens on all addresses is reached by 127.0.0.2 too.
    @Test func loopbackAlone() throws {
        let issuer = try IssuerProcess()
        _ = try SocketClient(port: issuer.port)
        let refused = #expect(throws: POSIXError.self) { try SocketClient(host: 0x7F00_0002, port: issuer.port) }
        #expect(refused?.code == .ECONNREFUSED)
    }

    @Test func aTakenPortIsSaid() throws {
        let issuer = try IssuerProcess()
        let run = try Invocation.run(["issuer", "--port", "\(issuer.port)"])
        #expect(run.status == 2)
        #expect(run.complaint.contains("cannot listen on port \(issuer.port) (in_use)"))
    }

    @Test func itEndsInGoodOrder() throws {
        let folder = try TemporaryFolder()
        let socket = folder.url.appendingPathComponent("i.sock").path
        let issuer = try IssuerProcess(["--socket", socket], in: folder)
        let client = try SocketClient(unix: socket)
        #expect(try client.ask("GET", "/control").text("issuer") == issuer.url)
        var status = stat()
        #expect(stat(socket, &status) == 0 && status.st_mode & 0o777 == 0o600)
        #expect(try issuer.process.wait("no guide") { $0.first { $0.hasPrefix("FOR TESTS ONLY.") } }.isEmpty == false)
        issuer.process.signal(SIGTERM)
        #expect(issuer.process.end() == 0)
        #expect(!FileManager.default.fileExists(atPath: socket))
    }

    /// The provider that it prints is one for the settings as it stands.
    @Test func theProviderThatItPrintsIsTaken() throws {
        let issuer = try IssuerProcess(["--client", "one", "--client", "two=https://app.example/callback"])
        let line = try issuer.process.wait("no guide") { $0.first { $0.hasPrefix(#"{"provider":"oidc""#) } }
        let daemon = try DaemonProcess(DaemonIssuer.settings(line))
        try daemon.wait(for: "keys_replaced")
        let client = try daemon.connect()
        for audience in ["one", "two"] {
            #expect(try client.ask("POST", "/v1/nonces", #"{"audience":"\#(audience)"}"#).status == 201)
        }
    }

    /// A token of before is good after a restart with the same key.
    @Test func theKeyStays() throws {
        let folder = try TemporaryFolder()
        let key = folder.url.appendingPathComponent("key.pem").path
        func names() throws -> [String]? {
            let issuer = try IssuerProcess(["--key", key], in: folder)
            return try issuer.ask("GET", "/control").json["key_ids"] as? [String]
        }
        let first = try names()
        #expect(first?.count == 1)
        #expect(try names() == first)
        #expect(try FileManager.default.attributesOfItem(atPath: key)[.posixPermissions] as? Int == 0o600)
    }

    @Test func usersAndClientsOfOnesOwn() throws {
        let folder = try TemporaryFolder()
        let users = try folder.file(containing: Data(#"{"users":[{"id":"only","subject":"one"}]}"#.utf8))
        let issuer = try IssuerProcess([
            "--users", users.path, "--client", "a=https://a.example/cb?x=1", "--client", "b", "--client",
            "a=http://localhost:1/",
        ])
        let state = try issuer.ask("GET", "/control").json
        #expect(state["users"] as? [String] == ["only"])
        #expect(state["clients"] as? [String] == ["a", "b"])
        for uri in ["https%3A%2F%2Fa.example%2Fcb%3Fx%3D1", "http%3A%2F%2Flocalhost%3A1%2F"] {
            let query = "client_id=a&response_type=code&redirect_uri=\(uri)"
            #expect(try issuer.ask("GET", "/auth/authorize?\(query)").status == 200)
            #expect(try issuer.ask("GET", "/auth/authorize?\(query)&client_id=b").status == 400)
        }
    }

    // MARK: - Whom it cannot deceive

    /// Nothing in the settings points the built-in Apple here, nor gives its issuer to another.
    @Test(arguments: [
        (#""provider":"apple","issuer":"URL""#, "only for the provider oidc"),
        (#""provider":"apple","keys":"URL/auth/keys","insecure_loopback":true"#, "only for the provider oidc"),
        (
            #""provider":"oidc","issuer":"https://appleid.apple.com","keys":"URL/auth/keys","insecure_loopback":true"#,
            "has a provider of its own here"
        ),
        (#""provider":"oidc","name":"apple","issuer":"URL","insecure_loopback":true"#, "word for another provider"),
        // And without the word for it nothing is fetched from here at all.
        (
            #""provider":"oidc","issuer":"URL""#,
            "it is not https. Name another issuer or another URL of the key set. Or else: insecure_loopback allows it, for tests."
        ),
    ])
    func settingsThatPointHere(members: String, message: String) throws {
        let members = members.replacingOccurrences(of: "URL", with: "http://127.0.0.1:8712")
        let provider = #"{\#(members),"audiences":[{"client_id":"com.example.app","nonce":"issued"}]}"#
        let folder = try TemporaryFolder()
        let text = DaemonIssuer.settings(provider).replacingOccurrences(of: "SOCKET", with: folder.url.path + "/s")
        let file = try folder.file(containing: Data(text.utf8))
        let run = try Invocation.run(["serve", "--config", file.path])
        #expect(run.status == 2)
        #expect(run.complaint.contains(message), "\(run.complaint)")
    }

    /// A daemon that takes both takes from here only what is from here, and asks Apple about what claims to be Apple's. Its
    /// proxy being the issuer does not help either: that can neither tunnel nor show Apple's certificate.
    @Test func tokensThatClaimToBeApples() throws {
        let issuer = try IssuerProcess()
        let audiences = #""audiences":[{"client_id":"com.example.app","nonce":"issued"}]"#
        let apple =
            #"{"provider":"apple","proxy":"\#(issuer.url)","insecure_loopback":true,"audiences":[{"client_id":"com.example.app","nonce":"unchecked"}]}"#
        let own = #"{"provider":"oidc","name":"test","issuer":"\#(issuer.url)","insecure_loopback":true,\#(audiences)}"#
        let daemon = try DaemonProcess(DaemonIssuer.settings("\(apple),\(own)"))
        let client = try daemon.connect()
        try daemon.wait(for: "keys_replaced")
        let nonce = try client.nonce()
        let token = try issuer.mint(#"{"nonce":"\#(nonce)","claims":{"iss":"https://appleid.apple.com"}}"#)
        let body = #"{"token":"\#(token)"}"#
        #expect(try client.ask("POST", "/v1/verify", body).word == "keys_unavailable")
        let asOwn = try client.verify(token, nonce, #","provider":"test""#)
        #expect(asOwn.word == "issuer_mismatch")
        #expect(try client.verify(issuer.mint(#"{"nonce":"\#(nonce)"}"#), nonce).word == "accepted")
    }
}
