import Foundation
import PosternHTTP
import PosternService
import PosternTestSupport
import Testing

@Suite struct AccountRouteTests {
    private static let id = "0199c2f0-7d1a-7b3e-9a54-3f2f0c9b6d11"
    private static let identity = "00112233445566778899aabbccddeeff"

    private static func path(_ route: Route) -> String {
        route.path.replacing("{id}", with: id).replacing("{identity}", with: identity)
    }

    private static let routes = Route.all.filter { $0.door == .native || $0.door == .auth }

    /// Each route is behind its door, answers its methods, and names those of its path.
    @Test(arguments: routes)
    func methodsAndDoors(route: Route) async throws {
        let rules = [
            ListenerRules(doors: route.door.map { [$0] } ?? []),
            ListenerRules(doors: Set(Door.allCases).subtracting([route.door].compactMap(\.self))),
        ]
        let service = try await AccountService.with { $0.listeners = rules }
        let path = Self.path(route)
        let there = try await service.http.send(route.method, path, listener: 0)
        #expect(there.status != 405 && there.code != "path_unknown")
        #expect(try await service.http.send(route.method, path, listener: 1).code == "path_unknown")
        let methods = Route.all.filter { $0.path == route.path }.flatMap {
            $0.method == "GET" ? ["GET", "HEAD"] : [$0.method]
        }
        for method in ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "TRACE", route.method.lowercased()] {
            let reply = try await service.http.send(method, path, listener: 0)
            #expect((reply.status == 405) == !methods.contains(method), "\(method) \(path)")
            if reply.status == 405 { #expect(reply.field("Allow") == methods.joined(separator: ", ")) }
        }
    }

    /// Without accounts nothing of them is there, and it is said why.
    @Test(arguments: routes)
    func withoutAccounts(route: Route) async throws {
        let service = try TestService(listeners: [ListenerRules(doors: [.native, .auth, .operations])])
        let reply = try await service.send(route.method, Self.path(route))
        let isOld = ["/v1/verify", "/v1/nonces", "/v1/keys"].contains(route.path)
        #expect((reply.code == "accounts_off") == !isOld)
        if !isOld { #expect(reply.status == 404) }
    }

    /// All of the door `native` ask over TCP for a key, before anything else is looked at.
    @Test(arguments: routes.filter { $0.door == .native })
    func keysAreAskedFor(route: Route) async throws {
        let service = try await AccountService.with { $0.keys = TestService.keys }
        let without = try await service.http.send(
            route.method, Self.path(route), "nonsense", fields: [], peer: TestService.address)
        #expect(without.code == "api_key_missing")
        let wrong = try await service.http.send(
            route.method, Self.path(route), "", fields: [("Authorization", "Bearer x")], peer: TestService.address)
        #expect(wrong.code == "api_key_unknown")
        let right = try await service.http.send(
            route.method, Self.path(route), "", fields: [("Authorization", "Bearer \(TestService.key)")],
            peer: TestService.address)
        #expect(![401, 403].contains(right.status))
    }

    @Test(arguments: [
        "/v1/accounts/", "/v1/accounts//", "/v1/accounts/x", "/v1/accounts/\(id)/",
        "/v1/accounts/%30199c2f0-7d1a-7b3e-9a54-3f2f0c9b6d11", "/v1/accounts/{id}", "/v1/accounts/\(id)x",
        "/v1/accounts/0199c2f0-7d1a-7b3e-9a54-3f2f0c9b6d1g", "/v1/accounts/0199c2f07-d1a-7b3e-9a54-3f2f0c9b6d11",
        "/v1/accounts/../accounts/\(id)", "/v1//accounts/\(id)", "v1/accounts/\(id)", "/V1/accounts/\(id)",
        "/v1/accounts/\(id)/identities", "/v1/accounts/\(id)/identities/\(identity.uppercased())",
        "/v1/accounts/\(id)/identities/\(identity)0", "/v1/accounts/\(id)/passwords", "/v1/sessions/REFRESH",
        "/v1/accounts/\(id);a=b", "/v1/accounts/\(id)\u{0}", "/v1/accounts/\u{FF10}199c2f0-7d1a-7b3e-9a54-3f2f0c9b6d",
        "/v1/sign-ups/\(id)", "/.well-known/jwks.json/", "/.well-known", String(repeating: "/", count: 5_000),
    ])
    func otherPathsAreNotThere(path: String) async throws {
        let service = try await AccountService()
        for method in ["GET", "POST", "PUT", "PATCH", "DELETE"] {
            let reply = try await service.http.send(method, path)
            #expect(reply.status == 404)
            #expect(reply.code == "path_unknown")
        }
    }

    /// RFC 9562 §4: capitals name the same, in paths, behind the question mark and in bodies.
    @Test func namesInCapitals() async throws {
        let service = try await AccountService()
        let id = try await service.signUp()
        let (kept, other) = (try await service.signIn().sessionID, try await service.signIn().sessionID)
        let name = id.uppercased()
        #expect(name != id)
        #expect(try await service.send("GET", "/v1/accounts/\(name)").text("id") == id)
        #expect(try await service.send("GET", "/v1/accounts/\(name)/audit").list("entries").count == 3)
        let page = try await service.send("GET", "/v1/accounts", query: "after=\(name)")
        #expect(page.status == 200 && page.list("accounts").isEmpty)
        let list = try await service.send("GET", "/v1/sessions", query: "user=\(name)")
        #expect(Set(list.list("sessions").compactMap { $0["id"] as? String }) == [kept, other])
        let change = [
            "old_password": AccountService.password, "new_password": "four other words",
            "keep_session": kept.uppercased(),
        ]
        #expect(try await service.send("PUT", "/v1/accounts/\(name)/password", change).status == 204)
        #expect(try await service.send("DELETE", "/v1/sessions/\(kept.uppercased())").status == 204)
        #expect(try await service.send("DELETE", "/v1/accounts/\(name)").status == 204)
        #expect(try await service.send("GET", "/v1/accounts/\(id)").status == 404)
    }

    /// What names nobody is not there, whoever might have had the name.
    @Test func namesOfNobody() async throws {
        let service = try await AccountService()
        let cases: [(String, String, [String: Any], String)] = [
            ("GET", "/v1/accounts/\(Self.id)", [:], "account_unknown"),
            ("PATCH", "/v1/accounts/\(Self.id)", ["banned": true], "account_unknown"),
            ("DELETE", "/v1/accounts/\(Self.id)", [:], "account_unknown"),
            ("PUT", "/v1/accounts/\(Self.id)/password", ["new_password": "four other words"], "account_unknown"),
            ("DELETE", "/v1/accounts/\(Self.id)/identities/\(Self.identity)", [:], "account_unknown"),
            ("DELETE", "/v1/sessions/\(Self.id)", [:], "session_unknown"),
            ("POST", "/v1/sign-ups/\(Self.id)/confirm", [:], "sign_up_unknown"),
        ]
        for (method, path, body, code) in cases {
            let reply = try await service.send(method, path, body)
            #expect(reply.status == 404)
            #expect(reply.code == code)
        }
        #expect(try await service.send("GET", "/v1/accounts/\(Self.id)/audit").list("entries").isEmpty)
    }

    // MARK: - Queries

    @Test(arguments: [
        ("GET", "/v1/accounts", "a=b", "query_unexpected"),
        ("GET", "/v1/accounts", "limit=1&limit=1", "query_unexpected"),
        ("GET", "/v1/accounts", "limit=0", "query_invalid"), ("GET", "/v1/accounts", "limit=201", "query_invalid"),
        ("GET", "/v1/accounts", "limit=", "query_invalid"), ("GET", "/v1/accounts", "limit", "query_invalid"),
        ("GET", "/v1/accounts", "limit=-1", "query_invalid"), ("GET", "/v1/accounts", "limit=+1", "query_invalid"),
        ("GET", "/v1/accounts", "limit=1e1", "query_invalid"), ("GET", "/v1/accounts", "", "query_invalid"),
        ("GET", "/v1/accounts", "limit=1&", "query_invalid"), ("GET", "/v1/accounts", "&", "query_invalid"),
        ("GET", "/v1/accounts", "limit=%", "query_invalid"), ("GET", "/v1/accounts", "after=x", "query_invalid"),
        ("GET", "/v1/accounts", "LIMIT=1", "query_unexpected"), ("GET", "/v1/accounts", "email=%FF", "query_invalid"),
        ("GET", "/v1/accounts", "limit=99999999999999999999", "query_invalid"),
        ("GET", "/v1/accounts", "email=a@b.example&limit=1", "query_unexpected"),
        ("GET", "/v1/sessions", "except=\(id)&user=\(id)", "query_unexpected"),
        ("GET", "/v1/sessions", "user=", "query_invalid"), ("DELETE", "/v1/sessions", "except=\(id)", "query_invalid"),
        ("DELETE", "/v1/sessions", "user=\(id)&except=all", "query_invalid"),
        ("GET", "/v1/accounts/\(id)/audit", "before=-1", "query_invalid"),
        ("GET", "/v1/accounts/\(id)/audit", "before=9007199254740992", "query_invalid"),
        ("POST", "/v1/sessions", "user=\(id)", "query_unexpected"),
        ("POST", "/v1/introspect", "token=a", "query_unexpected"),
        ("GET", "/v1/accounts/\(id)", "", "query_unexpected"),
        ("DELETE", "/v1/accounts/\(id)", "a", "query_unexpected"),
    ])
    func poorQueriesAreRefused(method: String, path: String, query: String, code: String) async throws {
        let reply = try await AccountService().http.send(method, path, query: query)
        #expect(reply.status == 400)
        #expect(reply.code == code)
    }

    @Test func withoutUserThereIsNothingToList() async throws {
        for method in ["GET", "DELETE"] {
            let reply = try await AccountService().send(method, "/v1/sessions")
            #expect(reply.status == 400)
            #expect(reply.code == "query_invalid")
        }
    }

    @Test(arguments: ["limit=1", "limit=200", "after=\(id)", "after=\(id)&limit=001", "%6Cimit=%31"])
    func goodQueriesAreTaken(query: String) async throws {
        #expect(try await AccountService().send("GET", "/v1/accounts", query: query).status == 200)
    }

    @Test func theBoundsOfNumbers() async throws {
        let service = try await AccountService()
        for query in ["before=0", "before=9007199254740991", "limit=200&before=1"] {
            #expect(try await service.send("GET", "/v1/accounts/\(Self.id)/audit", query: query).status == 200)
        }
    }

    /// Heads alone decide what needs no body.
    @Test func whatTheHeadDecides() async throws {
        let service = try await AccountService.with { $0.keys = TestService.keys }.http.service
        func head(
            _ method: String, _ path: String, _ type: String?, query: String? = nil, peer: Peer = TestService.peer
        )
            -> HTTP.Response?
        {
            var fields = HTTP.Fields()
            if let type { fields.append("Content-Type", type) }
            let head = ReceivedHead(
                method: method, path: path, query: query, fields: ReceivedFields(fields), hasBody: true, peer: peer)
            return service.answer(toHead: head)
        }
        #expect(head("POST", "/v1/sessions", "application/json") == nil)
        #expect(head("PUT", "/v1/accounts/\(Self.id)/password", "application/json") == nil)
        #expect(head("POST", "/v1/revoke", "application/x-www-form-urlencoded") == nil)
        #expect(head("GET", "/v1/accounts", nil) == nil)
        #expect(head("GET", "/.well-known/jwks.json", nil)?.status == 200)
        #expect(head("POST", "/v1/sessions", "text/plain")?.status == 415)
        #expect(head("PATCH", "/v1/accounts/\(Self.id)", nil)?.status == 415)
        #expect(head("POST", "/v1/revoke", "application/json")?.status == 415)
        #expect(head("POST", "/v1/sessions", "application/json", query: "a")?.status == 400)
        #expect(head("POST", "/v1/sessions", "application/json", peer: TestService.address)?.status == 401)
        #expect(head("POST", "/v1/accounts/\(Self.id)", "application/json")?.status == 405)
        #expect(head("POST", "/v1/accounts/x", "application/json")?.status == 404)
    }
}
