import PosternService
import Testing

@Suite struct RouteTests {
    @Test(arguments: [
        ("GET", "/v1/verify", "POST"), ("HEAD", "/v1/nonces", "POST"), ("POST", "/v1/keys", "GET, HEAD"),
        ("DELETE", "/health/live", "GET, HEAD"), ("get", "/health/ready", "GET, HEAD"), ("post", "/v1/verify", "POST"),
    ])
    func otherMethodsAreRefused(method: String, path: String, allowed: String) async throws {
        let reply = try await TestService().send(method, path)
        #expect(reply.status == 405)
        #expect(reply.code == "method_not_allowed")
        #expect(reply.field("Allow") == allowed)
    }

    @Test(arguments: [
        "/", "/v1", "/v1/", "/v1/verify/", "/V1/verify", "//v1/verify", "/v1/%76erify", "/v1/./verify", "/health", "*",
        "/v1/keys\u{0}", "/v1/\u{212A}eys",
    ])
    func otherPathsAreNotThere(path: String) async throws {
        for method in ["GET", "POST"] {
            let reply = try await TestService().send(method, path)
            #expect(reply.status == 404)
            #expect(reply.code == "path_unknown")
        }
    }

    @Test func headIsGet() async throws {
        let service = try TestService()
        for path in ["/v1/keys", "/health/live", "/health/ready"] {
            let head = try await service.send("HEAD", path)
            let get = try await service.send("GET", path)
            #expect(head.status == 200)
            // The server leaves the body out.
            #expect(head.body == get.body)
        }
    }

    /// What is behind a shut door is not there, whatever the method; liveness is behind none.
    @Test(arguments: [
        ([Door.native], [200, 404, 404]), ([.operations], [404, 200, 404]), ([], [404, 404, 404]),
        ([.native, .operations], [200, 200, 405]),
    ])
    func doors(doors: [Door], expected: [Int]) async throws {
        let service = try TestService(listeners: [ListenerRules(doors: Set(doors))])
        #expect(try await service.send("GET", "/v1/keys").status == expected[0])
        #expect(try await service.send("GET", "/health/ready").status == expected[1])
        #expect(try await service.send("GET", "/health/live").status == 200)
        let isNative = doors.contains(.native)
        #expect(try await service.send("GET", "/v1/verify").status == (isNative ? 405 : 404))
    }

    @Test func eachListenerHasItsDoors() async throws {
        let rules = [ListenerRules(doors: [.native]), ListenerRules(doors: [.operations])]
        let service = try TestService(listeners: rules)
        #expect(try await service.send("GET", "/v1/keys", listener: 0).status == 200)
        #expect(try await service.send("GET", "/v1/keys", listener: 1).status == 404)
        #expect(try await service.send("GET", "/health/ready", listener: 1).status == 200)
        // A listener that nobody has described offers nothing.
        #expect(try await service.send("GET", "/health/live", listener: 2).status == 404)
        #expect(try await service.send("GET", "/health/live", listener: -1).status == 404)
    }

    @Test func queriesAreRefused() async throws {
        let service = try TestService()
        let reply = try await service.send("GET", "/v1/keys", query: "a=b")
        #expect(reply.status == 400)
        #expect(reply.code == "query_unexpected")
        #expect(try await service.send("GET", "/v1/keys", query: "").status == 400)
    }
}
