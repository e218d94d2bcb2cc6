import Foundation
import PosternBase
import PosternHTTP
import PosternJOSE
import PosternTestSupport
import Testing

@testable import PosternIssuer

/// What is where, for whom, and what is said otherwise.
@Suite struct IssuerRouteTests {
    @Test(arguments: ["/", "/auth/keys", "/.well-known/openid-configuration", "/control", "/style.css", "/submit.js"])
    func whatCanBeRead(_ path: String) async throws {
        let standIn = try StandIn()
        #expect(await standIn.get(path).status == 200)
        // The server leaves out the body.
        #expect(await standIn.ask("HEAD", path).status == 200)
        let other = await standIn.ask("DELETE", path)
        #expect(other.code == "method_not_allowed")
        #expect(other.fields.single("Allow") == "GET, HEAD")
    }

    @Test func theOverview() async throws {
        let page = try await StandIn(faults: [.slow]).get("/")
        for text in [StandIn.url, StandIn.callback, "Hidden Person", "slow", "For tests only"] {
            #expect(page.text.contains(text))
        }
    }

    @Test func nothingElse() async throws {
        let standIn = try StandIn()
        for path in ["/favicon.ico", "/auth/keys/", "/AUTH/keys", "/mint/x", "//"] {
            #expect(await standIn.get(path).code == "path_unknown")
        }
        #expect(await standIn.get("/mint").fields.single("Allow") == "POST")
        #expect(await standIn.ask("PUT", "/auth/authorize").fields.single("Allow") == "GET, HEAD, POST")
    }

    /// A name of somebody else that was made to point here must not read what is here.
    @Test(arguments: [
        ("127.0.0.1:8712", true), ("localhost:8712", true), ("127.0.0.1", false), ("127.0.0.1:87", false),
        ("evil.example:8712", false), ("evil.example", false), ("127.0.0.1.evil.example:8712", false), ("", false),
    ])
    func hosts(_ host: String, isOurs: Bool) async throws {
        let standIn = try StandIn()
        for path in ["/", "/auth/keys", "/control", "/nowhere"] {
            let response = await standIn.ask("GET", path, host: host)
            #expect((response.code == "host_unexpected") == !isOurs)
        }
    }

    /// Over the Unix socket the kernel says that it is this machine.
    @Test func theSocketAsksForNoName() async throws {
        let standIn = try StandIn()
        let peer = Peer.process(user: 1, group: 1, process: 1)
        let request = ReceivedRequest(method: "GET", path: "/control", peer: peer)
        #expect(await standIn.service.respond(to: request).json?["issuer"]?.string == StandIn.url)
    }

    @Test func beforeItKnowsWhereItIs() async throws {
        let service = IssuerService(
            IssuerSettings(try MintingKey(TestKeys.rsa.get(), .rs256), clients: try StandIn.clients()))
        let peer = Peer.process(user: 1, group: 1, process: 1)
        let response = await service.respond(to: ReceivedRequest(method: "GET", path: "/auth/keys", peer: peer))
        #expect(response.code == "not_ready")
    }

    /// `Docs/Errors.md` lists each code with its status.
    @Test func theListIsWhole() throws {
        let text = try String(contentsOf: TestPaths.package.appending(path: "Docs/Errors.md"), encoding: .utf8)
        let section = try #require(
            text.components(separatedBy: "\n## ").first { $0.hasPrefix("Refused by the test issuer") })
        let listed = section.components(separatedBy: "\n").filter { $0.hasPrefix("| `") }.map { row in
            let cells = row.components(separatedBy: "|").map { $0.trimmingCharacters(in: .whitespaces) }
            return "\(cells[1].trimmingCharacters(in: ["`"])) \(cells[2])"
        }
        #expect(listed == IssuerProblemCode.allCases.map { "\($0.rawValue) \($0.status.code)" })
    }

    /// `Docs/Issuer.md` lists each fault and each path.
    @Test func thePageIsWhole() throws {
        let text = try String(contentsOf: TestPaths.package.appending(path: "Docs/Issuer.md"), encoding: .utf8)
        for fault in IssuerFault.allCases { #expect(text.contains("\n| `\(fault.rawValue)` |")) }
        for route in IssuerRoute.all where !route.path.contains(".css") && !route.path.contains(".js") {
            #expect(text.contains("`\(route.method) \(route.path)`"), "\(route.path)")
        }
        for member in IssuerService.mintMembers {
            #expect(text.contains("| `\(member)`") || text.contains(", `\(member)`"))
        }
    }
}
