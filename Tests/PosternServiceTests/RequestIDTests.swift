import Foundation
import Testing

@Suite struct RequestIDTests {
    @Test(arguments: [
        ("a", true), ("7f3-A.b_c~d:e/f+g=h@i", true), (String(repeating: "x", count: 128), true),
        (String(repeating: "x", count: 129), false), ("", false), ("a b", false), ("a\u{e9}", false), ("a\"b", false),
        ("<script>", false), ("a,b", false), ("a%b", false), ("a\tb", false),
    ])
    func theCallersOwnIsKeptWhenSafe(given: String, isKept: Bool) async throws {
        for path in ["/v1/keys", "/nothing"] {
            let reply = try await TestService().send("GET", path, fields: [("x-request-id", given)])
            let name = try #require(reply.field("X-Request-Id"))
            #expect((name == given) == isKept)
            #expect(isKept || name.utf8.count == 32)
            #expect(path == "/v1/keys" || reply.text("request_id") == name)
        }
    }

    @Test func oneIsMade() async throws {
        let service = try TestService()
        var names: Set<String> = []
        for _ in 0..<100 {
            names.insert(try #require(try await service.send("GET", "/health/live").field("X-Request-Id")))
        }
        #expect(names.count == 100)
        let twice = [("X-Request-Id", "a"), ("X-Request-Id", "b")]
        #expect(try await service.send("GET", "/v1/keys", fields: twice).field("X-Request-Id")?.utf8.count == 32)
    }
}
