import PosternBase
import PosternHTTP
import PosternService
import Testing

@Suite struct CallerTests {
    @Test(
        arguments: [
            ([], [], 1, 1, true), ([1000], [], 1000, 5, true), ([1000], [], 1001, 1000, false), ([], [50], 7, 50, true),
            ([], [50], 50, 7, false), ([1], [50], 7, 50, true), ([1], [50], 1, 7, true), ([1], [50], 0, 0, false),
        ] as [([UInt32], [UInt32], UInt32, UInt32, Bool)])
    func processes(users: [UInt32], groups: [UInt32], user: UInt32, group: UInt32, isAllowed: Bool) async throws {
        let rules = ListenerRules(doors: [.native, .operations], users: Set(users), groups: Set(groups))
        let service = try TestService(listeners: [rules])
        for path in ["/v1/keys", "/health/ready", "/health/live", "/nothing"] {
            let peer = Peer.process(user: user, group: group, process: 1)
            let reply = try await service.send("GET", path, peer: peer)
            #expect(reply.status == (isAllowed ? path == "/nothing" ? 404 : 200 : 403))
            #expect(isAllowed || reply.code == "peer_not_allowed")
        }
    }

    @Test func addressesAreNoProcesses() async throws {
        let service = try TestService(listeners: [ListenerRules(doors: [.operations], users: [0])])
        #expect(try await service.send("GET", "/health/live", peer: TestService.address).status == 403)
    }

    /// Over TCP a key is needed whatever the settings say; liveness and readiness are for who has none.
    @Test func addressesNeedAKey() async throws {
        let service = try TestService(keys: TestService.keys)
        for (method, path) in [("GET", "/v1/keys"), ("POST", "/v1/nonces"), ("POST", "/v1/verify")] {
            let reply = try await service.send(method, path, peer: TestService.address)
            #expect(reply.status == 401)
            #expect(reply.code == "api_key_missing")
            #expect(reply.field("WWW-Authenticate") == #"Bearer realm="postern""#)
        }
        for path in ["/health/live", "/health/ready"] {
            #expect(try await service.send("GET", path, peer: TestService.address).status == 200)
        }
    }

    @Test(arguments: [
        ("Bearer postern_test-key", 200), ("bearer postern_test-key", 200), ("BEARER  postern_test-key", 200),
        ("Bearer postern_test-ke", 401), ("Bearer postern_test-key2", 401), ("Bearer", 401), ("Bearer ", 401),
        ("Basic postern_test-key", 401), ("postern_test-key", 401), ("Bearer postern_test-key,", 401),
        ("Bearer \"postern_test-key\"", 401), ("Bearer POSTERN_TEST-KEY", 401), ("", 401),
        ("Bearerpostern_test-key", 401),
    ])
    func credentials(value: String, status: Int) async throws {
        let service = try TestService(keys: TestService.keys)
        let reply = try await service.send(
            "GET", "/v1/keys", fields: [("Authorization", value)], peer: TestService.address)
        #expect(reply.status == status)
        #expect(status == 200 || reply.code == "api_key_unknown")
        let isKey = value.lowercased().hasPrefix("bearer postern_") && !value.hasSuffix(",")
        #expect(status == 200 || reply.text("detail")?.contains("Authorization: Bearer KEY") == !isKey)
        #expect(status == 200 || reply.field("WWW-Authenticate")?.contains("invalid_token") == true)
    }

    /// By its shape alone, so that nothing of it is believed or told again.
    @Test(arguments: [
        ("eyJhbGciOiJFUzI1NiJ9.e30.AA", true), ("eyJ..", true), ("eyJ.a", false), ("eyJ.a.b.c", false),
        ("a.b.c", false),
        ("EyJ.a.b", false), ("eyJ", false), ("postern_eyJ.a.b", false),
    ])
    func tokensOfPeopleAreNoKeys(token: String, isTold: Bool) async throws {
        let service = try TestService(keys: TestService.keys)
        let reply = try await service.send(
            "GET", "/v1/keys", fields: [("Authorization", "Bearer \(token)")], peer: TestService.address)
        #expect(reply.status == 401 && reply.code == "api_key_unknown")
        #expect(reply.text("detail")?.contains("access token of a person") == isTold)
        #expect(!reply.body.contains(token))
        #expect(reply.field("WWW-Authenticate")?.contains("invalid_token") == true)
    }

    @Test func twoFieldsAreNone() async throws {
        let field = ("Authorization", "Bearer \(TestService.key)")
        let reply = try await TestService(keys: TestService.keys)
            .send("GET", "/v1/keys", fields: [field, field], peer: TestService.address)
        #expect(reply.status == 401)
    }

    @Test func withoutKeysNobodyComesInOverTCP() async throws {
        let field = ("Authorization", "Bearer \(TestService.key)")
        let reply = try await TestService().send("GET", "/v1/keys", fields: [field], peer: TestService.address)
        #expect(reply.status == 401)
    }

    @Test func processesNeedAKeyWhereItIsSaid() async throws {
        let rules = ListenerRules(doors: [.native], requiresKey: true)
        let service = try TestService(listeners: [rules], keys: TestService.keys)
        #expect(try await service.send("GET", "/v1/keys", fields: []).status == 401)
        let field = ("Authorization", "Bearer \(TestService.key)")
        #expect(try await service.send("GET", "/v1/keys", fields: [field]).status == 200)
    }

    /// While keys are replaced both the old and the new one are good.
    @Test func severalKeys() async throws {
        let names = ["one", "two", "three"]
        let entries = names.compactMap {
            APIKeys.Entry(name: $0, digest: APIKeys.digest(of: Secret("key-\($0)")) ?? [])
        }
        let service = try TestService(keys: APIKeys(entries))
        for name in names + ["four"] {
            let field = ("Authorization", "Bearer key-\(name)")
            let reply = try await service.send("GET", "/v1/keys", fields: [field], peer: TestService.address)
            #expect(reply.status == (name == "four" ? 401 : 200))
        }
    }

    @Test func keysAreRandomAndHashed() {
        let random = APIKeys.random()
        let key = random.revealed
        #expect(key.hasPrefix("postern_"))
        #expect(key.utf8.count == 51)
        #expect(APIKeys.isWhole(random))
        for other in [String(key.dropLast()), key + "A", "postern_", "", String(key.dropFirst()), key + "\n"] {
            #expect(!APIKeys.isWhole(Secret(other)), "\(other)")
        }
        for text in [key, " \(key)", "Bearer \(key)\n", String(key.dropLast(11)), "postern_\(key)"] {
            #expect(APIKeys.isIn(Secret(text)), "\(text)")
        }
        for text in ["", "postern_", "postern_backend", String(key.dropLast(12)), String(key.dropFirst())] {
            #expect(!APIKeys.isIn(Secret(text)), "\(text)")
        }
        #expect(random.revealed != APIKeys.random().revealed)
        #expect(APIKeys.digest(of: random)?.count == 32)
        #expect(APIKeys.Entry(name: "short", digest: [1, 2, 3]) == nil)
    }

    /// Hashes of nothing and of words that stand where a key should.
    @Test(arguments: [
        ("", true), ("\n", true), ("\r\n", true), (" ", true), ("postern_", true), ("postern_\n", true), ("KEY", true),
        ("null", true), ("changeme\n", true), ("password", true), ("postern_test-key", false), ("x", false),
    ])
    func hashesOfNoKey(text: String, isNone: Bool) throws {
        #expect(APIKeys.isOfNoKey(try #require(APIKeys.digest(of: Secret(text)))) == isNone)
    }

    @Test func otherHashesOfNoKey() {
        #expect(APIKeys.isOfNoKey([UInt8](repeating: 0, count: 32)))
        #expect(!APIKeys.isOfNoKey([UInt8](repeating: 0xAB, count: 32)))
    }
}
